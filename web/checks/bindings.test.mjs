// The bindings of a bundle on live pages; the cases are publisher/cases/bindings.json.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";
import { checkGraph } from "./publisher-judge.mjs";
import { useSite } from "./publisher-site.mjs";

const cases = JSON.parse(readFileSync(new URL("../publisher/cases/bindings.json", import.meta.url), "utf8"));
const { revisit } = useSite();
const BOUND = ["role", "stableId", "meaning", "risk", "dataClasses", "defaultAction", "supportedActions"];
const only = (element, keys) => Object.fromEntries(keys.filter((key) => element[key] !== undefined).map((key) => [key, element[key]]));

test("every form of matcher applies to the live page", async (suite) => {
  for (const { about, html = "", path = "/bound", routes, scopes, bound, signal, expected, routeId, params, metadata, secret, problems = 0 } of cases) {
    await suite.test(about, () => revisit(path, `<!doctype html><html lang="en">${html.includes("<title>") ? "" : "<title>Bound</title>"}${html}`, async ({ publisher }) => {
      const said = await publisher.evaluate(`__uiap.bind(${JSON.stringify(JSON.stringify({ routes, scopes, elements: bound }))})`);
      assert.equal(said === "" ? 0 : said.split("\n").length, problems, said);
      if (signal) await publisher.evaluate(`__uiap.signal(${JSON.stringify(signal)})`);
      const text = await publisher.text();
      const graph = JSON.parse(text);
      checkGraph(graph);
      if (routes) assert.deepEqual([graph.route.routeId, graph.route.params], [routeId, params]);
      if (expected) {
        const found = graph.elements.map((element, at) => only(element, [...new Set([...BOUND, ...Object.keys(expected[at] ?? {})])]));
        assert.deepEqual(found, expected);
      }
      const ids = graph.elements.map(({ instanceId }) => instanceId);
      assert.deepEqual(JSON.parse(JSON.stringify(graph.metadata?.bindings ?? null), (_, value) => (ids.includes(value) ? ids.indexOf(value) : value)), metadata ?? null);
      if (secret) {
        assert.ok(!text.includes(secret), text);
        assert.equal(graph.redacted, true);
        assert.ok(graph.elements.some(({ stableId, state }) => stableId === bound[0].id && state.sensitive && state.redacted));
      }
    }));
  }
});

test("a bundle that is none is refused and changes nothing", () => revisit("/refused", "<!doctype html><title>Refused</title><button>x</button>", async ({ publisher }) => {
  for (const nonsense of ["{", "[]", "7", "null"]) await assert.rejects(publisher.evaluate(`__uiap.bind(${JSON.stringify(nonsense)})`));
  checkGraph(await publisher.snapshot());
}));

/** A pure module of the publisher, for Node. */
async function moduleOf(name) {
  const { outputFiles } = await build({ entryPoints: [new URL(`../publisher/src/${name}.ts`, import.meta.url).pathname], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

test("the stricter risk holds, whoever says it", async () => {
  const { strictest } = await moduleOf("merge");
  const levels = [undefined, "safe", "confirm", "blocked"];
  for (const bundle of levels) {
    for (const page of levels) {
      const found = strictest(bundle, page && { level: page, tags: ["billing"] });
      assert.equal(levels.indexOf(found?.level), Math.max(levels.indexOf(bundle), levels.indexOf(page)), `${bundle} and ${page}`);
      if (page) assert.deepEqual(found.tags, ["billing"]);
    }
  }
});
