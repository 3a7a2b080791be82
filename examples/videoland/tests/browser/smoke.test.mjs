// Every screen in both languages: it appears, says nothing to the console, writes nothing, and names what it offers.
import { test } from "node:test";
import assert from "node:assert/strict";
import { SCREENS } from "./screens.mjs";
import { useSite } from "./site.mjs";

const NAMED_ROLES = new Set([
  "button", "link", "textbox", "searchbox", "combobox", "checkbox", "switch", "radio", "slider", "tab", "menuitem", "dialog", "Iframe",
]);
const site = useSite();

for (const lang of ["de", "en"]) {
  for (const [route, path] of SCREENS) {
    test(`${path} in ${lang}`, async () => {
      const address = `${path}${path.includes("?") ? "&" : "?"}lang=${lang}`;
      await site.visit({ path: address, route }, async (page, videoland) => {
        assert.equal(await page.run(() => document.documentElement.lang), lang);
        assert.match(await page.run(() => document.title), /^.+ · Videoland$/);
        assert.equal(await page.run(() => document.querySelectorAll("h1").length), 1);
        assert.deepEqual(await duplicates(page), [], "ids are unique");
        assert.deepEqual(await nameless(page), [], "everything that can be operated has a name");
        assert.deepEqual(await page.run(() => [document.documentElement.scrollWidth <= innerWidth]), [true], "nothing sticks out");
        assert.deepEqual(await videoland.writes(), [], "looking writes nothing");
      });
    });
  }
}

for (const [route, path] of SCREENS) {
  test(`${path} on a phone`, async () => {
    await site.visit({ path, route, width: 390, height: 844 }, async (page) => {
      assert.ok(await page.run(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    });
  });
}

test("every role sees every screen", async () => {
  for (const user of ["editor", "viewer"]) {
    await site.visit({ user }, async (page, { origin }) => {
      for (const [route, path] of SCREENS) await page.goTo(origin + path, route);
    });
  }
});

test("a viewer is not offered what the server would refuse", async () => {
  await site.visit({ user: "viewer", path: "/videos/1", route: "videos.detail" }, async (page, { origin }) => {
    const offered = (ids) => ids.filter((id) => document.querySelector(`[data-uiap-id="${id}"]`));
    assert.deepEqual(await page.run(offered, ["nav.videos.new", "video.rename", "video.share", "video.publish", "video.delete"]), []);
    await page.goTo(`${origin}/team`, "team");
    assert.deepEqual(await page.run(offered, ["team.invite"]), []);
  });
});

test("whoever is not signed in is asked to, and comes back", async () => {
  await site.visit({ user: null }, async (page, { origin }) => {
    await page.goTo(`${origin}/team`, "login");
    await page.click('[data-uiap-id="login.user"]');
    await page.type("editor");
    await page.press("Tab");
    await page.type("videoland");
    await page.press("Enter");
    await page.atRoute("team");
  });
});

test("an unknown address says so", async () => {
  await site.visit({ path: "/no/such/page", route: "not_found" }, async (page) => {
    assert.equal(await page.run(() => document.querySelector("h1").textContent), "Nicht gefunden");
  });
});

function duplicates(page) {
  return page.run(() => {
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    const own = [...document.querySelectorAll("[data-uiap-id]")].map((element) => element.dataset.uiapId);
    return [...ids.filter((id, at) => ids.indexOf(id) !== at), ...own.filter((id, at) => own.indexOf(id) !== at)];
  });
}

async function nameless(page) {
  const { nodes } = await page.send("Accessibility.getFullAXTree");
  return nodes.filter(({ ignored, role, name }) => !ignored && NAMED_ROLES.has(role?.value) && !name?.value)
    .map(({ role, backendDOMNodeId }) => `${role.value} ${backendDOMNodeId}`);
}
