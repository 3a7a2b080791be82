// May this happen, with what obligations, and why: the decision of the runtime (`uiap-policy`), for a page that wants to
// decide for itself. What the runtime guesses from the words on a page is not guessed here, so a page can refuse what
// the runtime allows, and never the other way round: both are asked.
//
// A test holds it against the program itself, question by question.

import type { PolicyDecision, PolicyDefaults, PolicyDocument, PolicyEffect, PolicyGrant, PolicyMatch, PolicyObligation, PolicyPrincipal, PolicyRule, RiskDescriptor, RiskLevel, RiskTag } from "../../types/uiap.js";
import { HARMLESS, PRIMITIVES, QUIET } from "./primitives.js";

/** What a decision is about. */
export interface Facts {
  readonly principal: PolicyPrincipal;
  readonly actionId: string;
  /** Somebody described the action. */
  readonly isKnown: boolean;
  readonly stableId?: string | undefined;
  /** The innermost first. */
  readonly scopes: readonly string[];
  readonly role?: string | undefined;
  readonly isSensitive: boolean;
  readonly routeId?: string | undefined;
  readonly risk: RiskDescriptor;
  readonly sideEffect: string;
  readonly dataClasses: readonly string[];
  readonly mode?: string | undefined;
}

/** Without the marks that make it a message. */
export type Decided = Omit<PolicyDecision, "decisionId" | "decidedAt">;

interface Cause {
  readonly effect: PolicyEffect;
  readonly why: string;
  readonly rule?: PolicyRule;
  readonly withholds?: true;
}

/** Later ones are stricter. */
const EFFECTS: readonly PolicyEffect[] = ["allow", "confirm", "handoff", "deny"];
const LEVELS: readonly RiskLevel[] = ["safe", "confirm", "blocked"];
/** Each right contains those before it. */
const LADDER: readonly string[] = ["observe", "guide", "draft", "act", "admin"];
const IMPLIED: Readonly<Record<string, RiskTag>> = {
  destructive: "destructive", irreversible: "irreversible", billing_change: "billing", security_change: "security", identity_change: "identity", external_effect: "external_effect",
};
const NEEDED: Readonly<Record<string, PolicyGrant>> = {
  none: "observe", navigation: "guide", local_ui: "guide", draft: "draft", destructive: "admin", irreversible: "admin",
  billing_change: "billing", security_change: "security", identity_change: "identity",
};
const ALWAYS_CARE: readonly string[] = ["destructive", "irreversible", "security", "billing", "identity", "legal"];
const CARE_IN_WRITING: readonly string[] = ["sensitive_data", "external_effect", "privileged"];
const SECRET: readonly string[] = ["credential", "secret", "payment"];
const SENSITIVE: readonly string[] = ["sensitive", "health"];
/** Members of conditions and rules that are understood. */
const CONDITIONS: readonly string[] = [
  "actions", "actionKinds", "targets", "scopes", "routes", "roles", "riskLevels", "riskTags", "sideEffects", "dataClasses",
  "principalTypes", "principalRoles", "lacksGrant", "hasGrant", "executionModes", "not",
];
const RULE_MEMBERS: readonly string[] = ["id", "description", "priority", "when", "effect", "reason", "obligations"];

const NO = 0;
const UNSURE = 1;
const YES = 2;

const strictest = <T>(order: readonly T[], words: readonly T[], least: T): T => words.reduce((one, other) => (order.indexOf(other) > order.indexOf(one) ? other : one), least);
const asks = ({ obligations = [] }: PolicyRule): boolean => obligations.some(({ kind }) => kind === "confirm");
const effectOf = (rule: PolicyRule): PolicyEffect => (asks(rule) ? strictest(EFFECTS, [rule.effect], "confirm") : rule.effect);

/** Whether a principal has a right. */
function holds({ grants = [] }: PolicyPrincipal, grant: string): boolean {
  const step = LADDER.indexOf(grant);
  return grants.some((held) => held === grant || (step >= 0 && LADDER.indexOf(held) >= step));
}

/** `*` stands for any characters of a dotted segment, and a segment is never empty. */
function fits(pattern: string, id: string): boolean {
  if (!pattern.includes("*")) return pattern === id;
  const parts = id.split(".");
  const segments = pattern.split(".");
  return segments.length === parts.length && segments.every((segment, at) => fitsSegment(segment.split("*"), parts[at] as string));
}

