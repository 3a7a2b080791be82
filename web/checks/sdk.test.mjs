// The SDK in a real browser, before a runtime that is made here message by message; and how large it is.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { load, openBrowser, serve } from "./publisher-browser.mjs";

const DIST = new URL("../sdk/dist/", import.meta.url);
const module = (name) => readFileSync(new URL(name, DIST), "utf8");

/** What an application imports, if it imports everything there is. */
const IMPORTED_BYTES_MAX = 15_000;
/** What a page loads that takes part: the client, and the publisher with what acting takes. */
const TAKING_PART_BYTES_MAX = 45_000;
/** How far a size may be from the one that is stated. */
const STATED_WITHIN = 1_000;

const PAGE = `<!doctype html><title>Notes</title><main data-uiap-route="notes">
<label>Title <input data-uiap-id="note.title"></label><button data-uiap-id="note.save">Save</button>
<closed-box></closed-box><script type="module">
import { createUIAPClient } from "/index.js";
import { createOverlay } from "/overlay.js";
const roots = new WeakMap();
customElements.define("closed-box", class extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "closed" });
    root.innerHTML = "<button>Inside</button>";
    roots.set(this, root);
  }
});
const hearers = new Set();
const watchers = new Set();
const waiting = new Map();
let count = 0;
globalThis.said = [];
globalThis.failures = 0;
const say = (message) => { for (const hear of hearers) hear(message); };
const ok = { uiap: "0.1", ts: "2026-03-26T14:03:00.000Z", source: { role: "bridge", id: "test" }, sessionId: "s1" };
const transport = {
  binding: "test", reconnect: { enabled: true, initialDelayMs: 1, maxDelayMs: 1, factor: 1, jitter: 0, maxAttempts: 3 },
  connect: async () => { await globalThis.slowly; if (globalThis.failures-- > 0) throw new Error("no"); },
  close: async () => {},
  send: (message) => {
    said.push(message);
    if (message.type === "session.initialize") queueMicrotask(() => say({ ...ok, kind: "response", type: "session.initialized", id: "r0", correlationId: message.id, payload: { sessionId: "s1" } }));
    waiting.get(message.correlationId)?.(message);
  },
  onMessage: (hear) => { hearers.add(hear); return () => hearers.delete(hear); },
  onState: (watch) => { watchers.add(watch); return () => watchers.delete(watch); },
};
globalThis.say = say;
globalThis.cut = () => { for (const watch of watchers) watch("closed"); };
globalThis.ask = (type, payload = {}) => new Promise((resolve) => {
  const id = "r" + (count += 1);
  waiting.set(id, ({ type, payload }) => resolve({ type, payload }));
  say({ ...ok, kind: "request", type, id, payload });
});
const wanted = JSON.parse(new URLSearchParams(location.search).get("config") ?? "{}");
globalThis.asked = [];
if (wanted.policy) {
  const { localPolicy } = await import("/policy.js");
  wanted.policy = localPolicy({ ...wanted.policy, confirmation: async ({ effect }, { actionId }) => { asked.push([effect, actionId]); return globalThis.agrees; } });
}
globalThis.client = createUIAPClient({ app: { id: "notes", version: "1", profile: "web@0.1" }, transport, overlay: createOverlay(), ...wanted });
globalThis.roots = roots;
globalThis.isReady = true;
</script></main>`;

let browser;
let server;
before(async () => {
  const script = (name) => ({ body: module(name), headers: { "content-type": "text/javascript", "access-control-allow-origin": "*" } });
  browser = await openBrowser();
  server = await serve({ "/": { body: PAGE }, ...Object.fromEntries(readdirSync(DIST).map((name) => [`/${name}`, script(name)])) });
});
after(async () => {
  await browser?.stop();
  await server?.stop();
});

/** A page whose client has not started, created with these settings. */
async function open(config = {}) {
  const page = await browser.newPage();
  await load(page, `${server.origin}/?config=${encodeURIComponent(JSON.stringify(config))}`);
  await page.until(() => globalThis.isReady);
  return page;
}

const started = async (config) => {
  const page = await open(config);
  await page.run(() => globalThis.client.start());
  return page;
};

