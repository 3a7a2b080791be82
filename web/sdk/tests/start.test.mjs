// The code of docs/sdk.md, as it stands there: a page and its backend, `uiap serve`, and an agent over HTTP.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import { startBrowser } from "../../../examples/videoland/tests/browser/browser.mjs";
import { serve, startAgent } from "./support.mjs";

const GUIDE = await readFile(new URL("../../../docs/sdk.md", import.meta.url), "utf8");
const SDK = new URL("../dist/", import.meta.url);
const PUBLISHER = "/uiap-sdk/page.js";
const BODY = "<!doctype html><title>Notes</title><ul></ul><button>New</button>";

/** A block of the guide, with the address at which the server really listens. */
function block(name, address) {
  const found = new RegExp(`\`\`\`js ${name}\n([\\s\\S]*?)\`\`\``).exec(GUIDE)?.[1];
  assert.ok(found?.includes("127.0.0.1:4871"), `docs/sdk.md has no block "js ${name}"`);
  return found.replaceAll("127.0.0.1:4871", address);
}

/** The application: its page, the SDK beside it, and its backend. */
async function startNotes() {
  let address;
  let backend;
  const loaded = new Set();
  const server = createServer(async ({ url }, answer) => {
    loaded.add(url);
    const send = (type, body) => answer.writeHead(200, { "content-type": type }).end(body);
    if (url === "/") return send("text/html", `${BODY}<script type="module" src="/notes.js"></script>`);
    if (url === "/notes.js") return send("text/javascript", `${block("page", address)}globalThis.isConnected = true;`);
    if (url === "/agents/ticket") return send("text/plain", await backend());
    if (/^\/uiap-sdk\/\w+\.js$/.test(url)) return send("text/javascript", await readFile(new URL(url.slice("/uiap-sdk/".length), SDK)));
    return answer.writeHead(404).end();
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    loaded,
    invite: (at) => {
      address = at;
      backend = new Function(`${block("backend", at)}; return ticket;`)();
    },
    stop: () => { server.closeAllConnections(); return new Promise((resolve) => { server.close(resolve); }); },
  };
}

// proves: SDK-4, BND-5
test("the five minutes of the guide", async () => {
  const notes = await startNotes();
  const uiap = await serve(notes.origin);
  notes.invite(uiap.address);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.send("Page.navigate", { url: `${notes.origin}/` });
    await page.until(() => globalThis.isConnected);
    assert.ok(!notes.loaded.has(PUBLISHER), "the publisher is loaded though no agent is there");
    const agent = await startAgent(uiap.address);
    const graph = await agent.page();
    assert.deepEqual(graph.elements.filter(({ role }) => role === "button").map(({ name }) => name), ["New"]);
    const { payload: { document } } = await agent.ask("capabilities.list");
    assert.ok(notes.loaded.has(PUBLISHER));
    assert.ok(document.actions.some(({ id }) => id === "note.add"));
    const result = await agent.result({ actionId: "note.add", args: { text: "Milk" } });
    assert.deepEqual([result.status, result.chosenExecutionMode, result.returnValue], ["succeeded", "appAction", { count: 1 }], JSON.stringify(result));
    assert.equal(await page.run(() => globalThis.document.querySelector("li").textContent), "Milk");
  } finally {
    await browser.stop();
    await uiap.stop();
    await notes.stop();
  }
});

// proves: SDK-1, SDK-2, SDK-3
test("the package has the names that applications import", async () => {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  assert.equal(manifest.name, "@uiap/web-sdk");
  const exported = {};
  for (const [name, { import: path }] of Object.entries(manifest.exports)) {
    const text = await readFile(new URL(`../${path}`, import.meta.url), "utf8");
    exported[name] = /export\{([^}]*)\}/.exec(text)[1].split(",").map((one) => one.split(" as ")[1]).sort();
  }
  assert.deepEqual(exported, { ".": ["createUIAPClient", "webSocketTransport"], "./overlay": ["createOverlay"], "./frame-bridge": ["frameBridge", "joinParent"], "./policy": ["localPolicy"] });
});
