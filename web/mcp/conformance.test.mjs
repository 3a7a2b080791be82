// The conformance suite of MCP, every scenario for servers of both revisions, twice: against the server that the suite
// describes, which stands behind the door of `uiap mcp --http`, and against `uiap mcp --http` itself. The former passes
// everything. Of the latter it is written down which checks ask for what a product does not have; all others pass.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { findings, isInstalled, scenariosOf } from "./suite.mjs";

const REVISIONS = ["2025-11-25", "2026-07-28"];

/** What `uiap mcp` does not have, and the checks of each scenario that ask for it. */
const LACKS = [
  {
    what: "the tools of the suite",
    checks: {
      "elicitation-sep1034-defaults": ["elicitation-sep1034-general"],
      "elicitation-sep1330-enums": ["elicitation-sep1330-general"],
      "input-required-result-basic-elicitation": ["sep-2322-elicitation-incomplete"],
      "input-required-result-basic-list-roots": ["sep-2322-list-roots-incomplete"],
      "input-required-result-basic-sampling": ["sep-2322-sampling-incomplete"],
      "input-required-result-capability-check": ["sep-2322-respect-client-capabilities"],
      "input-required-result-ignore-extra-params": ["sep-2322-ignore-unexpected-params"],
      "input-required-result-missing-input-response": ["sep-2322-missing-response-rerequests"],
      "input-required-result-multi-round": ["sep-2322-multi-round-r1"],
      "input-required-result-multiple-input-requests": ["sep-2322-multiple-inputs-incomplete"],
      "input-required-result-request-state": ["sep-2322-request-state-incomplete"],
      "input-required-result-result-type": ["sep-2322-result-type-included"],
      "input-required-result-tampered-state": ["sep-2322-reject-tampered-state"],
      "json-schema-2020-12": ["json-schema-2020-12-tool-found"],
      "server-sse-polling": ["server-sse-disconnect-resume"],
      "server-stateless": [
        "sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel",
        "sep-2575-server-sends-tools-list-changed-on-subscription",
      ],
      "tools-call-audio": ["tools-call-audio"],
      "tools-call-elicitation": ["tools-call-elicitation"],
      "tools-call-embedded-resource": ["tools-call-embedded-resource"],
      "tools-call-error": ["tools-call-error"],
      "tools-call-image": ["tools-call-image"],
      "tools-call-mixed-content": ["tools-call-mixed-content"],
      "tools-call-sampling": ["tools-call-sampling"],
      "tools-call-simple-text": ["tools-call-simple-text"],
      "tools-call-with-progress": ["tools-call-with-progress"],
    },
  },
  {
    what: "tools with arguments that travel as headers, too",
    checks: {
      "http-custom-header-server-validation": [
        "sep-2243-server-no-xmcp-tool", "sep-2243-server-decode-base64", "sep-2243-server-validate-param-match",
        "sep-2243-server-reject-invalid-param-chars", "sep-2243-server-reject-param-mismatch",
      ],
    },
  },
  {
    what: "the resources of the suite",
    checks: {
      "resources-read-binary": ["resources-read-binary"],
      "resources-read-text": ["resources-read-text"],
      "resources-subscribe": ["resources-subscribe"],
      "resources-templates-read": ["resources-templates-read"],
      "resources-unsubscribe": ["resources-unsubscribe"],
    },
  },
  {
    what: "prompts; what there is to do depends on the page",
    checks: {
      "caching": ["sep-2549-prompts-list-caching-hints"],
      "completion-complete": ["completion-complete"],
      "input-required-result-non-tool-request": ["sep-2322-non-tool-incomplete"],
      "prompts-get-embedded-resource": ["prompts-get-embedded-resource"],
      "prompts-get-simple": ["prompts-get-simple"],
      "prompts-get-with-args": ["prompts-get-with-args"],
      "prompts-get-with-image": ["prompts-get-with-image"],
      "prompts-list": ["prompts-list"],
    },
  },
  {
    what: "log messages, which MCP is about to give up (SEP-2577); what an action does is told as progress",
    checks: {
      "logging-set-level": ["logging-set-level"],
      "tools-call-with-logging": ["tools-call-with-logging"],
    },
  },
];

