// Frames and shadow roots: what is behind each boundary works, and the ledger sees it.
import { test } from "node:test";
import assert from "node:assert/strict";
import { byId, useSite } from "./site.mjs";

const site = useSite();
const atEmbedded = (use) => site.visit({ path: "/embedded", route: "embedded" }, use);

/** Waits until the server has seen as many effects, and returns them. */
async function effects(page, videoland, count) {
  await page.until((wanted) => fetch("/__test/ledger").then((answer) => answer.json()).then((ledger) => ledger.effects.length >= wanted), count);
  return (await videoland.effects()).map(({ kind, id }) => `${kind} ${id}`);
}

test("the frame of this origin votes", () => atEmbedded(async (page, videoland) => {
  await page.until(() => document.querySelector("iframe").contentDocument?.querySelector("[type=submit]"));
  await page.run(() => { document.querySelector("iframe").contentDocument.querySelector("[type=submit]").click(); });
  assert.deepEqual(await effects(page, videoland, 1), ["lab.effect embedded_poll"]);
}));

test("the frame of the other origin orders, unseen by the page around it", () => atEmbedded(async (page, videoland) => {
  assert.equal(await page.run((wanted) => document.querySelector(wanted).contentDocument, byId("embedded.cross")), null);
  const { frameTree } = await page.send("Page.getFrameTree");
  assert.ok(frameTree.childFrames.length >= 1);
  const { left, top } = await page.run((wanted) => document.querySelector(wanted).getBoundingClientRect().toJSON(), byId("embedded.cross"));
  // The foreign button sits below one line of text; the frame may still be loading, so the click is repeated until it is answered.
  for (let tries = 0; tries < 50 && (await videoland.effects()).length === 0; tries += 1) {
    for (const type of ["mousePressed", "mouseReleased"]) {
      await page.send("Input.dispatchMouseEvent", { type, x: left + 60, y: top + 75, button: "left", clickCount: 1 });
    }
    await page.run(() => new Promise((resolve) => { requestAnimationFrame(() => resolve(true)); }));
  }
  assert.equal((await effects(page, videoland, 1))[0], "frame.ordered popcorn");
}));

test("the open root can be searched, the closed one only clicked", () => atEmbedded(async (page, videoland) => {
  assert.equal(await page.run(() => document.querySelector("vl-rating").shadowRoot.querySelectorAll("button").length), 5);
  assert.equal(await page.run(() => document.querySelector("vl-vault").shadowRoot), null);
  await page.click("vl-vault");
  assert.deepEqual(await effects(page, videoland, 1), ["lab.effect embedded_vault"]);
  await page.click("vl-rating");
  assert.deepEqual(await effects(page, videoland, 2), ["lab.effect embedded_vault", "lab.effect embedded_rating"]);
}));

test("the library's button tells the page", () => atEmbedded(async (page, videoland) => {
  await page.click(byId("embedded.library.order"));
  assert.deepEqual(await effects(page, videoland, 1), ["lab.effect embedded_library"]);
  await page.until(() => document.querySelector("vl-card output").textContent === "1");
}));
