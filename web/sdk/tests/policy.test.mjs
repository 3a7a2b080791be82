// The rules of an application in its page, held against the program: the same questions, the same answers.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { localPolicy } from "../dist/policy.js";

const QUESTIONS = 2_000;
const POLICIES = 8;

/** The same row of numbers on every run. */
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const EFFECTS = ["allow", "confirm", "handoff", "deny"];
const GRANTS = ["observe", "guide", "draft", "act", "admin", "read.sensitive", "read.secret", "write.sensitive", "billing", "identity", "security", "x.acme.gift"];
const ACTIONS = ["ui.read", "ui.activate", "ui.enterText", "ui.toggle", "ui.focus", "nav.navigate", "app.invoke", "video.create", "video.delete", "team.member.invite"];
const WORDS = {
  actions: ["video.*", "*.delete", "team.*.invite", "ui.*", "*", "v*o.c*e", "video.create", "ui.read"],
  actionKinds: ["primitive", "domain"], targets: ["video.save", "video.*", "*.title", "*"], scopes: ["page", "dialog.*"], routes: ["videos.list", "videos.*"],
  roles: ["button", "textbox", "link"], riskLevels: ["safe", "confirm", "blocked"], riskTags: ["destructive", "billing", "external_effect", "sensitive_data", "x.acme.odd"],
  sideEffects: ["none", "draft", "destructive", "external_effect", "unknown", "persistent_write"], dataClasses: ["public", "sensitive", "payment", "health"],
  principalTypes: ["user", "agent"], principalRoles: ["editor", "owner"], lacksGrant: GRANTS, hasGrant: GRANTS, executionModes: ["appAction", "semanticUi"],
};

const drawn = (below) => {
  const one = (list) => list[below(list.length)];
  const some = (list, most) => [...new Set(Array.from({ length: 1 + below(most) }, () => one(list)))];
  const maybe = (odds, make) => (below(odds) === 0 ? make() : undefined);
  const condition = (depth) => {
    const when = {};
    for (const member of Object.keys(WORDS)) if (below(6) === 0) when[member] = some(WORDS[member], 3);
    if (depth > 0 && below(6) === 0) when.not = condition(depth - 1);
    if (below(25) === 0) when["x.acme.moon"] = "full";
    return when;
  };
  const rule = (at) => ({
    id: `rule-${at}`, when: condition(1), effect: one(EFFECTS), ...(below(3) === 0 && { priority: below(5) }),
    ...(below(4) === 0 && { obligations: [one([{ kind: "confirm" }, { kind: "audit", level: "full" }, { kind: "limitModes", modes: ["semanticUi"] }])] }),
  });
  const document = (at) => ({
    modelVersion: "0.1", id: `policy-${at}`, rules: Array.from({ length: below(8) }, (_, number) => rule(`${at}-${number}`)),
    defaults: {
      onUnknownAction: one(EFFECTS), ...maybe(2, () => ({ onNoMatch: one(EFFECTS) })), ...maybe(3, () => ({ onMissingGrant: one(["deny", "handoff"]) })),
      ...maybe(3, () => ({ onBlockedRisk: one(["deny", "handoff"]) })), ...maybe(2, () => ({ onSensitiveRead: one(["allow", "redact", "deny"]) })), ...maybe(3, () => ({ onUnknownSideEffect: one(EFFECTS) })),
    },
  });
  const facts = () => ({
    principal: { type: one(["user", "agent"]), id: "me", roles: some(["editor", "owner"], 1), grants: some(GRANTS, 5) },
    action: one(ACTIONS), known: below(5) !== 0, risk: { level: one(["safe", "safe", "confirm", "blocked"]), ...(below(3) === 0 && { tags: some(WORDS.riskTags, 2) }) },
    sideEffect: one(["none", "navigation", "local_ui", "draft", "reversible_write", "persistent_write", "external_effect", "destructive", "irreversible", "billing_change", "security_change", "identity_change", "unknown"]),
    ...maybe(2, () => ({ target: one(["video.save", "video.title", "other"]) })), ...maybe(2, () => ({ role: one(WORDS.roles) })), ...maybe(2, () => ({ scopes: some(["page", "dialog.new", "dialog"], 2) })),
    ...maybe(2, () => ({ route: one(["videos.list", "home"]) })), ...maybe(3, () => ({ dataClasses: some(WORDS.dataClasses, 2) })), ...maybe(2, () => ({ mode: one(WORDS.executionModes) })),
    ...maybe(4, () => ({ sensitive: true })),
  });
  return { document, facts };
};

/** What the page decides, as `uiap policy test` expects it. */
function answered(policy, { principal, action, known, risk, sideEffect, target, role, scopes, route, dataClasses, mode, sensitive }) {
  const aimed = target !== undefined || role !== undefined;
  const decision = policy.evaluate({
    principal, actionId: action, sideEffectClass: sideEffect, ...(dataClasses && { dataClasses }), ...(mode && { executionMode: mode }), ...(route && { routeId: route }),
    ...(aimed && { target: { by: "instanceId", instanceId: "e1", documentId: "d1", role, stableId: target } }),
  }, { risk, isDescribed: known, scopes, isSensitive: sensitive });
  return { effect: decision.effect, rules: decision.ruleIds, missingGrants: decision.missingGrants ?? [], risk: decision.effectiveRisk.level, obligations: decision.obligations ?? [] };
}

// proves: SDK-10
test("a page decides as the program does", async () => {
  const { document, facts } = drawn(chance(7));
  const folder = await mkdtemp(join(tmpdir(), "uiap-policy-"));
  const seen = new Set();
  try {
    for (let round = 0; round < POLICIES; round += 1) {
      const documents = [document(0), document(1)].slice(0, 1 + (round % 2));
      const policy = localPolicy({ documents });
      const cases = Array.from({ length: QUESTIONS / POLICIES }, (_, number) => {
        const asked = facts();
        return { name: `question ${number}`, facts: asked, expect: answered(policy, asked) };
      });
      for (const { expect: { effect, rules } } of cases) seen.add(effect).add(rules.length > 0);
      for (const [at, one] of documents.entries()) await writeFile(join(folder, `policy-${at}.json`), JSON.stringify(one));
      const questions = { policies: documents.map((_, at) => `policy-${at}.json`), principal: { type: "agent", id: "me" }, cases };
      const file = join(folder, "questions.json");
      await writeFile(file, JSON.stringify(questions));
      const { stdout } = await promisify(execFile)(process.env.UIAP_BIN, ["policy", "test", file]).catch((error) => ({ stdout: `${error.stdout}${error.stderr}` }));
      assert.doesNotMatch(stdout, /error|expected/i, `${stdout}\n${JSON.stringify(documents)}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  assert.deepEqual([...EFFECTS, true, false].filter((one) => !seen.has(one)), [], "every answer occurred");
});
