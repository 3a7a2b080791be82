// The publisher on pages made for it, in the real browser.
//
// Each page in publisher/cases has a file that says what must be published. On every page the accessibility tree
// of the browser is the judge of roles and names; where we differ, disagreements.json must say why.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { accessibilityTree, load, openBrowser, publisherOf, serve } from "./publisher-browser.mjs";
import { checkGraph, compare } from "./publisher-judge.mjs";

const folder = new URL("../publisher/cases/", import.meta.url);
const read = (file) => readFileSync(new URL(file, folder), "utf8");
const names = readdirSync(folder).filter((file) => file.endsWith(".html")).map((file) => file.slice(0, -5));
const disagreements = JSON.parse(read("disagreements.json"));

const site = {};
before(async () => {
  site.server = await serve();
  site.browser = await openBrowser();
});
after(async () => {
  await site.browser?.stop();
  await site.server?.stop();
});

/** A page with this content, and the publisher in it. */
async function visit(path, body, use, headers = {}) {
  const { server, browser } = site;
  server.pages[path] = { body: body.replaceAll("{{foreign}}", server.foreign), headers };
  const page = await browser.newPage();
  await load(page, server.origin + path);
  const publisher = await publisherOf(page);
  await use({ page, publisher });
  await page.close();
}

const isPart = (part, whole) => Object.entries(part).every(([key, value]) => JSON.stringify(whole?.[key]) === JSON.stringify(value));

/** Finds each expected line after the one before it: all are there, once, in document order. */
function checkExpected({ expected = [], absent = [] }, { elements }) {
  let from = 0;
  for (const { role, name, state = {}, without = [], affordances = [], ...members } of expected) {
    const at = elements.findIndex((element, index) => index >= from && element.role === role && (name === undefined || element.name === name));
    assert.ok(at >= 0, `${role} "${name ?? ""}" is missing after ${JSON.stringify(elements[from - 1]?.name)}`);
    const found = elements[at];
    assert.ok(isPart(state, found.state), `${role} "${name}": ${JSON.stringify(found.state)} should have ${JSON.stringify(state)}`);
    for (const key of without) assert.ok(!(key in found.state), `${role} "${name}" must not say ${key}`);
    for (const offer of affordances) assert.ok(found.affordances?.includes(offer), `${role} "${name}" offers ${found.affordances}, not ${offer}`);
    assert.ok(isPart(members, found), `${role} "${name}": ${JSON.stringify(found)} should have ${JSON.stringify(members)}`);
    from = at + 1;
  }
  for (const name of absent) assert.ok(!elements.some((element) => element.name === name), `"${name}" must not be published`);
}

// proves: WEB-9, WEB-10, CAP-4-2, CAP-6-2
test("every page is published as its case says, and as the browser sees it", async (suite) => {
  assert.ok(names.length > 0);
  for (const name of names) {
    await suite.test(name, () => visit(`/${name}`, read(`${name}.html`), async ({ page, publisher }) => {
      const graph = await publisher.snapshot();
      checkGraph(graph);
      const wanted = JSON.parse(read(`${name}.json`));
      checkExpected(wanted, graph);
      for (const key of ["modalStack", "opaqueRegions", "route", "documents", "scopes"]) {
        for (const [index, part] of (wanted[key] ?? []).entries()) {
          const whole = key === "route" ? graph.route : graph[key]?.[index];
          assert.ok(typeof part === "string" ? part === whole : isPart(part, whole), `${key} ${index}: ${JSON.stringify(whole)}`);
        }
      }
      const found = await compare(graph, await publisher.backendIds(graph.elements), await accessibilityTree(page));
      const known = disagreements.filter((one) => one.page === name);
      assert.deepEqual(found.disagreements, known.map(({ ours, browser }) => ({ ours, browser })), "as in disagreements.json");
      suite.diagnostic(`${name}: ${found.agreed} of ${found.agreed + found.disagreements.length} interactive elements agree`);
    }));
  }
});
