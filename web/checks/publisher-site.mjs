// One server and one browser for all tests of a file.

import { after, before } from "node:test";
import { load, openBrowser, publisherOf, serve } from "./publisher-browser.mjs";

export function useSite() {
  const site = {};
  before(async () => {
    site.server = await serve({ "/foreign": { body: "<!doctype html><title>Foreign</title><button>Foreign button</button>" } });
    site.browser = await openBrowser();
  });
  after(async () => {
    await site.browser?.stop();
    await site.server?.stop();
  });
  const show = async (page, path, body, headers = {}) => {
    const { server } = site;
    const { pathname } = new URL(path, server.origin);
    server.pages[pathname] = { body: body.replaceAll("{{foreign}}", server.foreign), headers };
    await load(page, server.origin + path);
    return { page, publisher: await publisherOf(page) };
  };
  /** A page with this content, and the publisher in it. */
  const visit = async (path, body, use, headers) => {
    const page = await site.browser.newPage();
    await use(await show(page, path, body, headers));
    await page.close();
  };
  /** The same in a page that is kept: quicker, for tests that leave nothing behind but a document. */
  const revisit = async (path, body, use) => {
    site.page ??= await site.browser.newPage();
    // A document of its own each time, even at the same address.
    await load(site.page, "about:blank");
    await use(await show(site.page, path, body));
  };
  return { site, visit, revisit };
}