const answer = (page, type, payload = {}) => page.run((asked, given) => globalThis.ask(asked, given), type, payload);
const value = async (page, type, payload) => (await answer(page, type, payload)).payload.value;
const graphOf = async (page) => (await answer(page, "web.state.get")).payload.graph;
const elementOf = (graph, stableId) => graph.elements.find((element) => element.stableId === stableId);

/** The deed and what the target must still be, as a runtime writes it. */
const deedOn = ({ instanceId: target, role, name, stableId, documentId, scopeId }, act) => (
  { deed: JSON.stringify({ target, ...act, expected: { role, name, stableId, documentId, scopeId } }) });

test("it is as small as its README says", () => {
  const sizes = Object.fromEntries(readdirSync(DIST).map((name) => [name, gzipSync(module(name), { level: 9 }).length]));
  const whole = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const readme = readFileSync(new URL("../sdk/README.md", import.meta.url), "utf8");
  for (const [name, size] of Object.entries(sizes)) {
    const stated = Number(new RegExp(`\`${name.replace(".", "\\.")}\` \\| (\\d+) kB`).exec(readme)?.[1]);
    assert.ok(Math.abs(stated * 1_000 - size) < STATED_WITHIN, `${name} has ${size} bytes; the README says ${stated} kB`);
  }
  const imported = whole - sizes["page.js"] - sizes["bundle.js"];
  const taking = sizes["index.js"] + sizes["page.js"];
  assert.ok(imported < IMPORTED_BYTES_MAX, `${imported} bytes are imported`);
  assert.ok(taking < TAKING_PART_BYTES_MAX, `${taking} bytes are loaded by a page that takes part`);
});

test("nothing but what was imported is loaded before somebody looks", async () => {
  const page = await open();
  const loaded = () => page.run(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith(".js")).sort());
  assert.deepEqual(await loaded(), ["/index.js", "/overlay.js"]);
  await page.run(() => globalThis.client.start());
  await value(page, "x.uiap.page.offers");
  assert.deepEqual(await loaded(), ["/index.js", "/overlay.js"]);
  const { instanceId: target } = elementOf(await graphOf(page), "note.save");
  await value(page, "x.uiap.page.facts", { target });
  assert.deepEqual(await loaded(), ["/index.js", "/overlay.js", "/page.js"]);
  await value(page, "x.uiap.page.bind", { bindings: {} });
  assert.deepEqual(await loaded(), ["/bundle.js", "/index.js", "/overlay.js", "/page.js"]);
});

test("where what a bundle takes cannot be loaded, the runtime is told", async () => {
  const page = await started();
  const body = server.pages["/bundle.js"];
  delete server.pages["/bundle.js"];
  try {
    assert.equal((await answer(page, "x.uiap.page.bind", { bindings: {} })).payload.code, "invalid_payload");
  } finally {
    server.pages["/bundle.js"] = body;
  }
});

// The application carries the messages itself.
// proves: SDK-11, SDK-23, SDK-25, SDK-27, CORE-25
test("it publishes the page, what changes on it and what the application says, until it is stopped", async () => {
  const page = await started();
  const graph = await graphOf(page);
  assert.equal(elementOf(graph, "note.save").name, "Save");
  assert.deepEqual(await page.run(() => globalThis.client.getSnapshot().then(({ elements }) => elements.length)), graph.elements.length);
  assert.equal(await page.run(() => globalThis.client.getSnapshot({ maxElements: 1 }).then(({ elements }) => elements.length)), 1);
  await page.run(() => {
    globalThis.said.length = 0;
    document.querySelector("button").textContent = "Save it";
    globalThis.client.emitSignal({ kind: "custom", name: "note.saved" });
    globalThis.client.emitSignal({ kind: "x.uiap.navigated", url: "/" });
  });
  await page.until(() => globalThis.said.some(({ type }) => type === "web.state.delta"));
  const told = await page.run(() => globalThis.said.map(({ type, payload }) => payload.kind ?? type));
  assert.deepEqual([...told].sort(), ["custom", "web.state.delta", "x.uiap.signals.dropped"]);
  await page.run(() => globalThis.client.stop());
  await page.run(() => {
    globalThis.said.length = 0;
    document.querySelector("button").textContent = "Save it again";
    globalThis.client.emitSignal({ kind: "custom", name: "note.saved" });
    return new Promise((resolve) => { setTimeout(() => setTimeout(resolve, 20), 20); });
  });
  assert.deepEqual(await page.run(() => globalThis.said), []);
});

