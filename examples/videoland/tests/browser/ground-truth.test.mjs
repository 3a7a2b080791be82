// The list of what can be done, held against what the browser itself says can be operated: nothing missing, nothing invented.
import { readFileSync } from "node:fs";
import { test } from "node:test";
import assert from "node:assert/strict";
import { useSite } from "./site.mjs";

const truth = JSON.parse(readFileSync(new URL("../../ground-truth.json", import.meta.url), "utf8"));
const EFFECTS = new Set(["navigation", "local", "read", "write", "destructive", "external", "billing", "security", "credential"]);
const OPERABLE = new Set([
  "button", "link", "textbox", "searchbox", "combobox", "checkbox", "switch", "radio", "slider", "spinbutton", "tab", "menuitem", "Date",
  "DisclosureTriangle",
]);
const ADDRESSES = { "/videos/:id": "/videos/6", not_found: "/no/such/page" };
const ROUTES = [...truth.routes, { pattern: "not_found", id: "not_found" }];
const site = useSite();

const fits = (pattern, name) => {
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(name);
};
const is = (action, node) => action.role === node.role && fits(action.name, node.name);

/** What the browser says can be operated, in the page and in its frames. */
async function operable(page) {
  const { frameTree } = await page.send("Page.getFrameTree");
  const frames = [frameTree.frame, ...(frameTree.childFrames ?? []).map(({ frame }) => frame)];
  const trees = await Promise.all(frames.map(({ id }) => page.send("Accessibility.getFullAXTree", { frameId: id }).catch(() => ({ nodes: [] }))));
  return trees.flatMap(({ nodes }) => withoutPartsOfDates(nodes))
    .filter(({ ignored, role }) => !ignored && OPERABLE.has(role?.value))
    .map(({ role, name, backendDOMNodeId }) => ({ role: role.value, name: name?.value ?? "", node: backendDOMNodeId }));
}

/** The browser builds a field for a date of several, which are its own business. */
function withoutPartsOfDates(nodes) {
  const parts = new Set();
  return nodes.filter(({ nodeId, parentId, role }) => {
    if (role?.value === "Date" || parts.has(parentId)) parts.add(nodeId);
    return !parts.has(parentId);
  });
}

/** Presses something, and says what the application declares about it. */
async function press(page, wanted) {
  const found = (await operable(page)).find((node) => is(wanted, node));
  assert.ok(found, `${wanted.role} ${wanted.name} is there to be pressed`);
  const { object } = await page.send("DOM.resolveNode", { backendNodeId: found.node });
  const { result } = await page.send("Runtime.callFunctionOn", {
    objectId: object.objectId, returnByValue: true,
    functionDeclaration: "function () { this.click(); return [this.dataset.uiapRisk ?? '', this.dataset.uiapRiskTags ?? '']; }",
  });
  const [risk, tags] = result.value;
  return risk === "blocked" ? "blocked" : tags.split(/[\s,]+/).find((tag) => tag === "billing");
}

const missing = (actions, nodes) => actions.filter((action) => !nodes.some((node) => is(action, node))).map(({ role, name }) => `${role} ${name}`);

test("every entry has its members and a known effect", () => {
  for (const action of truth.actions) {
    assert.ok(EFFECTS.has(action.effect) && OPERABLE.has(action.role) && action.name && action.route, JSON.stringify(action));
    const known = action.route === "*" || ROUTES.some(({ pattern }) => pattern === action.route);
    assert.ok(known, action.route);
    if (action.leads) assert.ok(truth.routes.some(({ pattern }) => pattern === action.leads), action.leads);
  }
});

for (const { pattern, id } of ROUTES) {
  const own = truth.actions.filter(({ route }) => route === pattern || (route === "*" && id !== "login"));
  const user = id === "login" ? null : "admin";
  const address = { user, path: ADDRESSES[pattern] ?? pattern, route: id };

  test(`${pattern} has what the list says, and nothing else`, async () => {
    await site.visit(address, async (page, videoland) => {
      const expected = own.filter(({ within, frame }) => !within && frame !== "foreign");
      // Data may still be on its way; it is there when everything is.
      let nodes = [];
      for (let tries = 0; tries < 100 && (tries === 0 || missing(expected, nodes).length > 0); tries += 1) {
        nodes = await operable(page);
      }
      assert.deepEqual(missing(expected, nodes), [], "invented");
      const unlisted = nodes.filter((node) => !own.some((action) => is(action, node))).map(({ role, name }) => `${role} ${name}`);
      assert.deepEqual(unlisted, [], "missing from the list");
      assert.deepEqual(await videoland.writes(), []);
    });
  });

  const paths = [...new Set(own.filter(({ within }) => within).map(({ within }) => JSON.stringify(within)))];
  for (const path of paths) {
    const steps = JSON.parse(path);
    test(`${pattern}: what ${steps.map(({ name }) => name).join(", ")} shows`, async () => {
      await site.visit(address, async (page, videoland) => {
        for (const step of steps) {
          const entry = own.find(({ role, name }) => role === step.role && name === step.name);
          assert.equal(await press(page, step), entry?.declared, `what the application declares about ${step.name}`);
        }
        const expected = own.filter(({ within }) => JSON.stringify(within) === path);
        let nodes = [];
        for (let tries = 0; tries < 100 && (tries === 0 || missing(expected, nodes).length > 0); tries += 1) {
          nodes = await operable(page);
        }
        assert.deepEqual(missing(expected, nodes), []);
        assert.deepEqual(await videoland.writes(), [], "whoever only opens something writes nothing");
      });
    });
  }
}
