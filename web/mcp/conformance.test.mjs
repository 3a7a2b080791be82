// The conformance suite of MCP against `uiap mcp --http`: every scenario that does not ask for the tools, prompts and
// resources of a server that is made for the suite.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const SCENARIOS = [
  "server-initialize", "ping", "tools-list", "resources-list", "server-sse-multiple-streams", "dns-rebinding-protection",
];
const SUITE = join(dirname(fileURLToPath(import.meta.url)), "../node_modules/@modelcontextprotocol/conformance/dist/index.js");

let server;
let url;
let folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "uiap-conformance-"));
  const flags = ["mcp", "--http", "127.0.0.1:0", "--journal", join(folder, "journal.sqlite")];
  server = spawn(process.env.UIAP_BIN, flags, { stdio: ["ignore", "inherit", "pipe"] });
  const [line] = await new Promise((resolve) => {
    createInterface({ input: server.stderr }).once("line", (said) => resolve([said]));
  });
  url = /http:\/\/\S+\/mcp/.exec(line)[0];
});

after(async () => {
  const exited = new Promise((resolve) => { server.once("exit", resolve); });
  server.kill("SIGINT");
  assert.equal(await exited, 0);
  await rm(folder, { recursive: true, force: true });
});

for (const scenario of SCENARIOS) {
  test(scenario, async () => {
    const { code, said } = await new Promise((resolve) => {
      execFile(process.execPath, [SUITE, "server", "--url", url, "--scenario", scenario], { cwd: folder },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, said: stdout + stderr }));
    });
    assert.equal(code, 0, said);
  });
}

test("pages of others cannot call, whatever name they have for this machine", async () => {
  const call = (headers) => fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    }),
  });
  assert.equal((await call({})).status, 200);
  const { port } = new URL(url);
  for (const origin of ["https://attacker.example", "null", `http://127.0.0.1:${Number(port) + 1}`, "file://"]) {
    assert.equal((await call({ origin })).status, 403, origin);
  }
});
