// Policies in the page: an application refuses for itself what its own rules do not allow, whatever a runtime decided.
//
// `localPolicy` is given to the client. It is asked before a handler runs and before anything is done to the page.

import type { PolicyDecision, PolicyDocument, PolicyEvaluateInput, PolicyPrincipal, RiskDescriptor } from "../../types/uiap.js";
import type { Known, LocalPolicy } from "./api.js";
import { decide } from "./decide.js";
import type { Facts } from "./decide.js";
import { PRIMITIVES, usualEffect } from "./primitives.js";

/** Asks a person in the application; says whether they agree. */
export type ConfirmationProvider = (decision: PolicyDecision, input: PolicyEvaluateInput) => Promise<boolean>;

export interface SDKPolicyConfig {
  documents?: PolicyDocument[];
  /** For whom it is decided, until `setPrincipal` says otherwise. */
  principal?: PolicyPrincipal;
  confirmation?: ConfirmationProvider;
  /** Whether everything is refused as long as nobody said for whom; it is unless this is `false`. */
  failClosed?: boolean;
}

/** Rules of all documents together; more would be felt by the page. */
const RULES_MAX = 10_000;
const SAFE: RiskDescriptor = { level: "safe" };
/** The gravest first. */
const BY_TAG = [
  ["irreversible", "irreversible"], ["destructive", "destructive"], ["billing", "billing_change"], ["security", "security_change"],
  ["identity", "identity_change"], ["external_effect", "external_effect"],
] as const;

export function localPolicy({ documents = [], principal, confirmation, failClosed = true }: SDKPolicyConfig): LocalPolicy {
  let bundled: readonly PolicyDocument[] = [];
  let current = principal;
  const all = (): PolicyDocument[] => {
    const every = [...documents, ...bundled];
    if (every.reduce((sum, { rules }) => sum + rules.length, 0) > RULES_MAX) throw new RangeError(`a page decides by at most ${RULES_MAX} rules`);
    return every;
  };
  const evaluate = (input: PolicyEvaluateInput, known: Known): PolicyDecision => ({
    decisionId: `dec_${crypto.randomUUID()}`, ...decide(all(), factsOf(input, known)), decidedAt: new Date().toISOString(),
  });
  return {
    load: (given) => { bundled = given; },
    setPrincipal: (given) => { current = given; },
    principal: () => current,
    evaluate,
    permits: async (question, known) => {
      if (!current) return failClosed ? "nobody said for whom the application decides" : undefined;
      const input = { ...question, principal: current };
      const decision = evaluate(input, known);
      if (decision.effect === "allow") return undefined;
      if (decision.effect === "confirm" && confirmation && (await confirmation(decision, input))) return undefined;
      return decision.reason;
    },
  };
}

function factsOf({ principal, actionId, target, executionMode, sideEffectClass, dataClasses = [], routeId }: PolicyEvaluateInput, known: Known): Facts {
  const risk = known.risk ?? SAFE;
  const byTag = BY_TAG.find(([tag]) => risk.tags?.includes(tag))?.[1];
  const { stableId, role, scope } = named(target);
  return {
    principal, actionId, isKnown: known.isDescribed ?? (PRIMITIVES.includes(actionId) || known.risk !== undefined), stableId, role, routeId,
    scopes: known.scopes ?? (scope === undefined ? [] : [scope]), isSensitive: known.isSensitive === true, risk,
    sideEffect: sideEffectClass ?? byTag ?? usualEffect(actionId), dataClasses, mode: executionMode,
  };
}

function named(target: PolicyEvaluateInput["target"]): { stableId?: string | undefined; role?: string | undefined; scope?: string | undefined } {
  if (!target) return {};
  if ("instanceId" in target) return { stableId: target.stableId, role: target.role, scope: target.scopeId };
  if (target.by === "stableId") return { stableId: target.value };
  if (target.by === "semantic") return { role: target.role, scope: target.scope };
  return target.by === "scope" ? { scope: target.value } : {};
}
