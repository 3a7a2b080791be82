// Starts one application, says where it is, and ends it when nobody listens any more.
//
//   node mapped/serve.mjs --scratch FOLDER --app NAME
//
// `cargo xtask bench discovery` maps it. What people found in it, with their own eyes and before any map was made, is in
// NAME.json beside this file.

import { existsSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { scratch: { type: "string" }, app: { type: "string" } } });
if (!values.scratch || !values.app) throw new Error("Say which application, and where it may be installed: --app NAME --scratch FOLDER.");
const scratch = resolve(values.scratch);
mkdirSync(scratch, { recursive: true });

const places = [new URL(`${values.app}.mjs`, import.meta.url), new URL(`../oracle/apps/${values.app}.mjs`, import.meta.url)];
const place = places.find((one) => existsSync(one));
if (!place) throw new Error(`There is no application ${values.app}.`);
const app = await import(place);
const { origin, stop } = await app.start(scratch);
console.log(JSON.stringify({ name: app.name, packages: app.packages, origin }));
process.stdin.resume();
process.stdin.once("end", async () => {
  await stop();
  process.exit(0);
});
