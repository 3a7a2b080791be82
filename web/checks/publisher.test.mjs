// The publisher on pages made for it, in the real browser.
//
// Each page in publisher/cases has a file that says what must be published. On every page the accessibility tree
// of the browser is the judge of roles and names; where we differ, disagreements.json must say why.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { accessibilityTree, installEarly, load, publisherOf } from "./publisher-browser.mjs";
import { useSite } from "./publisher-site.mjs";
import { checkGraph, compare } from "./publisher-judge.mjs";

const folder = new URL("../publisher/cases/", import.meta.url);
const read = (file) => readFileSync(new URL(file, folder), "utf8");
const names = readdirSync(folder).filter((file) => file.endsWith(".html")).map((file) => file.slice(0, -5));
const disagreements = JSON.parse(read("disagreements.json"));

const { site, visit } = useSite();

const isPart = (part, whole) => Object.entries(part).every(([key, value]) => JSON.stringify(whole?.[key]) === JSON.stringify(value));

/** Finds each expected line after the one before it: all are there, once, in document order. */
function checkExpected({ expected = [], absent = [] }, { elements }) {
  let from = 0;
  for (const { role, name, state = {}, without = [], affordances = [], ...members } of expected) {
    const at = elements.findIndex((element, index) => index >= from && element.role === role && (name === undefined || element.name === name));
    assert.ok(at >= 0, `${role} "${name ?? ""}" is missing after ${JSON.stringify(elements[from - 1]?.name)}`);
    const found = elements[at];
    assert.ok(isPart(state, found.state), `${role} "${name}": ${JSON.stringify(found.state)} should have ${JSON.stringify(state)}`);
    for (const key of without) assert.ok(!(key in found.state), `${role} "${name}" must not say ${key}`);
    for (const offer of affordances) assert.ok(found.affordances?.includes(offer), `${role} "${name}" offers ${found.affordances}, not ${offer}`);
    assert.ok(isPart(members, found), `${role} "${name}": ${JSON.stringify(found)} should have ${JSON.stringify(members)}`);
    from = at + 1;
  }
  for (const name of absent) assert.ok(!elements.some((element) => element.name === name), `"${name}" must not be published`);
}

/** The parts of a graph besides its elements. */
function checkRest({ graph: members = {}, routeId, scopeKinds, modalStack, blocked, boundaries, opaque }, graph) {
  assert.ok(isPart(members, graph), JSON.stringify(members));
  assert.equal(graph.route.routeId, routeId);
  assert.deepEqual(graph.modalStack, modalStack);
  if (blocked) assert.deepEqual(graph.scopes.filter(({ state }) => state?.blocked).map(({ id }) => id), blocked);
  if (scopeKinds) assert.deepEqual(graph.scopes.map(({ kind }) => kind), scopeKinds);
  if (boundaries) assert.deepEqual(graph.documents.map(({ boundary }) => boundary.kind), boundaries);
  assert.equal(graph.opaqueRegions?.length, opaque?.length);
  opaque?.forEach((part, at) => assert.ok(isPart(part, graph.opaqueRegions[at]), JSON.stringify(graph.opaqueRegions[at])));
}

// Of DSC 12, boundaries.html proves what a mapper will find when it looks through the graph: same-origin frames and open
// shadow roots are inside of it, with documents of their own kind.
// proves: WEB-7, WEB-8, WEB-9, WEB-10, WEB-40, WEB-41, WEB-42, WEB-43, WEB-55, CAP-4-2, CAP-4-3, CAP-6-2, DSC-12-1, DSC-12.1-1, DSC-12.4-1
// proves: R001-4.1, R001-4.4, R008-4.1, R009-3.1, R009-3.2, R009-6.1, R009-7.1, R009-7.2, R009-12.2
test("every page is published as its case says, and as the browser sees it", async (suite) => {
  assert.ok(names.length > 0);
  for (const name of names) {
    await suite.test(name, () => visit(`/${name}`, read(`${name}.html`), async ({ page, publisher }) => {
      const graph = await publisher.snapshot();
      checkGraph(graph);
      const wanted = JSON.parse(read(`${name}.json`));
      checkExpected(wanted, graph);
      checkRest(wanted, graph);
      const found = await compare(graph, await publisher.backendIds(graph.elements), await accessibilityTree(page));
      const known = disagreements.filter((one) => one.page === name);
      assert.deepEqual(found.disagreements, known.map(({ ours, browser }) => ({ ours, browser })), "as in disagreements.json");
      suite.diagnostic(`${name}: ${found.agreed} of ${found.agreed + found.disagreements.length} interactive elements agree`);
    }));
  }
});

