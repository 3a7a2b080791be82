// What the screens and the registered actions do, believed only when the server's ledger says so.
import { test } from "node:test";
import assert from "node:assert/strict";
import { byId, useSite } from "./site.mjs";

const site = useSite();
const kinds = async (videoland) => (await videoland.effects()).map(({ kind }) => kind);
const toastSays = (page, text) => page.until((wanted) => document.querySelector(".toasts").textContent.includes(wanted), text);
const fill = async (page, id, text) => {
  await page.click(byId(id));
  await page.type(text);
};

test("a full form creates one video with every value", async () => {
  await site.visit({ path: "/videos/new", route: "videos.new" }, async (page, videoland) => {
    await fill(page, "video.title", "Volle Maske");
    await page.run((wanted) => { document.querySelector(wanted).value = "training"; }, byId("video.use_case"));
    await fill(page, "video.category", "Per");
    await page.press("ArrowDown");
    await page.press("Enter");
    await fill(page, "video.tags", "eins");
    await page.press("Enter");
    await page.type("zwei");
    await page.run((wanted) => { document.querySelector(wanted).value = "2026-04-01"; }, byId("video.date"));
    await page.click(byId("video.visibility.team"));
    await page.click(byId("video.captions"));
    await fill(page, "video.description", "Ein Text.");
    await page.click(byId("video.submit"), 2);
    await page.atRoute("videos.detail");
    assert.deepEqual(await kinds(videoland), ["video.created"], "a double click creates one");
    const [{ body }] = await videoland.writes();
    assert.deepEqual(body, {
      title: "Volle Maske", useCase: "training", category: "hr", tags: ["eins", "zwei"], date: "2026-04-01", visibility: "team",
      captions: true, quality: 80, volume: 50, fileName: "", description: "Ein Text.",
    });
  });
});

test("deleting asks, deletes once and can be undone", async () => {
  await site.visit({ path: "/videos/7", route: "videos.detail" }, async (page, videoland) => {
    await page.click(byId("video.delete"));
    await page.click(byId("video.delete.dialog.accept"));
    await page.atRoute("videos");
    await toastSays(page, "gelöscht");
    assert.deepEqual(await kinds(videoland), ["video.deleted"]);
    assert.equal(await page.run(() => document.activeElement.textContent), "Videos", "the focus is on the new heading");
    await page.click(".toast .link-button");
    await page.atRoute("videos.detail");
    assert.deepEqual(await kinds(videoland), ["video.deleted", "video.restored"]);
  });
});

test("sharing sends one mail and inviting one invitation", async () => {
  await site.visit({ path: "/videos/7", route: "videos.detail" }, async (page, videoland) => {
    await page.click(byId("video.share"));
    await fill(page, "video.share.email", "gast@example.com");
    await page.click(byId("video.share.submit"));
    await toastSays(page, "gesendet");
    assert.deepEqual(await kinds(videoland), ["mail.sent"]);
    await page.goTo(`${videoland.origin}/team`, "team");
    await page.click(byId("team.invite"));
    await fill(page, "team.invite.email", "neu@example.com");
    await page.press("Enter");
    await toastSays(page, "eingeladen");
    assert.deepEqual(await kinds(videoland), ["mail.sent", "member.invited", "mail.sent"]);
  });
});

test("a plan changes only after the question", async () => {
  await site.visit({ path: "/settings/billing", route: "settings.billing" }, async (page, videoland) => {
    await page.click(byId("billing.plan.business"));
    await page.click(byId("billing.plan.submit"));
    await page.until(() => document.querySelector("dialog[open]") !== null);
    assert.deepEqual(await videoland.writes(), []);
    await page.click(byId("billing.plan.dialog.accept"));
    await toastSays(page, "gilt ab sofort");
    assert.deepEqual(await kinds(videoland), ["plan.changed"]);
  });
});

