// A server of tools: `mcp.mjs JOB SERVER`.
import { connect } from "../../../../../web/peers/tools.mjs";
import { job, run } from "./job.mjs";

const { tools, call, close } = await connect(process.argv[3], job);

const ids = new Map();
const idOf = async (name) => {
  if (!ids.has(name)) ids.set(name, tools.id("button", name).exec(await call(tools.look))?.[1]);
  return ids.get(name);
};

await run({
  goTo: (url) => {
    ids.clear();
    return call(tools.goTo(url));
  },
  press: async (name) => call(tools.click(await idOf(name))),
  evaluate: (text) => call(tools.evaluate(text)),
  look: () => call(tools.look),
  close,
});
process.exit(0);
