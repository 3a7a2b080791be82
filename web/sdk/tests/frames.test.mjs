// Frames of other origins in a page that takes part, each with the SDK, in a real browser before a real `uiap serve`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import { startBrowser } from "../../../examples/videoland/tests/browser/browser.mjs";
import { serve, startAgent } from "./support.mjs";

const SDK = new URL("../dist/", import.meta.url);

/** A site with these pages and the SDK; the tickets of its pages come from a function that may be given later. */
async function startSite(pages) {
  const site = { pages, ticket: undefined };
  const server = createServer(async ({ url }, answer) => {
    const send = (type, body) => answer.writeHead(200, { "content-type": type }).end(body);
    if (url === "/ticket") return send("text/plain", await site.ticket());
    if (/^\/sdk\/[\w-]+\.js$/.test(url)) return send("text/javascript", await readFile(new URL(url.slice("/sdk/".length), SDK)));
    return pages[url] ? send("text/html", pages[url]) : answer.writeHead(404).end();
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  site.origin = `http://127.0.0.1:${server.address().port}`;
  site.stop = () => { server.closeAllConnections(); return new Promise((resolve) => { server.close(resolve); }); };
  return site;
}

/** A frame that shows itself to pages of an origin. */
const frame = (name, parentOrigin, acts = false) => `<!doctype html><title>${name}</title><button data-uiap-id="${name}.press">${name}</button>
<script type="module">
import { joinParent } from "/sdk/frame-bridge.js";
await joinParent({ parentOrigins: [${JSON.stringify(parentOrigin)}], acts: ${acts} });
const add = (text) => { document.body.append(Object.assign(document.createElement("button"), { textContent: text })); };
const changes = {
  change: () => { document.querySelector("button").textContent = "Changed"; add("Added"); },
  remove: () => { document.querySelector("button").remove(); },
};
addEventListener("message", ({ data }) => { changes[data.test]?.(); });
</script>`;

/** A page that lets frames of some origins take part, and counts the snapshots that it sends. */
const page = (address, allowed, frames) => `<!doctype html><title>Page</title><button>Before</button>
${frames.map((src) => `<iframe src="${src}" width="300" height="100"></iframe>`).join("\n")}<button>After</button>
<script type="module">
import { createUIAPClient, webSocketTransport } from "/sdk/index.js";
import { frameBridge } from "/sdk/frame-bridge.js";
const { send } = WebSocket.prototype;
globalThis.snapshots = 0;
WebSocket.prototype.send = function (text) {
  if (JSON.parse(text).type === "web.state.snapshot") globalThis.snapshots += 1;
  return send.call(this, text);
};
const client = createUIAPClient({
  app: { id: "page", version: "1", profile: "web@0.1" },
  transport: webSocketTransport({ url: "ws://${address}/uiap/app", ticket: async () => (await fetch("/ticket")).text() }),
  frames: frameBridge({ allowedOrigins: ${JSON.stringify(allowed)} }),
});
await client.start();
</script>`;

const buttons = (graph) => graph.elements.filter(({ role }) => role === "button").map(({ name }) => name);

// proves: SDK-6, SDK-12, WEB-23
test("frames of named origins become part of the page, and follow it", async () => {
  const inner = await startSite({});
  const stranger = await startSite({});
  const outer = await startSite({});
  const uiap = await serve(outer.origin);
  const browser = await startBrowser();
  try {
    outer.ticket = async () => (await (await fetch(`http://${uiap.address}/uiap/tickets`, { method: "POST" })).json()).ticket;
    inner.pages["/"] = frame("Inner", outer.origin);
    inner.pages["/shy"] = frame("Shy", "http://127.0.0.1:1");
    stranger.pages["/"] = frame("Stranger", outer.origin);
    outer.pages["/"] = page(uiap.address, [inner.origin], [`${inner.origin}/`, `${stranger.origin}/`, `${inner.origin}/shy`]);
    const tab = await browser.newPage();
    await tab.send("Page.navigate", { url: `${outer.origin}/` });
    const agent = await startAgent(uiap.address);

    const graph = await agent.page((seen) => buttons(seen).includes("Inner"));
    assert.deepEqual(buttons(graph), ["Before", "Inner", "After"], "neither a stranger nor a frame that does not want to");
    const press = graph.elements.find(({ stableId }) => stableId === "Inner.press");
    const shown = graph.documents.find(({ id }) => id === press.documentId);
    assert.deepEqual([shown.boundary.kind, shown.boundary.origin], ["bridged-frame", inner.origin]);
    assert.equal(graph.documents.filter(({ boundary }) => boundary.opaque).length, 2);

    const inFrame = (test) => tab.run((what) => { document.querySelector("iframe").contentWindow.postMessage({ test: what }, "*"); }, test);
    const before = await tab.run(() => globalThis.snapshots);
    await inFrame("change");
    await agent.page((seen) => buttons(seen).join() === "Before,Changed,Added,After");
    await tab.run(() => { document.querySelector("button").textContent = "Ahead"; });
    await inFrame("remove");
    await agent.page((seen) => buttons(seen).join() === "Ahead,Added,After");
    assert.equal(await tab.run(() => globalThis.snapshots), before, "changes are told, not looked for");

    const refused = await agent.result({ actionId: "ui.activate", target: { ref: { by: "semantic", role: "button", name: "Added" } } });
    assert.equal(refused.status, "failed", "a frame that only shows itself is not acted in");
    assert.equal(refused.sideEffectState, "none");
    await tab.run(() => { document.querySelector("iframe").remove(); });
    await agent.page((seen) => buttons(seen).join() === "Ahead,After");
  } finally {
    await browser.stop();
    await uiap.stop();
    for (const site of [outer, inner, stranger]) await site.stop();
  }
});

const TODO_FRAME = (parentOrigin) => `<!doctype html><title>Tasks</title><form><label>Task <input data-uiap-id="task.title"></label><button data-uiap-id="task.add">Add</button></form>
<p role="status"></p><script type="module">
import { joinParent } from "/sdk/frame-bridge.js";
await joinParent({ parentOrigins: [${JSON.stringify(parentOrigin)}], acts: true });
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  document.querySelector("p").textContent = "Added " + document.querySelector("input").value;
});
</script>`;

// proves: SDK-6, SDK-12
test("a frame that lets itself be acted in is acted in, checked from both sides", async () => {
  const inner = await startSite({});
  const outer = await startSite({});
  const uiap = await serve(outer.origin);
  const browser = await startBrowser();
  try {
    outer.ticket = async () => (await (await fetch(`http://${uiap.address}/uiap/tickets`, { method: "POST" })).json()).ticket;
    inner.pages["/"] = TODO_FRAME(outer.origin);
    outer.pages["/"] = page(uiap.address, [inner.origin], [`${inner.origin}/`]);
    const tab = await browser.newPage();
    await tab.send("Page.navigate", { url: `${outer.origin}/` });
    const agent = await startAgent(uiap.address);
    await agent.page((seen) => buttons(seen).includes("Add"));
    const on = (stableId) => ({ ref: { by: "stableId", value: stableId } });

    const wrote = await agent.result({ actionId: "ui.enterText", target: on("task.title"), args: { text: "Milk" } });
    assert.deepEqual([wrote.status, wrote.chosenExecutionMode], ["succeeded", "semanticUi"], JSON.stringify(wrote));
    const verification = { policy: "any", signals: [{ kind: "status.contains", text: "Added Milk" }] };
    const added = await agent.result({ actionId: "ui.activate", target: on("task.add"), verification });
    assert.deepEqual([added.status, added.sideEffectState], ["succeeded", "applied"], JSON.stringify(added));

    // What covers the frame covers what is in it, and only the page around it knows.
    await tab.run(() => {
      const cover = document.createElement("dialog");
      cover.append(Object.assign(document.createElement("button"), { textContent: "Close" }));
      document.body.append(cover);
      cover.showModal();
    });
    const covered = await agent.result({ actionId: "ui.activate", target: on("task.add"), verification, timeoutMs: 4_000 });
    assert.deepEqual([covered.status, covered.sideEffectState], ["failed", "none"], JSON.stringify(covered));
  } finally {
    await browser.stop();
    await uiap.stop();
    for (const site of [outer, inner]) await site.stop();
  }
});
