// A server of tools: `mcp.mjs JOB SERVER`. The target is the first line of its snapshot with role and name, as a model
// would take it.
import { connect } from "../../../../web/peers/tools.mjs";
import { job, run } from "./job.mjs";

const { tools, call, close } = await connect(process.argv[3], job);

const the = async ({ role, name }) => {
  const found = tools.id(role, name).exec(await call(tools.look));
  if (!found) throw new Error("the snapshot does not show the target");
  return found[1];
};
const click = async (target) => call(tools.click(await the(target)));
const fill = async (target, text) => call(tools.fill(await the(target), text));

await run({
  goTo: (url) => call(tools.goTo(url)),
  evaluate: async (expression) => tools.isTrue(await call(tools.evaluate(`() => { return ${expression}; }`))),
  deeds: {
    "ui.activate": click,
    "ui.submit": click,
    "ui.expand": click,
    "ui.toggle": click,
    "ui.enterText": (target, { text }) => fill(target, text),
    "ui.clearText": (target) => fill(target, ""),
    "ui.choose": async (target, { label, value, values }) => call(tools.choose(await the(target), values ?? [label ?? value])),
    "ui.hover": async (target) => call(tools.hover(await the(target))),
    "nav.navigate": (_, { url }, here) => call(tools.goTo(new URL(url, here).href)),
  },
  close,
});
process.exit(0);
