// Holds the publisher against the accessibility tree of the browser over real applications.
//
//   node oracle/run.mjs --scratch FOLDER [--app NAME]... [--report FILE]
//
// Applications are installed into the scratch folder, in versions that are written down. Every interactive element
// of either side counts; a disagreement must be explained in explanations.json, and at least 99 of 100 must agree.

import { readFileSync, readdirSync, mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { accessibilityTree, behindBoundaries, openBrowser, publisherOf } from "../checks/publisher-browser.mjs";
import { checkGraph, compare } from "../checks/publisher-judge.mjs";
import { report } from "./report.mjs";

const AGREEMENT_MIN = 0.99;
/** How often a page that keeps changing is looked at. */
const MOMENTS_MAX = 20;
const folder = new URL("apps/", import.meta.url);
const explanations = JSON.parse(readFileSync(new URL("explanations.json", import.meta.url), "utf8"));

const { values } = parseArgs({ options: { scratch: { type: "string" }, app: { type: "string", multiple: true }, report: { type: "string" } } });
if (!values.scratch) throw new Error("Say where applications may be installed: --scratch FOLDER.");
const scratch = resolve(values.scratch);
mkdirSync(scratch, { recursive: true });

const known = readdirSync(folder).filter((file) => file.endsWith(".mjs")).map((file) => file.slice(0, -4)).sort();
const chosen = values.app ?? known;
for (const one of chosen) if (!known.includes(one)) throw new Error(`There is no application ${one}; there are ${known.join(", ")}.`);

/** The reason for a disagreement: the first explanation whose words fit. */
function explain(app, { ours, browser }) {
  const fits = (wanted, said) => wanted === undefined || new RegExp(wanted).test(said);
  return explanations.find((one) => (one.app === undefined || one.app === app) && fits(one.ours, ours) && fits(one.browser, browser))?.reason;
}

/** Both sides at one moment: a page that changed meanwhile is looked at again. */
async function compared(page) {
  const publisher = await publisherOf(page);
  for (let moment = 1; ; moment += 1) {
    const graph = await publisher.snapshot();
    checkGraph(graph);
    const [ids, tree, behind] = [await publisher.backendIds(graph.elements), await accessibilityTree(page), await behindBoundaries(page)];
    if ((await publisher.snapshot()).revision === graph.revision || moment === MOMENTS_MAX) return compare(graph, ids, tree, behind);
  }
}

async function judge(browser, id) {
  const app = await import(new URL(`${id}.mjs`, folder));
  const started = await app.start(scratch);
  const page = await browser.newPage();
  const result = { id, name: app.name, packages: app.packages, pages: 0, agreed: 0, behindBoundaries: 0, disagreements: [] };
  try {
    await started.prepare?.(page);
    for (const { title, open } of started.pages) {
      await open(page);
      const found = await compared(page);
      result.pages += 1;
      for (const key of ["agreed", "behindBoundaries"]) result[key] += found[key];
      for (const one of found.disagreements) result.disagreements.push({ page: title, ...one, reason: explain(id, one) });
    }
  } finally {
    await page.close();
    await started.stop();
  }
  return result;
}

const browser = await openBrowser();
const results = [];
let bad = 0;
try {
  for (const id of chosen) {
    const result = await judge(browser, id);
    results.push(result);
    const { agreed, disagreements, name, pages } = result;
    const share = agreed / (agreed + disagreements.length);
    console.log(`${name}: ${agreed} of ${agreed + disagreements.length} agree on ${pages} pages (${(share * 100).toFixed(2)} %); ${result.behindBoundaries} behind boundaries`);
    for (const { page, ours, browser: theirs, reason } of disagreements) if (!reason) console.log(`  unexplained on ${page}: ours ${ours || "nothing"}, the browser ${theirs || "nothing"}`);
    if (share < AGREEMENT_MIN || disagreements.some(({ reason }) => !reason)) bad += 1;
  }
} finally {
  await browser.stop();
}
if (values.report) writeFileSync(values.report, report(results));
if (bad > 0) {
  console.error(`${bad} of ${results.length} applications are below ${AGREEMENT_MIN * 100} % or have disagreements that nobody explained.`);
  process.exitCode = 1;
}