/** Starts a program that says where it serves, and ends it with everything that it started. */
async function serve(variable, flags = []) {
  const program = process.env[variable];
  if (!program) throw new Error(`Set ${variable} to the built program (cargo xtask test --only browser does).`);
  const child = spawn(program, flags, { stdio: ["ignore", "inherit", "pipe"] });
  const exited = new Promise((resolve) => { child.once("exit", resolve); });
  const said = new Promise((resolve) => { createInterface({ input: child.stderr }).once("line", resolve); });
  const line = await Promise.race([said, exited.then((code) => { throw new Error(`${program} ended with ${code}`); })]);
  return {
    url: /http:\/\/\S+\/mcp/u.exec(line)[0],
    stop: async () => {
      child.kill("SIGINT");
      assert.equal(await exited, 0);
    },
  };
}

let folder;
let product;
let described;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "uiap-conformance-"));
  product = await serve("UIAP_BIN", ["mcp", "--http", "127.0.0.1:0", "--journal", join(folder, "journal.sqlite")]);
  described = await serve("UIAP_MCP_FIXTURE");
});

after(async () => {
  await product?.stop();
  await described?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The checks that did not pass, each once, with what was said. */
function complaints(checks) {
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  return new Map(bad.map(({ id, status, errorMessage }) => [id, `${status}: ${errorMessage}`]));
}

const told = (found) => [...found].map(([id, message]) => `${id} ${message}`).join("\n");
const skip = isInstalled ? false : "the conformance suite is not installed; npm ci in web/ does, where npm is reachable";

for (const revision of REVISIONS) {
  test(`${revision}: the server that the suite describes passes every scenario behind our door`, { skip }, async (context) => {
    const found = await findings(described.url, revision);
    for (const scenario of await scenariosOf(revision)) {
      await context.test(scenario, () => {
        const checks = found.get(scenario);
        assert.ok(checks?.some(({ status }) => status === "SUCCESS"), "the scenario was run");
        assert.equal(told(complaints(checks)), "");
      });
    }
  });

  test(`${revision}: uiap mcp passes everything but what asks for what it does not have`, { skip }, async (context) => {
    const found = await findings(product.url, revision);
    const lacks = new Map(LACKS.flatMap(({ what, checks }) => (
      Object.entries(checks).map(([scenario, ids]) => [scenario, { what, ids }]))));
    for (const scenario of await scenariosOf(revision)) {
      const { what, ids } = lacks.get(scenario) ?? { ids: [] };
      await context.test(what ? `${scenario}, without ${what}` : scenario, () => {
        const checks = found.get(scenario);
        assert.ok(checks, "the scenario was run");
        const complained = complaints(checks);
        assert.deepEqual([...complained.keys()].sort(), [...ids].sort(), told(complained));
      });
    }
  });
}

test("every exception is one of a scenario that the suite has", { skip }, async () => {
  const known = new Set((await Promise.all(REVISIONS.map(scenariosOf))).flat());
  for (const { checks } of LACKS) {
    for (const scenario of Object.keys(checks)) assert.ok(known.has(scenario), scenario);
  }
});

test("pages of others cannot call, whatever name they have for this machine", async () => {
  const call = (headers) => fetch(product.url, {
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
  const { port } = new URL(product.url);
  for (const origin of ["https://attacker.example", "null", `http://127.0.0.1:${Number(port) + 1}`, "file://"]) {
    assert.equal((await call({ origin })).status, 403, origin);
  }
});

test("as many clients as there is room for, and one more when one has gone", async () => {
  const CLIENTS_MAX = 64;
  const journal = await mkdtemp(join(tmpdir(), "uiap-mcp-clients-"));
  const server = await serve("UIAP_BIN", ["mcp", "--http", "127.0.0.1:0", "--journal", join(journal, "journal.sqlite")]);
  try {
    const begin = () => fetch(server.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({
        jsonrpc: "2.0", id: 1, method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
      }),
    });
    const all = await Promise.all(Array.from({ length: CLIENTS_MAX + 8 }, begin));
    const statuses = all.map(({ status }) => status).sort();
    assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [CLIENTS_MAX, 503]);
    const refused = await begin();
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /64 clients/);
    const session = all.find(({ status }) => status === 200).headers.get("mcp-session-id");
    await fetch(server.url, { method: "DELETE", headers: { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" } });
    assert.equal((await begin()).status, 200);
  } finally {
    await server.stop();
    await rm(journal, { recursive: true, force: true });
  }
});
