// Lets the conformance suite of MCP start in Node 20. One of its commands, which is not used here, wants `globSync` of
// Node 22, and a module that names what is not there does not load at all.
import * as fs from "node:fs";
import { register } from "node:module";

const moduleOf = (text) => `data:text/javascript,${encodeURIComponent(text)}`;

if (!fs.globSync) {
  const withGlob = moduleOf(`export * from "node:fs"; export { default } from "node:fs"; export const globSync = undefined;`);
  register(moduleOf(`
    export const resolve = (name, context, next) => name === "fs" && context.parentURL?.includes("/conformance/dist/")
      ? { url: ${JSON.stringify(withGlob)}, shortCircuit: true }
      : next(name, context);
  `));
}
