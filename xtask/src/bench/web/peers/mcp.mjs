// A server of tools over stdio: `mcp.mjs JOB KIND`, where the kind says how its tools are called.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { job, run } from "./job.mjs";

const KINDS = {
  "playwright-mcp": {
    command: ["node_modules/@playwright/mcp/cli.js", "--headless", "--isolated", "--no-sandbox", "--executable-path", job.browser],
    goTo: (url) => ["browser_navigate", { url }],
    evaluate: (text) => ["browser_evaluate", { function: text }],
    look: ["browser_snapshot", {}],
    // The id of a button in what a look shows, and how it is pressed.
    idOf: (name) => new RegExp(`button "${name}"[^\\n]*?\\[ref=([^\\]]+)\\]`),
    press: (id, name) => ["browser_click", { element: name, target: id }],
  },
  "chrome-devtools-mcp": {
    command: ["node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", "--headless", "--isolated",
      "--no-usage-statistics", "--no-page-id-routing", `--executablePath=${job.browser}`, ...job.flags.map((flag) => `--chromeArg=${flag}`)],
    goTo: (url) => ["navigate_page", { type: "url", url }],
    evaluate: (text) => ["evaluate_script", { function: text }],
    look: ["take_snapshot", {}],
    idOf: (name) => new RegExp(`uid=(\\S+) button "${name}"`),
    press: (id) => ["click", { uid: id }],
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

await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } });
send({ method: "notifications/initialized" });

const ids = new Map();
const idOf = async (name) => {
  if (!ids.has(name)) ids.set(name, kind.idOf(name).exec(await call(kind.look))?.[1]);
  return ids.get(name);
};

await run({
  goTo: (url) => {
    ids.clear();
    return call(kind.goTo(url));
  },
  press: async (name) => call(kind.press(await idOf(name), name)),
  evaluate: (text) => call(kind.evaluate(text)),
  look: () => call(kind.look),
  close: async () => {
    server.stdin.end();
    server.kill();
  },
});
process.exit(0);