test("a token's secret is shown once", async () => {
  await site.visit({ path: "/settings/security", route: "settings.security" }, async (page) => {
    await fill(page, "security.token.name", "Export");
    await page.press("Enter");
    const secret = await page.until((wanted) => document.querySelector(wanted)?.textContent, byId("security.token.secret"));
    await page.press("Escape");
    await page.until(() => document.querySelector("dialog") === null && document.body.textContent.includes("Export"));
    assert.ok(!(await page.run(() => document.documentElement.outerHTML)).includes(secret));
  });
});

test("the appearance is kept by the server", async () => {
  await site.visit({ path: "/settings/appearance", route: "settings.appearance" }, async (page, videoland) => {
    await page.click(byId("appearance.theme.dark"));
    await toastSays(page, "gespeichert");
    assert.deepEqual(await kinds(videoland), ["appearance.updated"]);
    await page.goTo(`${videoland.origin}/team`, "team");
    assert.equal(await page.run(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  });
});

test("the list filters, sorts and turns pages without writing", async () => {
  await site.visit({ path: "/videos", route: "videos" }, async (page, videoland) => {
    await page.click(byId("videos.page.next"));
    await page.until(() => location.search === "?page=2");
    await fill(page, "videos.search", "inventur");
    await page.until(() => document.querySelectorAll("tbody tr").length === 8);
    await page.click("thead th:nth-child(1) button");
    await page.until(() => document.querySelector("thead th").getAttribute("aria-sort") === "ascending");
    assert.equal(await page.run(() => location.search), "?search=inventur&sort=title");
    assert.deepEqual(await videoland.writes(), []);
  });
});

test("the virtual list shows its last row only after scrolling", async () => {
  await site.visit({ path: "/videos?view=virtual", route: "videos" }, async (page) => {
    const rows = () => page.run(() => document.querySelectorAll(".virtual-row").length);
    assert.ok(await rows() < 40);
    await page.run(() => { document.querySelector(".virtual").scrollTop = 1e6; });
    await page.until(() => document.querySelector('[aria-rowindex="200"]') !== null);
    assert.ok(await rows() < 40);
  });
});

test("seven actions wait for a publisher, and one of them creates a video", async () => {
  await site.visit({ path: "/", route: "dashboard" }, async (page, videoland) => {
    const ids = await page.run(() => globalThis.uiap.map(([method, { id, risk }]) => `${method} ${id} ${risk.level}`));
    assert.deepEqual(ids, [
      "registerAction video.create confirm", "registerAction video.rename safe", "registerAction video.delete confirm",
      "registerAction video.publish blocked", "registerAction team.invite confirm", "registerAction billing.openSettings safe",
      "registerAction workspace.search safe",
    ]);
    const call = (id, input) => page.run((wanted, values) =>
      globalThis.uiap.find(([, descriptor]) => descriptor.id === wanted)[2](values, { idempotencyKey: "from-agent" }), id, input);
    const video = await call("video.create", { title: "Vom Agenten" });
    await page.atRoute("videos.detail");
    await toastSays(page, "erstellt");
    const [effect, ...rest] = await videoland.effects();
    assert.deepEqual([effect.kind, effect.id, effect.idempotencyKey, rest], ["video.created", String(video.id), "from-agent", []]);
    await call("video.rename", { id: video.id, title: "Umgetauft" });
    await page.until(() => document.querySelector("h1").textContent === "Umgetauft");
    assert.equal((await call("workspace.search", { query: "umgetauft" })).videos.length, 1);
    await call("billing.openSettings", {});
    await page.atRoute("settings.billing");
    assert.deepEqual(await kinds(videoland), ["video.created", "video.updated"]);
  });
});

test("signing out leads to the login", async () => {
  await site.visit({ path: "/", route: "dashboard" }, async (page) => {
    await page.click(byId("shell.user_menu"));
    await page.click(byId("session.logout"));
    await page.atRoute("login");
  });
});
