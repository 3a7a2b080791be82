// One Videoland and one browser for all tests of a file.
import { after, before } from "node:test";
import assert from "node:assert/strict";
import { startBrowser, startVideoland } from "./browser.mjs";

export function useSite(flags) {
  const site = {};
  before(async () => {
    site.videoland = await startVideoland();
    site.browser = await startBrowser(flags);
  });
  after(async () => {
    await site.browser?.stop();
    await site.videoland?.stop();
  });
  return {
    get videoland() {
      return site.videoland;
    },
    /** A fresh state and a page of somebody at an address; `use` gets both. The page may not complain. */
    async visit({ user = "admin", path, route, ...options }, use) {
      const page = await site.browser.newPage(options);
      if (user) await page.signIn(site.videoland.origin, user);
      await site.videoland.reset();
      if (path) await page.goTo(site.videoland.origin + path, route);
      await use(page, site.videoland);
      assert.deepEqual(page.complaints, []);
      await page.close();
    },
  };
}

export const byId = (id) => `[data-uiap-id="${id}"]`;