// proves: WEB-38, WEB-39, WEB-44, WEB-45
test("route, forms, focus and boxes", () => visit("/where/am/i", `<!doctype html><html lang="en"><title>Where</title><body style="margin:0">
  <main data-uiap-route="here"><form data-uiap-scope="the.form" aria-label="Form">
  <input aria-label="Focused" autofocus style="position:absolute;left:10.4px;top:20.6px;width:100px;height:30px;padding:0;border:0"></form></main>`, async ({ page, publisher }) => {
  await page.run(() => document.querySelector("input").focus());
  const graph = await publisher.snapshot();
  checkGraph(graph);
  assert.equal(graph.route.routeId, "here");
  assert.equal(graph.route.path, "/where/am/i");
  assert.equal(graph.route.url, `${site.server.origin}/where/am/i`);
  const form = graph.scopes.find(({ kind }) => kind === "form");
  assert.ok(isPart({ id: "the.form", name: "Form", documentId: "doc_root" }, form));
  const field = graph.elements.find(({ name }) => name === "Focused");
  assert.equal(field.scopeId, "the.form");
  assert.equal(field.parentId, form.elementId);
  assert.deepEqual(field.bbox, { x: 10, y: 21, width: 100, height: 30 });
  assert.equal(field.state.inViewport, true);
  assert.deepEqual(graph.focus, { target: field.instanceId, documentId: "doc_root" });
  assert.deepEqual(graph.viewport, { width: 1280, height: 800, scrollX: 0, scrollY: 0 });
  const plain = await publisher.snapshot({ includeBBox: false });
  assert.ok(plain.elements.every(({ bbox }) => bbox === undefined));
}));

// proves: WEB-46
test("modal dialogs are stacked in the order they cover each other", () => visit("/stack", `<!doctype html><title>Stack</title>
  <dialog id="a" data-uiap-scope="a"><button>A</button></dialog><dialog id="b" data-uiap-scope="b"><button>B</button></dialog>`, async ({ page, publisher }) => {
  const stack = async () => (await publisher.snapshot()).modalStack;
  assert.equal(await stack(), undefined);
  await page.run(() => document.querySelector("#b").showModal());
  assert.deepEqual(await stack(), ["b"]);
  await page.run(() => document.querySelector("#a").showModal());
  assert.deepEqual(await stack(), ["b", "a"]);
  await page.run(() => document.querySelector("#a").close());
  assert.deepEqual(await stack(), ["b"]);
}));

// proves: WEB-47
test("what may not be looked into is listed with its host, box and label", () => visit("/opaque", `<!doctype html><title>Opaque</title>
  <iframe title="Stranger" src="{{foreign}}/foreign" width="100" height="50" style="border:0"></iframe><canvas aria-label="Drawing" width="30" height="20"></canvas>`, async ({ publisher }) => {
  const graph = await publisher.snapshot();
  checkGraph(graph);
  assert.deepEqual(graph.opaqueRegions.map(({ kind, label, bbox }) => [kind, label, bbox.width, bbox.height]),
    [["cross_origin_frame", "Stranger", 100, 50], ["canvas", "Drawing", 30, 20]]);
  for (const { hostElementId } of graph.opaqueRegions) assert.ok(graph.elements.some(({ instanceId }) => instanceId === hostElementId));
  assert.deepEqual(graph.documents[1].boundary, { kind: "cross-origin-frame", opaque: true, origin: site.server.foreign });
}));

// proves: CAP-5-3, WEB-26
test("hidden elements are published on request, and hidden is not disabled", () => visit("/hidden", `<!doctype html><title>Hidden</title>
  <button hidden>Hidden</button><div style="display:none"><button disabled>Both</button></div><button aria-hidden="true">Silent</button>`, async ({ publisher }) => {
  assert.deepEqual((await publisher.snapshot()).elements, []);
  const graph = await publisher.snapshot({ includeHidden: true });
  checkGraph(graph);
  assert.deepEqual(graph.elements.map(({ state: { visible, enabled } }) => [visible, enabled]), [[false, true], [false, false], [false, true]]);
}));