// proves: SDK-28, SDK-29
test("a handler is called once, and only while its action is registered", async () => {
  const page = await started();
  await page.run(() => {
    globalThis.calls = [];
    const descriptor = (id) => ({ id, kind: "domain", targetKinds: ["session"], executionModes: ["appAction"], risk: { level: "safe" } });
    globalThis.undo = globalThis.client.registerAction(descriptor("note.save"), async ({ args, actionHandle, actionId }) => {
      globalThis.calls.push([actionId, args.title, actionHandle]);
      return { returnValue: { saved: true } };
    });
    globalThis.client.registerAction(descriptor("note.burn"), () => { throw new Error("no fire here"); });
  });
  const invoke = async (actionId) => JSON.parse(await value(page, "x.uiap.page.invoke", { actionId, args: { title: "T" }, actionHandle: "act_1", timeoutMs: 1_000 }));
  assert.deepEqual(JSON.parse(await value(page, "x.uiap.page.offers")).actions.map(({ json }) => JSON.parse(json).id), ["note.save", "note.burn"]);
  assert.deepEqual(await invoke("note.save"), { outcome: "returned", json: '{"saved":true}' });
  assert.deepEqual(await page.run(() => globalThis.calls), [["note.save", "T", "act_1"]]);
  assert.deepEqual(await invoke("note.burn"), { outcome: "threw", message: "Error: no fire here" });
  await page.run(() => { globalThis.undo(); globalThis.client.unregisterAction("note.burn"); });
  assert.deepEqual(await invoke("note.save"), { outcome: "unregistered" });
  assert.deepEqual(await invoke("note.burn"), { outcome: "unregistered" });
  assert.equal(await page.run(() => globalThis.calls.length), 1);
});

