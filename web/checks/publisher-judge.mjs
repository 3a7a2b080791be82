// What makes a graph sound, and whether it says what the browser's accessibility tree says.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";

const schemas = new URL("../../spec/schemas/", import.meta.url);
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
for (const file of readdirSync(schemas)) ajv.addSchema(JSON.parse(readFileSync(new URL(file, schemas), "utf8")));
const validate = ajv.getSchema("urn:uiap:0.1:page-graph");

/** The schema holds, ids are unique and every reference leads somewhere. */
export function checkGraph(graph) {
  assert.ok(validate(graph), JSON.stringify(validate.errors?.slice(0, 5), null, 2));
  assert.equal(graph.metadata?.error, undefined);
  const unique = (list, what) => {
    const ids = new Set(list);
    assert.equal(ids.size, list.length, `${what} are unique`);
    return ids;
  };
  const documents = unique(graph.documents.map(({ id }) => id), "documents");
  const scopes = unique(graph.scopes.map(({ id }) => id), "scopes");
  const elements = unique(graph.elements.map(({ instanceId }) => instanceId), "elements");
  const known = (ids, id, what) => assert.ok(id === undefined || ids.has(id), `${what} ${id} exists`);
  for (const { parentDocumentId, hostElementId } of graph.documents) {
    known(documents, parentDocumentId, "document");
    known(elements, hostElementId, "element");
  }
  for (const { documentId, parentScopeId, elementId } of graph.scopes) {
    known(documents, documentId, "document");
    known(scopes, parentScopeId, "scope");
    known(elements, elementId, "element");
  }
  for (const { documentId, scopeId, parentId } of graph.elements) {
    known(documents, documentId, "document");
    known(scopes, scopeId, "scope");
    known(elements, parentId, "element");
  }
  known(elements, graph.focus?.target, "element");
  for (const id of graph.modalStack ?? []) known(scopes, id, "scope");
  for (const { hostElementId } of graph.opaqueRegions ?? []) known(elements, hostElementId, "element");
}

/** Interactive roles of the browser, and what they may be for us. */
const ROLES = {
  button: ["button", "fileinput"], DisclosureTriangle: ["button"], link: ["link"], textbox: ["textbox", "textarea"], searchbox: ["searchbox"],
  combobox: ["combobox"], listbox: ["listbox"], option: ["option"], checkbox: ["checkbox"], radio: ["radio"], switch: ["switch"],
  slider: ["slider"], scrollbar: ["slider"], spinbutton: ["spinbutton"], tab: ["tab"], menuitem: ["menuitem"], menuitemcheckbox: ["menuitem"],
  menuitemradio: ["menuitem"], treeitem: ["treeitem"], Date: ["datepicker"], DateTime: ["datepicker"], InputTime: ["timepicker"],
  ColorWell: ["custom"], gridcell: ["cell"],
};
const INTERACTIVE = new Set(Object.values(ROLES).flat().filter((role) => role !== "custom" && role !== "cell"));
const PARTED = new Set(["Audio", "Date", "DateTime", "InputTime", "Video"]);
const NAME_MAX = 300;
const line = (role, name) => `${role} "${name}"`;
const tidy = (name) => name.replace(/\u200b/g, "").replace(/\s+/g, " ").trim();
const sameName = (ours, theirs) => ours === theirs || (theirs.length > NAME_MAX && ours.slice(0, -1) === theirs.slice(0, NAME_MAX - 1));

/** Whether a modal layer or `inert` keeps an element from being used: the nearest area that says so decides. */
export function blockedIn({ elements, scopes, modalStack = [] }) {
  const byId = new Map(scopes.map((scope) => [scope.id, scope]));
  const own = new Map(scopes.map((scope) => [scope.elementId, scope]));
  const isBlocked = (scope) => scope !== undefined && (scope.state?.blocked === true || (!modalStack.includes(scope.id) && isBlocked(byId.get(scope.parentScopeId))));
  return new Set(elements.filter((element) => element.state.blocked || isBlocked(own.get(element.instanceId) ?? byId.get(element.scopeId))));
}

/**
 * Every interactive element of either side, held against the other side. `hidden` are the nodes behind a boundary:
 * the browser's tools see them, a page may not.
 */
export async function compare(graph, backendIds, tree, hidden = new Set()) {
  const { elements } = graph;
  const blocked = blockedIn(graph);
  const disagreements = [];
  let agreed = 0;
  let behindBoundaries = 0;
  const seen = new Set(backendIds);
  elements.forEach((element, index) => {
    const theirs = tree.get(backendIds[index]);
    const expected = theirs && ROLES[theirs.role];
    if (!INTERACTIVE.has(element.role) && !(expected && !theirs.ignored)) return;
    // What a rule inferred where the markup is silent is nothing that the browser could confirm.
    if (element.derivedBy && !(expected && !theirs.ignored)) return;
    // Under a modal dialog the browser shows nothing; the graph says that it is blocked.
    if (blocked.has(element) && (!theirs || theirs.ignored)) return;
    const ours = line(element.role, element.name ?? "");
    if (!theirs || theirs.ignored) disagreements.push({ ours, browser: "" });
    else if (expected?.includes(element.role) && sameName(element.name ?? "", tidy(theirs.name))) agreed += 1;
    else disagreements.push({ ours, browser: line(theirs.role, tidy(theirs.name)) });
  });
  for (const [id, { role, name, ignored, ancestors }] of tree) {
    if (ignored || !ROLES[role] || seen.has(id)) continue;
    // The browser shows the parts of its own date fields and players; for us each is one thing.
    if (ancestors.some((one) => PARTED.has(one.role))) continue;
    if (hidden.has(id)) {
      behindBoundaries += 1;
      continue;
    }
    // A choice of a native list is an option of the list.
    const list = role === "option" && ancestors.map((one) => elements[backendIds.indexOf(one.id)]).find((one) => one?.options);
    if (list && list.options.some(({ label }) => label === tidy(name))) agreed += 1;
    else disagreements.push({ ours: "", browser: line(role, tidy(name)) });
  }
  return { agreed, behindBoundaries, disagreements };
}