test("sensitive values never leave the page", () => visit("/sensitive", read("annotations.html") + read("controls.html"), async ({ publisher }) => {
  for (const options of [undefined, { redact: false }, { includeHidden: true }]) {
    const text = await publisher.text(options);
    for (const secret of ["s3cret", "hunter2", "123456", "4111111111111111"]) assert.ok(!text.includes(secret), `${secret} is not told`);
    assert.equal(JSON.parse(text).redacted, true);
  }
}));

// proves: WEB-37
test("ids stay while a node lives and are never given to another", () => visit("/ids", `<!doctype html><title>Ids</title><p id="box"><button>One</button><button>Two</button></p>`, async ({ page, publisher }) => {
  const ids = async () => (await publisher.snapshot()).elements.map(({ instanceId, name }) => [name, instanceId]);
  const first = await ids();
  await page.run(() => document.querySelector("#box").append(document.querySelector("button")));
  assert.deepEqual(await ids(), [first[1], first[0]], "a moved node keeps its id");
  await page.run(() => { document.querySelector("#box").innerHTML = "<button>One</button>"; });
  const second = await ids();
  assert.ok(!first.some(([, id]) => id === second[0][1]), "a new node has a new id");
  const { seq, revision, documents } = await publisher.snapshot();
  assert.deepEqual([seq, documents[0].id], [3, "doc_root"], "a look at what has not changed is not a revision");
  assert.match(revision, /^rev_[0-9a-z]+_3$/);
}));

test("a page that replaces the natives of its own world changes nothing", () => visit("/hostile", `<!doctype html><title>Hostile</title><script>
  for (const name of ["push", "map", "filter", "join", "concat", "indexOf"]) Array.prototype[name] = () => { throw new Error("mine"); };
  JSON.stringify = JSON.parse = () => "mine";
  for (const name of ["getAttribute", "matches", "querySelectorAll", "closest", "checkVisibility"]) Element.prototype[name] = () => { throw new Error("mine"); };
  Object.defineProperty(Element.prototype, "localName", { get: () => "script" });
  Element.prototype.attachShadow = () => { throw new Error("mine"); };
  window.getComputedStyle = () => ({});
  Object.defineProperty(window, "__uiap", { value: "mine" });
  </script><button>Honest</button>
  <form aria-label="Clobbered"><input name="localName" aria-label="a"><input name="getAttribute" aria-label="b"><input name="children" aria-label="c"><input name="lastElementChild" aria-label="d"><input name="shadowRoot" aria-label="e"><input name="nodeType" aria-label="f"></form>
  <img name="documentElement"><img name="activeElement"><img name="title"><form name="querySelectorAll"></form>`, async ({ publisher }) => {
  const graph = await publisher.snapshot();
  checkGraph(graph);
  assert.deepEqual(graph.elements.filter(({ name }) => name).map(({ role, name }) => `${role} ${name}`),
    ["button Honest", "form Clobbered", ..."abcdef".split("").map((name) => `textbox ${name}`)]);
  assert.equal(graph.truncated, undefined);
}));

test("a strict content security policy and trusted types do not matter", () => visit("/csp", `<!doctype html><title>Strict</title><button>Allowed</button>`, async ({ page, publisher }) => {
  const graph = await publisher.snapshot();
  checkGraph(graph);
  assert.deepEqual(graph.elements.map(({ name }) => name), ["Allowed"]);
  assert.deepEqual(page.complaints, []);
}, { "content-security-policy": "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'" }));

// proves: WEB-25
test("1,500 levels deep", () => visit("/deep", `<!doctype html><title>Deep</title><script>
  let at = document.documentElement.appendChild(document.createElement("body"));
  for (let depth = 0; depth < 1500; depth += 1) { const next = document.createElement("div"); at.append(next); at = next; }
  at.innerHTML = "<button>Bottom</button>";
  const wrap = document.body.appendChild(document.createElement("button")); at = wrap;
  for (let depth = 0; depth < 1500; depth += 1) { const next = document.createElement("span"); at.append(next); at = next; }
  at.textContent = "Deep name";
  </script>`, async ({ publisher }) => {
  const graph = await publisher.snapshot();
  checkGraph(graph);
  assert.deepEqual(graph.elements.map(({ name }) => name), ["Bottom", "Deep name"]);
  assert.equal(graph.truncated, undefined);
}));