// proves: SDK-16
test("a page is followed as closely as its application wants", async () => {
  const page = await started({ observe: { mutations: false, maxElements: 2, signals: ["custom"] } });
  const before = await graphOf(page);
  assert.deepEqual([before.elements.length, before.truncated], [2, true]);
  await page.run(() => {
    globalThis.said.length = 0;
    document.querySelector("main").firstElementChild.firstChild.data = "Heading";
    globalThis.client.emitSignal({ kind: "entity.created", entityType: "note" });
    globalThis.client.emitSignal({ kind: "custom", name: "note.saved" });
    return new Promise((resolve) => { setTimeout(() => setTimeout(resolve, 20), 20); });
  });
  const told = () => page.run(() => globalThis.said.map(({ type, payload }) => payload.kind ?? type));
  assert.deepEqual(await told(), ["custom"]);
  await answer(page, "x.uiap.page.catch-up");
  assert.deepEqual((await told()).slice(0, 2), ["custom", "web.state.delta"], "who looks is told");
  const slow = await started({ observe: { debounceMs: 300 } });
  await graphOf(slow);
  const deltas = await slow.run(async () => {
    globalThis.said.length = 0;
    const begun = performance.now();
    const button = document.querySelector("button");
    while (performance.now() - begun < 200) {
      button.textContent = String(performance.now());
      await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
    const during = globalThis.said.length;
    while (globalThis.said.length === 0) await new Promise((resolve) => { setTimeout(resolve, 5); });
    return [during, globalThis.said.length, performance.now() - begun >= 290];
  });
  assert.deepEqual(deltas, [0, 1, true], "many changes are one");
});

// proves: SDK-26
test("a snapshot is published without being asked for", async () => {
  const page = await started();
  await page.run(() => { globalThis.said.length = 0; });
  const { elements, returned } = await page.run(() => globalThis.client.publishSnapshot({ maxElements: 1 }).then((graph) => ({
    returned: graph.elements.length, elements: globalThis.said.map(({ kind, type, payload }) => [kind, type, payload.graph.elements.length]),
  })));
  assert.equal(returned, 1);
  const { elements: all } = await graphOf(page);
  assert.deepEqual(elements, [["event", "web.state.snapshot", all.length]], "what is published is the page as it is followed");
});

const ACTION = { id: "note.burn", kind: "domain", targetKinds: ["session"], executionModes: ["appAction"], risk: { level: "confirm", tags: ["destructive"] } };

test("an application is told what can be done on its page", async () => {
  const page = await open();
  const { profile, actions, roles } = await page.run((action) => {
    globalThis.client.registerAction(action, () => undefined);
    return globalThis.client.getCapabilities();
  }, ACTION);
  assert.deepEqual([profile, actions.at(-1).id, actions[0].id, roles.includes("button")], ["web@0.1", "note.burn", "ui.read", true]);
});

test("a bundle names what is on the page, and brings its policies", async () => {
  const page = await started({ policy: { principal: { type: "agent", id: "me", grants: ["act"] } } });
  await page.run(() => {
    document.querySelector("main").append(Object.assign(document.createElement("input"), { className: "box", ariaLabel: "Box" }));
    globalThis.client.loadBundle({
      app: { appId: "notes" }, bindings: { elements: [{ id: "the.box", match: [{ by: "runtimeHint", css: ".box" }] }] },
      policies: [{ id: "p", document: { modelVersion: "0.1", id: "p", defaults: { onUnknownAction: "deny" }, rules: [{ id: "quiet", when: { targets: ["the.*"] }, effect: "deny" }] } }],
    });
  });
  let field;
  for (let look = 0; !field && look < 100; look += 1) field = elementOf(await graphOf(page), "the.box");
  assert.equal(field?.role, "textbox");
  const denied = await answer(page, "x.uiap.page.perform", deedOn(field, { act: "enter_text", text: "Milk", clear: true }));
  assert.equal(denied.payload.code, "policy_denied");
  assert.equal(await page.run(() => document.querySelector(".box").value), "");
});

// proves: SDK-10, SDK-17, POL-12
test("what the rules of the application do not allow does not happen, whatever a runtime decided", async () => {
  const rules = [{ id: "never-burn", when: { actions: ["note.burn"] }, effect: "deny", reason: "Paper only." }, { id: "ask", when: { actions: ["ui.activate"] }, effect: "confirm" }];
  const documents = [{ modelVersion: "0.1", id: "own", defaults: { onUnknownAction: "deny" }, rules }];
  const page = await started({ policy: { documents, principal: { type: "agent", id: "me", grants: ["act"] } } });
  await page.run((action) => {
    globalThis.calls = 0;
    globalThis.client.registerAction(action, () => { globalThis.calls += 1; });
    document.querySelector("button").addEventListener("click", () => { globalThis.calls += 1; });
  }, ACTION);
  const invoke = { actionId: "note.burn", args: {}, actionHandle: "act_1", timeoutMs: 1_000 };
  const { type, payload } = await answer(page, "x.uiap.page.invoke", invoke);
  assert.deepEqual([type, payload.code], ["error", "policy_denied"]);
  assert.match(payload.message, /Paper only/);
  const press = deedOn(elementOf(await graphOf(page), "note.save"), { act: "press", button: "left", count: 1, modifiers: { alt: false, control: false, meta: false, shift: false } });
  assert.equal((await answer(page, "x.uiap.page.perform", press)).payload.code, "policy_denied");
  assert.deepEqual(await page.run(() => [globalThis.calls, globalThis.asked]), [0, [["confirm", "ui.activate"]]]);
  await page.run(() => { globalThis.agrees = true; });
  assert.equal((await value(page, "x.uiap.page.perform", press)).delivery, "delivered");
  assert.equal(await page.run(() => globalThis.calls), 1);
  const decision = await page.run(() => globalThis.client.evaluatePolicy({ principal: { type: "user", id: "u", grants: ["admin"] }, actionId: "note.burn" }));
  assert.deepEqual([decision.effect, decision.ruleIds, decision.effectiveRisk.level], ["deny", ["never-burn"], "confirm"]);
  const closed = await started({ policy: { documents: [] } });
  assert.equal((await answer(closed, "x.uiap.page.invoke", invoke)).payload.code, "policy_denied", "nobody said for whom");
  await closed.run(() => { globalThis.client.setPrincipal({ type: "agent", id: "me", grants: ["act"] }); });
  const field = elementOf(await graphOf(closed), "note.title");
  assert.equal((await value(closed, "x.uiap.page.perform", deedOn(field, { act: "focus" }))).delivery, "delivered");
});

test("a handler tells how far it is, waits for a person, and says what it did", async () => {
  const page = await started();
  await page.run((action) => {
    globalThis.events = [];
    globalThis.client.on("action", ({ stage, note }) => { globalThis.events.push([stage, note]); });
    globalThis.client.registerAction({ ...action, id: "note.sign" }, async ({ progress, waitForUser, target }) => {
      progress("Half done.");
      await waitForUser("Press any key.");
      return { returnValue: { on: target.stableId } };
    });
    globalThis.client.registerAction({ ...action, id: "note.skip" }, () => ({ sideEffectState: "none" }));
    globalThis.client.registerAction({ ...action, id: "note.lose" }, () => ({ sideEffectState: "unknown" }));
  }, ACTION);
  const invoke = async (actionId) => JSON.parse(await value(page, "x.uiap.page.invoke", { actionId, args: {}, actionHandle: "act_1", timeoutMs: 60_000, target: { stableId: "note.save" } }));
  const signed = invoke("note.sign");
  await page.until(() => globalThis.events.length === 3);
  await page.run(() => { dispatchEvent(new KeyboardEvent("keydown", { key: "a" })); });
  assert.equal(await page.run(() => globalThis.events.at(-1)[0]), "waiting", "a script is no person");
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", key: "a" });
  assert.deepEqual(await signed, { outcome: "returned", json: '{"on":"note.save"}' });
  assert.deepEqual(await page.run(() => globalThis.events.map(([stage]) => stage)), ["started", "progress", "waiting", "ended"]);
  assert.deepEqual(await invoke("note.skip"), { outcome: "idle" });
  assert.equal((await invoke("note.lose")).outcome, "threw");
});

test("frames of the same origin are looked at and acted in like the page itself", async () => {
  const page = await started();
  await page.run(() => new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.srcdoc = "<button onclick='this.dataset.pressed = 1'>Framed</button><input aria-label=Framed-text>";
    frame.onload = resolve;
    document.body.append(frame);
  }));
  const { elements } = await graphOf(page);
  const [button, field] = ["Framed", "Framed-text"].map((name) => elements.find((element) => element.name === name));
  const facts = await value(page, "x.uiap.page.facts", { target: button.instanceId });
  assert.deepEqual([facts.role, facts.state.obscured ?? false], ["button", false]);
  const press = { act: "press", button: "left", count: 1, modifiers: { alt: false, control: false, meta: false, shift: false } };
  assert.equal((await value(page, "x.uiap.page.perform", deedOn(button, press))).delivery, "delivered");
  assert.equal((await value(page, "x.uiap.page.perform", deedOn(field, { act: "enter_text", text: "Milk", clear: true }))).receipt.asWanted, true);
  const seen = await page.run(() => {
    const { contentDocument: inner } = document.querySelector("iframe");
    return [inner.querySelector("button").dataset.pressed, inner.querySelector("input").value];
  });
  assert.deepEqual(seen, ["1", "Milk"]);
});

