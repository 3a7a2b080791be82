// The publisher against the W3C, as npm packages carry it: `accname` has the cases of web-platform-tests for names,
// `aria-query` the tables of WAI-ARIA and HTML-AAM for roles.
//
// publisher/cases/standards.json says which UIRole each ARIA role becomes and where we differ, with the reason. A
// difference in a name is allowed only where the browser says what we say.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { elementRoles, roles } from "aria-query";
import { load, openBrowser, publisherOf, serve } from "./publisher-browser.mjs";

const { WPT_TEST_CASES: nameCases } = createRequire(import.meta.url)("accname/dist/testing/wpt_testdata.js");
const expected = JSON.parse(readFileSync(new URL("../publisher/cases/standards.json", import.meta.url), "utf8"));

const site = {};
before(async () => {
  site.server = await serve({ "/": { body: "<!doctype html><html lang=\"en\"><title>Standards</title><body></body></html>" } });
  site.browser = await openBrowser();
  site.page = await site.browser.newPage();
  await load(site.page, `${site.server.origin}/`);
  site.publisher = await publisherOf(site.page);
});
after(async () => {
  await site.browser?.stop();
  await site.server?.stop();
});

/** What is published of the element with the id `test`; `undefined` if it is no thing of its own. */
async function published(html) {
  await site.page.run((body) => { document.body.innerHTML = body; }, html);
  const { elements } = await site.publisher.snapshot();
  const ids = JSON.stringify(elements.map(({ instanceId }) => instanceId));
  return elements[await site.publisher.evaluate(`${ids}.findIndex((id) => __uiap.node(id)?.id === "test")`)];
}

/** What the browser calls that element. */
async function browserName() {
  const { root } = await site.page.send("DOM.getDocument");
  const { nodeId } = await site.page.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#test" });
  const { nodes } = await site.page.send("Accessibility.getPartialAXTree", { nodeId, fetchRelatives: false });
  return nodes[0]?.name?.value ?? "";
}

test("names are as the cases of the W3C say", async (suite) => {
  const differences = {};
  for (const { title, expectedName, htmlInput } of nameCases) {
    const found = await published(htmlInput);
    if (!found) differences[title] = null;
    else if ((found.name ?? "") !== expectedName) {
      differences[title] = found.name ?? "";
      assert.equal(found.name ?? "", (await browserName()).replace(/\s+/g, " ").trim(), `${title}: if not as the W3C says, then as the browser does`);
    }
  }
  assert.deepEqual(differences, Object.assign({}, ...expected.names.map(({ cases }) => cases)));
  assert.ok(expected.names.every(({ reason }) => reason.length > 20), "each group has its reason");
  suite.diagnostic(`${nameCases.length - Object.keys(differences).length} of ${nameCases.length} cases as they are written`);
});

test("ARIA roles become the UIRole of the table", async () => {
  const found = {};
  for (const [role, { abstract }] of roles) {
    if (abstract || role.startsWith("doc-") || role.startsWith("graphics-")) continue;
    found[role] = (await published(`<div id="test" role="${role}" aria-label="Named">x</div>`))?.role ?? null;
  }
  assert.deepEqual(found, expected.roles);
});

const VALUES = { checkbox: "checkbox", set: "x" };
const CHILD = { caption: "table", optgroup: "select", option: "select size=2", summary: "details open", tbody: "table", td: "table><tr", tfoot: "table", th: "table><tr", thead: "table", tr: "table", area: "map name=m", legend: "fieldset", li: "ul", figcaption: "figure" };

/** The markup of one row of the HTML-AAM table, inside what it needs around it. */
function markup({ name, attributes = [] }) {
  const given = attributes.filter(({ constraints = [] }) => !constraints.includes("undefined")).map(({ name: key, value }) => `${key}="${value ?? VALUES[key] ?? "test"}"`).join(" ");
  const parent = CHILD[name];
  return `${parent ? `<${parent}>` : ""}<${name} id="test" ${given} title="Named">x`;
}

test("HTML elements have the roles of HTML-AAM", async (suite) => {
  const differences = {};
  let rows = 0;
  for (const [concept, [...ariaRoles]] of elementRoles) {
    const html = markup(concept);
    const ours = (await published(html))?.role ?? null;
    rows += 1;
    if (!ariaRoles.some((role) => expected.roles[role] === ours)) differences[html] = [ours, ...ariaRoles];
  }
  assert.deepEqual(differences, Object.assign({}, ...expected.html.map(({ cases }) => cases)));
  suite.diagnostic(`${rows - Object.keys(differences).length} of ${rows} rows as they are written`);
});
