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
  },
  "chrome-devtools-mcp": {
    command: ["node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", "--headless", "--isolated",
      "--no-usage-statistics", "--no-page-id-routing", `--executablePath=${job.browser}`, ...job.flags.map((flag) => `--chromeArg=${flag}`)],
    goTo: (url) => ["navigate_page", { type: "url", url }],
    evaluate: (text) => ["evaluate_script", { function: text }],
    look: ["take_snapshot", {}],
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

await run({
  goTo: (url) => call(kind.goTo(url)),
  evaluate: (text) => call(kind.evaluate(text)),
  look: () => call(kind.look),
  close: async () => {
    server.stdin.end();
    server.kill();
  },
});
process.exit(0);