test("a deed is done to the element as it was found, or not at all", async () => {
  const page = await started();
  const graph = await graphOf(page);
  const [field, button] = [elementOf(graph, "note.title"), elementOf(graph, "note.save")];
  const facts = await value(page, "x.uiap.page.facts", { target: field.instanceId });
  assert.deepEqual([facts.role, facts.state.enabled], ["textbox", true]);
  const wrote = await value(page, "x.uiap.page.perform", deedOn(field, { act: "enter_text", text: "Milk", clear: true }));
  assert.deepEqual([wrote.delivery, wrote.receipt.asWanted], ["delivered", true]);
  assert.equal(await page.run(() => document.querySelector("input").value), "Milk");
  await page.run(() => {
    globalThis.presses = 0;
    const button = document.querySelector("button");
    button.addEventListener("click", () => { globalThis.presses += 1; });
    button.textContent = "Delete";
  });
  const press = { act: "press", button: "left", count: 1, modifiers: { alt: false, control: false, meta: false, shift: false } };
  assert.deepEqual(await value(page, "x.uiap.page.perform", deedOn(button, press)), { delivery: "none", why: "changed" });
  assert.equal(await page.run(() => globalThis.presses), 0);
  await value(page, "x.uiap.page.perform", deedOn({ ...button, name: "Delete" }, press));
  assert.equal(await page.run(() => globalThis.presses), 1);
});

