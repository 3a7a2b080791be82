// A server of tools over stdio: `mcp.mjs JOB KIND`. The target is the first line of its snapshot with role and name,
// as a model would take it.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { job, run } from "./job.mjs";

const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");

const KINDS = {
  "playwright-mcp": {
    command: ["node_modules/@playwright/mcp/cli.js", "--headless", "--isolated", "--no-sandbox", "--executable-path", job.browser],
    goTo: (url) => ["browser_navigate", { url }],
    evaluate: (text) => ["browser_evaluate", { function: text }],
    look: ["browser_snapshot", {}],
    id: ({ role, name }) => new RegExp(`- ${role} "${quoted(name)}".*?\\[ref=(\\w+)\\]`, "u"),
    click: (target) => ["browser_click", { target }],
    fill: (target, text) => ["browser_type", { target, text }],
    choose: (target, values) => ["browser_select_option", { target, values }],
    hover: (target) => ["browser_hover", { target }],
    /** What it returns is said between other words. */
    value: (text) => /### Result\s+true/u.test(text),
  },
  "chrome-devtools-mcp": {
    command: ["node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", "--headless", "--isolated",
      "--no-usage-statistics", "--no-page-id-routing", `--executablePath=${job.browser}`, ...job.flags.map((flag) => `--chromeArg=${flag}`)],
    goTo: (url) => ["navigate_page", { type: "url", url }],
    evaluate: (text) => ["evaluate_script", { function: text }],
    look: ["take_snapshot", {}],
    id: ({ role, name }) => new RegExp(`uid=(\\S+) ${role} "${quoted(name)}"`, "u"),
    click: (uid) => ["click", { uid }],
    fill: (uid, value) => ["fill", { uid, value }],
    choose: (uid, [value]) => ["fill", { uid, value }],
    hover: (uid) => ["hover", { uid }],
    value: (text) => /^true$/mu.test(text),
  },
};
const kind = KINDS[process.argv[3]];

const server = spawn(process.execPath, kind.command, { stdio: ["pipe", "pipe", "ignore"] });
const waiting = new Map();
let next = 1;
createInterface({ input: server.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  const answer = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.error) answer?.reject(new Error(message.error.message));
  else answer?.resolve(message.result);
});
server.on("exit", () => { for (const { reject } of waiting.values()) reject(new Error("the server ended")); });

const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const request = (method, params) => new Promise((resolve, reject) => {
  waiting.set(next, { resolve, reject });
  send({ id: next, method, params });
  next += 1;
});
const call = async ([name, args]) => {
  const { content, isError } = await request("tools/call", { name, arguments: args });
  const text = content.map((part) => part.text ?? "").join("\n");
  if (isError) throw new Error(text);
  return text;
};

const the = async (target) => {
  const found = kind.id(target).exec(await call(kind.look));
  if (!found) throw new Error("the snapshot does not show the target");
  return found[1];
};
const click = async (target) => call(kind.click(await the(target)));
const fill = async (target, text) => call(kind.fill(await the(target), text));

await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "hazards", version: "1" } });
send({ method: "notifications/initialized" });

await run({
  goTo: (url) => call(kind.goTo(url)),
  evaluate: async (expression) => kind.value(await call(kind.evaluate(`() => { return ${expression}; }`))),
  deeds: {
    "ui.activate": click,
    "ui.submit": click,
    "ui.expand": click,
    "ui.toggle": click,
    "ui.enterText": (target, { text }) => fill(target, text),
    "ui.clearText": (target) => fill(target, ""),
    "ui.choose": async (target, { label, value, values }) => call(kind.choose(await the(target), values ?? [label ?? value])),
    "ui.hover": async (target) => call(kind.hover(await the(target))),
    "nav.navigate": (_, { url }, here) => call(kind.goTo(new URL(url, here).href)),
  },
  close: async () => {
    server.stdin.end();
    server.kill();
  },
});
process.exit(0);
