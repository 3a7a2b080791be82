// When a change is told: a text at once, the rest when its task is over.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { load, openBrowser, publisherOf, serve } from "./publisher-browser.mjs";

let browser;
let server;

before(async () => {
  browser = await openBrowser();
  server = await serve({ "/": { body: "<!doctype html><title>T</title><main><button>One</button></main>" } });
});

after(async () => {
  await browser?.stop();
  await server?.stop();
});

/** Runs changes in one task, and tells how many deltas were pushed in it and how many with what came after it. */
async function told(changes) {
  const page = await browser.newPage();
  await load(page, `${server.origin}/`);
  const publisher = await publisherOf(page);
  const counts = await publisher.wait(`(async () => {
    const told = [];
    globalThis.__uiapPush = (message) => { if (JSON.parse(message).delta) told.push(message); };
    __uiap.watch();
    const button = document.querySelector("button");
    await (${changes})(button);
    await null;
    const inTask = told.length;
    await new Promise((later) => { setTimeout(() => setTimeout(later, 20), 20); });
    const seen = JSON.parse(__uiap.snapshot());
    return { inTask, after: told.length, revisions: seen.seq - 1 };
  })()`);
  await page.close();
  return counts;
}

test("a text that changes is told at once", async () => {
  assert.deepEqual(await told("(button) => { button.textContent = 'Two'; }"), { inTask: 1, after: 1, revisions: 1 });
});

test("a task that changes one text after the other is told twice, not each time", async () => {
  const changes = "async (button) => { for (let at = 0; at < 20; at += 1) { button.textContent = `Two ${at}`; await null; await null; } }";
  assert.deepEqual(await told(changes), { inTask: 1, after: 2, revisions: 2 });
});

test("what needs a layout is told when its task is over", async () => {
  assert.deepEqual(await told("(button) => { button.after(button.cloneNode(true)); }"), { inTask: 0, after: 1, revisions: 1 });
});

test("a packed graph is the graph", async () => {
  const page = await browser.newPage();
  await load(page, `${server.origin}/`);
  const publisher = await publisherOf(page);
  const { plain, packed } = await publisher.evaluate("({ plain: JSON.parse(__uiap.snapshot()), packed: JSON.parse(__uiap.packed()) })");
  const { starts, templates, rows } = packed.packed;
  const id = (cell, start) => (typeof cell === "number" ? start + cell.toString(36) : cell);
  const elements = rows.map(([template, x, y, width, height, inViewport, ...own]) => {
    const ids = { instanceId: id(own[0], starts[0]), parentId: id(own[1], starts[0]), scopeId: id(own[2], starts[1]) };
    const named = Object.entries({ ...ids, name: own[3] }).filter(([, value]) => value !== null);
    const { state, ...rest } = templates[template];
    return { ...rest, ...Object.fromEntries(named), state: { ...state, inViewport: inViewport === 1 }, bbox: { x, y, width, height } };
  });
  delete packed.packed;
  assert.deepEqual({ ...packed, elements, capturedAt: "" }, { ...plain, capturedAt: "" });
  await page.close();
});