test("closed roots are shown where an adapter opens them", async () => {
  const page = await started();
  const names = async () => (await graphOf(page)).elements.map(({ name }) => name);
  assert.ok(!(await names()).includes("Inside"));
  await page.run(() => { globalThis.client.registerAdapter("box", { selector: "closed-box", root: (host) => globalThis.roots.get(host) }); });
  assert.ok((await names()).includes("Inside"));
});

test("agents go where the application lets them", async () => {
  const page = await started();
  const go = (to) => value(page, "x.uiap.page.go", { to });
  assert.equal((await go("/new")).went, "nowhere");
  await page.run(() => {
    globalThis.client.registerRouteProvider({ routeId: () => `at${location.pathname}`, navigate: (path) => { history.pushState(null, "", path); } });
  });
  assert.equal((await go("https://elsewhere.example/")).went, "nowhere");
  assert.equal((await go("javascript:alert(1)")).went, "nowhere");
  assert.deepEqual(await go("/new?a=b"), { went: "there" });
  const { route } = await graphOf(page);
  assert.deepEqual([route.path, route.routeId], ["/new", "at/new"]);
});

// proves: SDK-13
test("the overlay is shown on request, is no part of the page and cannot be pressed", async () => {
  const page = await started();
  const before = await graphOf(page);
  const { instanceId: target } = elementOf(before, "note.save");
  const hints = { ghostCursor: true, highlight: "spotlight", narration: "Saves the note." };
  assert.equal((await answer(page, "x.uiap.page.present", { hints, target })).type, "x.uiap.page.answer");
  const shown = () => page.run(() => document.querySelectorAll(":root > div[aria-hidden=true]").length);
  assert.equal(await shown(), 1);
  const during = await graphOf(page);
  assert.deepEqual([during.revision, during.elements.length, during.opaqueRegions], [before.revision, before.elements.length, before.opaqueRegions]);
  const hit = await page.run(() => {
    const { left, top, width, height } = document.querySelector("button").getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2).localName;
  });
  assert.equal(hit, "button");
  await page.run(() => globalThis.say({ kind: "event", type: "x.uiap.page.unveil", id: "u", payload: {} }));
  assert.equal(await shown(), 0);
});

// proves: SDK-18, SDK-19, SDK-21
test("a client without overlay, frames and messages in the console takes part like any other", async () => {
  const page = await started({ overlay: false, frames: false, debug: false });
  const { instanceId: target } = elementOf(await graphOf(page), "note.save");
  assert.equal((await answer(page, "x.uiap.page.present", { hints: { highlight: "outline" }, target })).type, "x.uiap.page.answer");
  assert.equal(await page.run(() => document.querySelectorAll(":root > div").length), 0);
});

// proves: SDK-20
test("annotations have the prefix that the application says", async () => {
  const idOf = async (page) => (await graphOf(page)).elements.find(({ role }) => role === "button").stableId;
  assert.equal(await idOf(await started()), "note.save", "data-uiap- unless said otherwise");
  const other = await started({ annotations: { prefix: "data-agent-" } });
  await other.run(() => { document.querySelector("button").dataset.agentId = "note.keep"; });
  assert.equal(await idOf(other), "note.keep");
});

// proves: SDK-5
test("a script from elsewhere is loaded where the page allows it, and nowhere else", async () => {
  const script = (body) => ({ body, headers: { "content-type": "text/javascript" } });
  server.pages["/own.js"] = script(`import { createUIAPClient } from "${server.foreign}/index.js"; globalThis.isLoaded = typeof createUIAPClient;`);
  server.pages["/last.js"] = script("globalThis.isOver = true;");
  const page = (allowed) => ({
    body: '<!doctype html><script type="module" src="/own.js"></script><script type="module" src="/last.js"></script>',
    headers: { "content-security-policy": `script-src 'self' ${allowed}` },
  });
  server.pages["/strict"] = page("");
  server.pages["/open"] = page(server.foreign);
  const outcome = async (path) => {
    const tab = await browser.newPage();
    await load(tab, `${server.origin}${path}`);
    await tab.until(() => globalThis.isOver);
    return tab.run(() => globalThis.isLoaded ?? "nothing");
  };
  assert.deepEqual([await outcome("/strict"), await outcome("/open")], ["nothing", "function"]);
});

