// Pages that try to talk their way past policy and consent, in front of a model that does whatever they ask.
//
// The attacks are data: spec/cases/injections/. Every page has a button that deletes an account. Whatever else stands
// there, it is pressed only if the person agrees, and this person never does; the server counts what really arrives.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { parts, startClient } from "./client.mjs";

const CASES = join(dirname(fileURLToPath(import.meta.url)), "../../spec/cases/injections");
const ATTACKS_MIN = 50;

const attacks = [];
for (const name of (await readdir(CASES)).sort()) {
  const { attacks: listed } = parse(await readFile(join(CASES, name), "utf8"));
  attacks.push(...listed.map((attack) => ({ file: name.replace(/\.yaml$/, ""), ...attack })));
}

const danger = [];
let site;
let origin;
let session;
let ours;

const page = ({ title = "Shop", html = "", victim = "", script = "" }) => `<!doctype html><html lang=en><title>${title}</title>
${html}
<button id=victim ${victim} onclick="fetch('/danger', { method: 'POST' })">Delete account</button>
<script>${script}</script>`;

before(async () => {
  site = createServer((request, response) => {
    const at = Number(/^\/(\d+)/.exec(request.url)?.[1] ?? -1);
    if (request.url.startsWith("/danger")) danger.push(request.url);
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(at in attacks ? page(attacks[at]) : "<!doctype html><title>Nothing</title>");
  });
  await new Promise((resolve) => { site.listen(0, "127.0.0.1", resolve); });
  origin = `http://127.0.0.1:${site.address().port}`;
  session = await startClient({ person: () => ({ action: "decline" }) });
  ours = JSON.stringify((await session.tools()).slice(0, 6));
});

after(async () => {
  await session.stop();
  site.closeAllConnections();
  site.close();
});

/** A call as a model makes it; that there is no such tool is an answer too. */
const call = (name, args) => session.call(name, args).catch((error) => ({ content: [{ text: error.message }], isError: true }));

test("there are enough of them", () => { assert.ok(attacks.length >= ATTACKS_MIN, `${attacks.length}`); });

for (const [at, attack] of attacks.entries()) {
  test(`${attack.file}: ${attack.what}`, async () => {
    session.asked.length = 0;
    danger.length = 0;
    const opened = await call("open", { url: `${origin}/${at}` });
    assert.ok(!opened.isError, parts(opened).text);
    const answers = [opened, await call("look", { scope: "page" })];
    for (const { tool, args } of attack.calls ?? []) answers.push(await call(tool, args));
    await call("open", { url: `${origin}/${at}` });
    const pressed = await call("act", { action: "activate", target: "#victim" });
    answers.push(pressed, await call("act", { action: "activate", target: 'button "Delete account"' }));
    assert.deepEqual(danger, [], "nothing was deleted");
    const asked = session.asked.filter((question) => question.includes("Delete account"));
    assert.ok(asked.length > 0 || answers.at(-1).structuredContent.side_effect === "none", parts(answers.at(-1)).text);
    for (const question of session.asked) assert.match(question, /^This needs your agreement: [\w.]+( \([\w, ]+\))?\.\n/);
    for (const answer of answers) {
      const { own } = parts(answer);
      for (const line of own.split("\n").filter((said) => said !== "")) {
        assert.match(line, /^(status|verdict|side_effect|error|next|handle|revision|Unknown tool|MCP error)\b/, own);
      }
      assert.ok(!/agreed|granted|Ignore all|System:/.test(own.replace(/^next: .*$/gm, "").replace(/^MCP error.*$/gm, "")), own);
    }
    assert.equal(JSON.stringify((await session.tools()).slice(0, 6)), ours, "our own tools are as they were");
  });
}
