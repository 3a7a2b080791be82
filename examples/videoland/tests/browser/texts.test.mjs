// Both languages have every text, and every text that is asked for exists.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("../../web/", import.meta.url));
const { default: de } = await readModule("i18n/de.js");
const { default: en } = await readModule("i18n/en.js");

// The page's files are modules by their script tag, not by a package.json, so Node is told here.
async function readModule(path) {
  return import(`data:text/javascript,${encodeURIComponent(await readFile(join(web, path), "utf8"))}`);
}

test("the tables have the same keys and placeholders", () => {
  assert.deepEqual(Object.keys(de), Object.keys(en));
  const holes = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const key of Object.keys(de)) assert.deepEqual(holes(de[key]), holes(en[key]), key);
});

test("every literal key exists", async () => {
  const files = (await readdir(web, { recursive: true })).filter((name) => name.endsWith(".js") && !/^(lab|i18n|foreign)\//.test(name));
  for (const name of files) {
    const source = await readFile(join(web, name), "utf8");
    for (const [, key] of source.matchAll(/\bt\("([^"]+)"/g)) assert.ok(key in de, `${name} asks for ${key}`);
  }
});

test("every hazard speaks both languages", async () => {
  for (const name of await readdir(join(web, "lab"))) {
    const source = await readFile(join(web, "lab", name), "utf8");
    const [, german, english] = /de: \{(.*)\},\n\s+en: \{(.*)\},/.exec(source) ?? assert.fail(`${name} has no texts`);
    const keys = (text) => [...text.matchAll(/(\w+): "/g)].map(([, key]) => key);
    assert.deepEqual(keys(german), keys(english), name);
  }
});