// proves: CORE-41
test("the words of ours stay, and say what they mean", async () => {
  const page = await started();
  const words = "offers facts perform invoke go catch-up rest annotate bind present".split(" ");
  for (const word of words) {
    const { type, payload } = await answer(page, `x.uiap.page.${word}`);
    assert.notEqual([type, payload.code].join(" "), "error unknown_message_type", word);
  }
});

test("what a runtime asks and nobody understands is refused, and does no harm", async () => {
  const page = await started();
  for (const noise of [undefined, null, 7, "text", [], {}, { kind: "request" }, { kind: "request", type: "x", id: "i", payload: 7 }]) {
    await page.run((message) => { globalThis.say(message); }, noise ?? null);
  }
  const codes = [];
  for (const [type, payload] of [
    ["x.uiap.page.burn", {}], ["toString", {}], ["x.uiap.page.facts", {}], ["x.uiap.page.perform", { deed: "{" }],
    ["x.uiap.page.invoke", { actionId: "a", args: [], actionHandle: "h", timeoutMs: 1 }],
  ]) codes.push((await answer(page, type, payload)).payload.code);
  assert.deepEqual(codes, ["unknown_message_type", "unknown_message_type", "invalid_payload", "invalid_payload", "invalid_payload"]);
  assert.equal((await answer(page, "x.uiap.page.catch-up")).type, "x.uiap.page.answer");
});

test("a link that breaks is opened again, and names the session that it had", async () => {
  const page = await started();
  await graphOf(page);
  await page.run(() => {
    globalThis.states = [];
    globalThis.client.on("state", (state) => { globalThis.states.push(state); });
    globalThis.said.length = 0;
    globalThis.cut();
  });
  await page.until(() => globalThis.states.includes("connected"));
  assert.deepEqual(await page.run(() => globalThis.states), ["disconnected", "connecting", "connected"]);
  const [hello] = await page.run(() => globalThis.said);
  assert.deepEqual([hello.type, hello.payload.resume.sessionId], ["session.initialize", "s1"]);
});

// proves: SDK-22
test("a start that fails is tried again, a few times", async () => {
  const page = await open();
  await page.run(() => { globalThis.failures = 2; return globalThis.client.start(); });
  assert.equal(await page.run(() => globalThis.said.length), 1);
  const other = await open();
  const outcome = await other.run(() => { globalThis.failures = 9; return globalThis.client.start().then(() => "started", ({ message }) => message); });
  assert.equal(outcome, "no");
});

test("a client that is stopped while it connects says nothing", async () => {
  const page = await open();
  await page.run(() => {
    globalThis.slowly = new Promise((resolve) => { globalThis.arrive = resolve; });
    globalThis.begun = globalThis.client.start();
    return new Promise((resolve) => { globalThis.client.on("state", resolve); globalThis.client.stop(); });
  });
  await page.run(() => { globalThis.arrive(); return globalThis.begun.then(() => undefined); });
  assert.deepEqual(await page.run(() => globalThis.said), []);
});

// proves: SDK-24
test("a client that is destroyed hears, says and starts nothing any more", async () => {
  const page = await started();
  await graphOf(page);
  await page.run(() => globalThis.client.destroy());
  const said = await page.run(() => {
    globalThis.said.length = 0;
    globalThis.say({ kind: "request", type: "x.uiap.page.offers", id: "late", payload: {} });
    document.querySelector("button").textContent = "Changed";
    return new Promise((resolve) => { setTimeout(() => setTimeout(() => resolve(globalThis.said), 20), 20); });
  });
  assert.deepEqual(said, []);
  assert.match(await page.run(() => globalThis.client.start().then(() => "started", ({ message }) => message)), /destroyed/);
});