test("a text of a megabyte is cut, and half characters are mended", () => visit("/large", `<!doctype html><title>Large</title><button id="b"></button><p role="status" id="s"></p><input id="i" aria-label="Field"><button id="h"></button><script>
  const text = "word 👍 word " + "plain ".repeat(180000);
  b.textContent = text; s.textContent = text; i.value = text; h.textContent = "half \ud83d";
  </script>`, async ({ publisher }) => {
  const text = await publisher.text();
  assert.ok(text.length < 10_000, `${text.length} characters`);
  assert.ok(!/\\ud8/.test(text));
  const graph = JSON.parse(text);
  checkGraph(graph);
  const [button, status, field, half] = graph.elements;
  assert.ok(button.name.length <= 300 && button.name.startsWith("word 👍 word"));
  assert.ok(status.state.textValue.length <= 1000 && field.state.textValue.length <= 1000);
  assert.equal(half.name, "half \ufffd");
}));

test("a limit is kept and said", () => visit("/limit", `<!doctype html><title>Limit</title><ul>${"<li><button>b</button></li>".repeat(50)}</ul>`, async ({ publisher }) => {
  const graph = await publisher.snapshot({ maxElements: 10 });
  checkGraph(graph);
  assert.equal(graph.elements.length, 10);
  assert.equal(graph.truncated, true);
  assert.equal((await publisher.snapshot()).truncated, undefined);
}));

test("only the areas and documents that were asked for", () => visit("/parts", `<!doctype html><title>Parts</title><main><form data-uiap-scope="wanted"><fieldset><button>In</button></fieldset></form><button>Out</button></main>
  <iframe srcdoc="<button>Framed</button>"></iframe>`, async ({ publisher }) => {
  const part = await publisher.snapshot({ scopes: ["wanted"] });
  checkGraph(part);
  assert.deepEqual(part.elements.map(({ role }) => role), ["form", "group", "button"]);
  const { documents } = await publisher.snapshot();
  const framed = await publisher.snapshot({ documents: [documents[1].id] });
  checkGraph(framed);
  assert.deepEqual(framed.elements.map(({ name }) => name), ["Framed"]);
}));

test("one hidden handle, safe to install twice, deaf to nonsense, and it changes nothing", () => visit("/quiet", read("structure.html"), async ({ page, publisher }) => {
  const before = await page.run(() => document.documentElement.outerHTML);
  const first = await publisher.snapshot();
  const again = await publisherOf(page);
  const second = await again.snapshot();
  assert.deepEqual(second.elements, first.elements);
  assert.equal(second.revision, first.revision);
  assert.deepEqual(await again.evaluate("Object.keys(globalThis).filter((key) => key.includes('uiap'))"), []);
  assert.equal(await page.run(() => "__uiap" in window), false);
  for (const nonsense of ["{", "[]", "null", "7", '{"maxElements":-1,"scopes":3,"annotationPrefix":"]"}']) {
    checkGraph(JSON.parse(await again.evaluate(`__uiap.snapshot(${JSON.stringify(nonsense)})`)));
  }
  assert.equal(await page.run(() => document.documentElement.outerHTML), before);
}));

test("an application may annotate under a prefix of its own", () => visit("/prefix", `<!doctype html><title>Prefix</title><button data-acme-id="buy" data-uiap-id="no">Buy</button>`, async ({ publisher }) => {
  const { elements } = await publisher.snapshot({ annotationPrefix: "data-acme-" });
  assert.deepEqual(elements.map(({ stableId }) => stableId), ["buy"]);
}));

test("installed before the page begins, it survives navigation with new ids", async () => {
  const { server, browser } = site;
  server.pages["/early"] = { body: "<!doctype html><title>Early</title><button>Here</button>" };
  server.pages["/later"] = { body: "<!doctype html><title>Later</title><button>There</button>" };
  const page = await browser.newPage();
  await installEarly(page);
  const seen = [];
  for (const path of ["/early", "/later"]) {
    await load(page, server.origin + path);
    const graph = await (await publisherOf(page, false)).snapshot();
    checkGraph(graph);
    seen.push(...graph.elements.map(({ name, instanceId }) => [name, instanceId]));
  }
  assert.deepEqual(seen.map(([name]) => name), ["Here", "There"]);
  assert.notEqual(seen[0][1], seen[1][1]);
  await page.close();
});
