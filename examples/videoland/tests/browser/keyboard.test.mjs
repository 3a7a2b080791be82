// Everything without a mouse.
import { test } from "node:test";
import assert from "node:assert/strict";
import { byId, useSite } from "./site.mjs";

const TABS_MAX = 60;
const site = useSite();
const focusedId = (page) => page.run(() => document.activeElement?.dataset.uiapId ?? null);
const focus = (page, selector) => page.run((wanted) => document.querySelector(wanted).focus(), selector);
const attribute = (page, selector, name) => page.run((wanted, key) => document.querySelector(wanted)?.getAttribute(key), selector, name);

async function tabTo(page, id) {
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    if (await focusedId(page) === id) return;
    await page.press("Tab");
  }
  assert.fail(`Tab never reached ${id}`);
}

test("a video can be created with the keyboard alone, exactly once", async () => {
  await site.visit({ path: "/videos/new", route: "videos.new" }, async (page, videoland) => {
    await tabTo(page, "video.title");
    await page.type("Mit der Tastatur");
    await tabTo(page, "video.submit");
    await page.press("Enter");
    await page.atRoute("videos.detail");
    assert.match(await page.run(() => document.querySelector(".toast").textContent), /Video „Mit der Tastatur“ erstellt/);
    assert.equal(await page.run(() => document.activeElement.tagName), "H1");
    const effects = await videoland.effects();
    assert.deepEqual(effects.map(({ kind }) => kind), ["video.created"]);
    assert.equal(await page.run(() => location.pathname), `/videos/${effects[0].id}`);
  });
});

test("an empty title is said at the field and sends nothing", async () => {
  await site.visit({ path: "/videos/new", route: "videos.new" }, async (page, videoland) => {
    await tabTo(page, "video.submit");
    await page.press("Enter");
    await page.until((title) => document.querySelector(title).getAttribute("aria-invalid") === "true", byId("video.title"));
    assert.equal(await focusedId(page), "video.title");
    assert.deepEqual(await videoland.writes(), []);
  });
});

test("Escape closes the delete dialog, nothing is deleted, and the focus comes back", async () => {
  await site.visit({ path: "/videos/7", route: "videos.detail" }, async (page, videoland) => {
    await focus(page, byId("video.delete"));
    await page.press("Enter");
    await page.until(() => document.querySelector("dialog[open]") !== null);
    assert.equal(await focusedId(page), "video.delete.dialog.cancel");
    await page.press("Escape");
    await page.until(() => document.querySelector("dialog") === null);
    assert.equal(await focusedId(page), "video.delete");
    assert.deepEqual(await videoland.writes(), []);
  });
});

test("Escape closes the drawer", async () => {
  await site.visit({ path: "/settings/profile", route: "settings.profile" }, async (page) => {
    await focus(page, byId("settings.news"));
    await page.press("Enter");
    await page.until(() => document.querySelector("dialog.drawer[open]") !== null);
    await page.press("Escape");
    await page.until(() => document.querySelector("dialog") === null);
    assert.equal(await focusedId(page), "settings.news");
  });
});

test("arrow keys move in the menu and Escape leaves it", async () => {
  await site.visit({ path: "/team", route: "team" }, async (page) => {
    await focus(page, byId("shell.user_menu"));
    await page.press("ArrowDown");
    assert.equal(await attribute(page, byId("shell.user_menu"), "aria-expanded"), "true");
    await page.press("ArrowUp");
    assert.equal(await focusedId(page), "session.logout");
    await page.press("Escape");
    assert.equal(await attribute(page, byId("shell.user_menu"), "aria-expanded"), "false");
    assert.equal(await focusedId(page), "shell.user_menu");
  });
});

test("arrow keys move between tabs", async () => {
  await site.visit({ path: "/videos/7", route: "videos.detail" }, async (page) => {
    await focus(page, byId("video.tab.overview"));
    await page.press("ArrowRight");
    assert.equal(await focusedId(page), "video.tab.comments");
    assert.equal(await attribute(page, byId("video.tab.comments"), "aria-selected"), "true");
    await page.press("ArrowLeft");
    await page.press("ArrowLeft");
    assert.equal(await focusedId(page), "video.tab.history");
  });
});

test("the combobox filters, chooses and keeps only values of its list", async () => {
  await site.visit({ path: "/videos/new", route: "videos.new" }, async (page) => {
    const input = byId("video.category");
    await focus(page, input);
    await page.type("log");
    assert.equal(await attribute(page, input, "aria-expanded"), "true");
    await page.press("ArrowDown");
    await page.press("Enter");
    assert.equal(await page.run((wanted) => document.querySelector(wanted).value, input), "Logistik");
    await page.press("ArrowDown");
    await page.press("Escape");
    assert.equal(await attribute(page, input, "aria-expanded"), "false");
    await page.type("unsinn");
    await page.press("Tab");
    assert.equal(await page.run((wanted) => document.querySelector(wanted).value, input), "Logistik");
  });
});

test("the volume slider steps along its logarithm", async () => {
  await site.visit({ path: "/videos/new", route: "videos.new" }, async (page) => {
    const slider = byId("video.volume");
    await focus(page, slider);
    const values = [];
    for (const key of ["Home", "ArrowRight", "PageUp", "End"]) {
      await page.press(key);
      values.push(Number(await attribute(page, slider, "aria-valuenow")));
    }
    assert.deepEqual(values, [1, 1.3, 4, 100]);
  });
});

test("the phone's navigation opens, takes the focus and gives way to Escape", async () => {
  await site.visit({ path: "/team", route: "team", width: 390, height: 844 }, async (page) => {
    await page.click(".nav-toggle");
    await page.until(() => document.activeElement?.dataset.uiapId === "nav.dashboard");
    await page.press("Escape");
    assert.equal(await attribute(page, ".nav-toggle", "aria-expanded"), "false");
    assert.ok(await page.run(() => document.activeElement.matches(".nav-toggle")));
  });
});

test("sorting, deleting a row and changing the language keep the focus in place", async () => {
  await site.visit({ path: "/videos", route: "videos" }, async (page, videoland) => {
    const focused = () => page.run(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
    await focus(page, "thead th:nth-child(3) button");
    await page.press("Enter");
    await page.until(() => document.querySelector("thead th:nth-child(3)").getAttribute("aria-sort") === "ascending");
    assert.equal(await focused(), "Aufrufe");
    await focus(page, "tbody tr:nth-child(2) .row-actions button:last-child");
    await page.press("Enter");
    await page.until(() => document.querySelector("dialog[open]") !== null);
    await page.press("Tab");
    await page.press("Enter");
    await page.until(() => document.querySelector("[data-uiap-id='videos.summary']").textContent.includes("199"));
    assert.equal(await focused(), "Löschen");
    assert.deepEqual((await videoland.effects()).map(({ kind }) => kind), ["video.deleted"]);
    await focus(page, byId("shell.language"));
    await page.press("e");
    await page.until(() => document.documentElement.lang === "en");
    assert.equal(await focusedId(page), "shell.language");
  });
});