/** Whether a text is the pieces in their order. Taking each as early as possible leaves most for the rest. */
function fitsSegment(pieces: readonly string[], part: string): boolean {
  const [first, ...others] = pieces as [string, ...string[]];
  if (others.length === 0) return first === part;
  if (part === "" || !part.startsWith(first)) return false;
  const last = others.pop() as string;
  let from = first.length;
  for (const piece of others) {
    const found = part.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return part.length - last.length >= from && part.endsWith(last);
}

const writes = ({ sideEffect }: Facts): boolean => !QUIET.includes(sideEffect);

function tagsOf({ risk, sideEffect }: Facts): RiskTag[] {
  const implied = IMPLIED[sideEffect];
  return [...new Set([...(risk.tags ?? []), ...(implied ? [implied] : [])])];
}

function levelOf(facts: Facts): RiskLevel {
  const isCareful = tagsOf(facts).some((tag) => ALWAYS_CARE.includes(tag) || (writes(facts) && CARE_IN_WRITING.includes(tag)));
  return strictest(LEVELS, [facts.risk.level], isCareful ? "confirm" : "safe");
}

/** What an action does with the data of its target. */
function dataUse(facts: Facts): "none" | "read" | "write" {
  const { actionId } = facts;
  if (actionId === "ui.read") return "read";
  if (HARMLESS.includes(actionId)) return "none";
  if (writes(facts)) return "write";
  if (!PRIMITIVES.includes(actionId)) return "read";
  return actionId === "ui.activate" || actionId === "app.invoke" ? "none" : "write";
}

function truth(when: PolicyMatch, facts: Facts): number {
  const { principal, actionId, stableId, scopes, role, routeId, dataClasses, sideEffect, mode } = facts;
  const any = <T>(items: readonly T[] | undefined, isSo: (item: T) => boolean): boolean => items === undefined || items.some(isSo);
  const among = (items: readonly string[] | undefined, of: readonly (string | undefined)[]): boolean => any(items, (item) => of.includes(item));
  const named = (patterns: readonly string[] | undefined, ids: readonly (string | undefined)[]): boolean =>
    any(patterns, (pattern) => ids.some((id) => id !== undefined && fits(pattern, id)));
  const isSo = among(when.actionKinds, [PRIMITIVES.includes(actionId) ? "primitive" : "domain"])
    && among(when.principalTypes, [principal.type]) && among(when.sideEffects, [sideEffect]) && among(when.executionModes, [mode])
    && among(when.riskLevels, [levelOf(facts)]) && among(when.dataClasses, dataClasses) && among(when.riskTags, tagsOf(facts)) && among(when.roles, [role])
    && named(when.actions, [actionId]) && named(when.targets, [stableId]) && named(when.routes, [routeId]) && named(when.scopes, scopes)
    && among(when.principalRoles, principal.roles ?? []) && any(when.hasGrant, (grant) => holds(principal, grant)) && any(when.lacksGrant, (grant) => !holds(principal, grant));
  if (!isSo) return NO;
  const own = Object.keys(when).every((member) => CONDITIONS.includes(member)) ? YES : UNSURE;
  return Math.min(own, when.not ? YES - truth(when.not, facts) : YES);
}

/** A rule with members of a later version may be limited by them. */
function ruleTruth(rule: PolicyRule, facts: Facts): number {
  const isUnderstood = Object.keys(rule).every((member) => RULE_MEMBERS.includes(member) || member.startsWith("x.") || member.startsWith("x-"));
  return Math.min(truth(rule.when, facts), isUnderstood ? YES : UNSURE);
}

/** What a document says: its rules, and its defaults where they say nothing. */
function* said({ id, rules, defaults }: PolicyDocument, facts: Facts): Generator<Cause> {
  // A rule that is not understood never allows; one that forbids holds all the more.
  const own = rules.filter((rule) => {
    const found = ruleTruth(rule, facts);
    return found === YES || (found === UNSURE && effectOf(rule) !== "allow");
  });
  for (const rule of own) yield { effect: effectOf(rule), rule, why: `The rule "${rule.id}" of "${id}" says ${effectOf(rule)}. ${rule.reason ?? rule.description ?? ""}`.trim() };
  const byDefault = (effect: PolicyEffect | undefined, why: string): Cause[] => (effect ? [{ effect, why: `${why}; the default of "${id}" is ${effect}.` }] : []);
  // A rule about everything says nothing about what nobody knew when it was written.
  if (!facts.isKnown && !own.some(({ when }) => when.actions)) yield* byDefault(defaults.onUnknownAction, `The action "${facts.actionId}" is not known`);
  if (own.length > 0) return;
  if (facts.sideEffect === "unknown") yield* byDefault(defaults.onUnknownSideEffect, `Nobody knows what "${facts.actionId}" would change`);
  yield* byDefault(defaults.onNoMatch, `No rule speaks about "${facts.actionId}"`);
}

export function decide(documents: readonly PolicyDocument[], facts: Facts): Decided {
  const { principal, actionId, dataClasses, isSensitive } = facts;
  const refusal = (member: keyof PolicyDefaults): PolicyEffect => {
    const words = documents.flatMap(({ defaults }) => (defaults[member] === undefined ? [] : [defaults[member] as PolicyEffect]));
    return words.length > 0 ? strictest(EFFECTS, words, "handoff") : "handoff";
  };
  const causes: Cause[] = documents.flatMap((document) => [...said(document, facts)]);
  const level = facts.isKnown ? levelOf(facts) : strictest(LEVELS, [levelOf(facts)], "confirm");
  if (level !== "safe") causes.push({ effect: level === "confirm" ? "confirm" : refusal("onBlockedRisk"), why: `The risk of "${actionId}" is ${level}.` });
  const use = dataUse(facts);
  const isProtected = isSensitive || dataClasses.some((one) => SECRET.includes(one) || SENSITIVE.includes(one));
  const needed: PolicyGrant[] = [NEEDED[facts.sideEffect] ?? "act", ...(use === "write" && isProtected ? ["write.sensitive" as const] : [])];
  const missingGrants = needed.filter((grant) => !holds(principal, grant));
  if (missingGrants.length > 0) causes.push({ effect: refusal("onMissingGrant"), why: `"${principal.id}" lacks the grant ${missingGrants.join(" and ")} for "${actionId}".` });
  if (use === "read" && isProtected) causes.push(...protectedRead(documents, facts));
  // A stable sort: what is equally strict and equally important stays in the order of the documents.
  const rank = ({ effect }: Cause): number => EFFECTS.indexOf(effect);
  causes.sort((one, other) => rank(other) - rank(one) || (other.rule?.priority ?? 0) - (one.rule?.priority ?? 0));
  const effect = causes[0]?.effect ?? "allow";
  const obligations = obligationsOf(causes, effect, dataClasses);
  const policyRevision = documents.find(({ revision }) => revision !== undefined)?.revision;
  const tags = tagsOf(facts);
  return {
    effect, reason: causes[0]?.why ?? `Nothing speaks against "${actionId}".`,
    ruleIds: causes.flatMap(({ rule }) => (rule ? [rule.id] : [])),
    ...(obligations.length > 0 && { obligations }),
    effectiveRisk: { level, ...(tags.length > 0 && { tags }), ...(facts.risk.reason !== undefined && { reason: facts.risk.reason }) },
    ...(missingGrants.length > 0 && { missingGrants }), ...(policyRevision !== undefined && { policyRevision }),
  };
}

/** The strictest answer of all documents; one that says nothing withholds, and nobody can open a secret. */
function protectedRead(documents: readonly PolicyDocument[], { principal, dataClasses }: Facts): Cause[] {
  const grant = dataClasses.some((one) => SECRET.includes(one)) ? "read.secret" : "read.sensitive";
  if (holds(principal, grant)) return [];
  const why = `"${principal.id}" lacks the grant ${grant} to read this value.`;
  const words = documents.map(({ defaults }) => defaults.onSensitiveRead);
  if (words.includes("deny")) return [{ effect: "deny", why }];
  const isOpen = words.length > 0 && words.every((word) => word === "allow");
  return isOpen && grant !== "read.secret" ? [] : [{ effect: "allow", why, withholds: true }];
}

/** What all causes ask for, the most important first, nothing twice. */
function obligationsOf(causes: readonly Cause[], effect: PolicyEffect, dataClasses: readonly string[]): PolicyObligation[] {
  const asked = new Map<string, PolicyObligation>();
  const ask = (one: PolicyObligation): void => {
    const key = JSON.stringify(one);
    if (!asked.has(key)) asked.set(key, one);
  };
  for (const { rule, withholds } of causes) {
    rule?.obligations?.forEach(ask);
    if (withholds) ask({ kind: "redact", ...(dataClasses.length > 0 && { dataClasses }) } as PolicyObligation);
  }
  if (effect === "confirm" && ![...asked.values()].some(({ kind }) => kind === "confirm")) ask({ kind: "confirm", by: "user" });
  return [...asked.values()];
}
