// Servers of tools over stdio, as a model would use them: how they are started, and how their tools are called.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const SERVERS = {
  "playwright-mcp": ({ browser }) => ({
    command: ["node_modules/@playwright/mcp/cli.js", "--headless", "--isolated", "--no-sandbox", "--executable-path", browser],
    goTo: (url) => ["browser_navigate", { url }],
    evaluate: (text) => ["browser_evaluate", { function: text }],
    look: ["browser_snapshot", {}],
    /** The id of an element in what a look shows. */
    id: (role, name) => new RegExp(`- ${role} "${quoted(name)}".*?\\[ref=(\\w+)\\]`, "u"),
    click: (target) => ["browser_click", { target }],
    fill: (target, text) => ["browser_type", { target, text }],
    choose: (target, values) => ["browser_select_option", { target, values }],
    hover: (target) => ["browser_hover", { target }],
    /** Whether a script returned `true`: it is said between other words. */
    isTrue: (text) => /### Result\s+true/u.test(text),
  }),
  "chrome-devtools-mcp": ({ browser, flags }) => ({
    command: ["node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", "--headless", "--isolated",
      "--no-usage-statistics", "--no-page-id-routing", `--executablePath=${browser}`, ...flags.map((flag) => `--chromeArg=${flag}`)],
    goTo: (url) => ["navigate_page", { type: "url", url }],
    evaluate: (text) => ["evaluate_script", { function: text }],
    look: ["take_snapshot", {}],
    id: (role, name) => new RegExp(`uid=(\\S+) ${role} "${quoted(name)}"`, "u"),
    click: (uid) => ["click", { uid }],
    fill: (uid, value) => ["fill", { uid, value }],
    choose: (uid, [value]) => ["fill", { uid, value }],
    hover: (uid) => ["hover", { uid }],
    isTrue: (text) => /^true$/mu.test(text),
  }),
};

const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");

/** Starts a server; gives the words of its tools, `call([tool, arguments])`, and `close()`. */
export async function connect(name, job) {
  const tools = SERVERS[name](job);
  const server = spawn(process.execPath, tools.command, { stdio: ["pipe", "pipe", "ignore"] });
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
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "uiap-peers", version: "1" } });
  send({ method: "notifications/initialized" });
  return {
    tools,
    call: async ([tool, given]) => {
      const { content, isError } = await request("tools/call", { name: tool, arguments: given });
      const text = content.map((part) => part.text ?? "").join("\n");
      if (isError) throw new Error(text);
      return text;
    },
    close: async () => {
      server.stdin.end();
      server.kill();
    },
  };
}
