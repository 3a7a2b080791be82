// What a runtime asks of the page, and the answers.

import type { Deed } from "../../publisher/src/deed.js";
import type { PresentationHints, ResolvedTarget } from "../../types/uiap.js";
import type { Actions, Company, Invocation } from "./actions.js";
import type { JsonObject, Known, LocalPolicy, Overlay, RouteProvider } from "./api.js";
import { Misunderstood, isMisunderstood } from "./misunderstood.js";
import type { Page } from "./page.js";
import { primitiveOf } from "./primitives.js";
import { isObject } from "./session.js";

export interface Surroundings {
  /** The publisher; the first who asks loads it. */
  page(): Promise<Page>;
  readonly actions: Actions;
  readonly overlay: Overlay | undefined;
  readonly route: RouteProvider | undefined;
  /** Rules of the application itself. */
  readonly policy: LocalPolicy | undefined;
  /** What the page knows of an action. */
  known(actionId: string): Known;
  /** What the handler of an action gets, and whoever listens hears of it. */
  company(invocation: Invocation): Company;
  /** An action of the application has come to its end, or was refused. */
  ended(invocation: Invocation, refusal: string | undefined): void;
  /** Aborted when the link ends. */
  readonly linked: AbortSignal;
}

type Payload = Record<string, unknown>;
type Answer = (payload: Payload, around: Surroundings) => unknown;

const ANSWER = "x.uiap.page.answer";

const ANSWERS: Readonly<Record<string, Answer>> = {
  "x.uiap.page.offers": (_, { actions }) => actions.list(),
  "x.uiap.page.facts": async (payload, { page }) => (await page()).facts(text(payload, "target")),
  "x.uiap.page.perform": (payload, around) => perform(deed(text(payload, "deed")), around),
  "x.uiap.page.invoke": (payload, around) => invoke(payload, around),
  "x.uiap.page.go": async (payload, around) => {
    const to = text(payload, "to");
    await permit("nav.navigate", {}, around);
    return (await around.page()).go(to, around.route);
  },
  "x.uiap.page.catch-up": async (_, { page }) => { (await page()).catchUp(); },
  "x.uiap.page.rest": async (_, { page }) => (await page()).rest(),
  "x.uiap.page.annotate": async (payload, { page }) => (await page()).annotate(text(payload, "prefix")),
  "x.uiap.page.bind": async (payload, { page }) => (await page()).bind(object(payload, "bindings")),
  "x.uiap.page.present": async (payload, { page, overlay }) => {
    const { target } = payload;
    if (overlay) await (await page()).present(object(payload, "hints") as PresentationHints, typeof target === "string" ? target : undefined, overlay);
  },
};

/** The answer to a request, as the type and payload of a message. */
export async function answer(type: string, payload: Payload, around: Surroundings): Promise<[string, unknown]> {
  const known = Object.hasOwn(ANSWERS, type) ? ANSWERS[type] : undefined;
  try {
    if (type === "web.state.get") return ["web.state.snapshot", { graph: await (await around.page()).follow() }];
    if (!known) return ["error", { code: "unknown_message_type", message: `A page does not know "${type.slice(0, 80)}".` }];
    return [ANSWER, { value: (await known(payload, around)) ?? null }];
  } catch (error) {
    if (error instanceof Denied) return ["error", { code: "policy_denied", message: error.message }];
    const code = isMisunderstood(error) ? "invalid_payload" : "internal_error";
    return ["error", { code, message: String(error) }];
  }
}

/** The rules of the application say no. */
class Denied extends Error {}

/** Nothing happens that the rules of the application do not allow. */
async function permit(actionId: string, question: { target?: ResolvedTarget; executionMode?: "appAction" | "semanticUi" }, { policy, page, known }: Surroundings): Promise<void> {
  if (!policy) return;
  const routeId = (await page()).routeId();
  const why = await policy.permits({ actionId, executionMode: "semanticUi", ...(routeId !== undefined && { routeId }), ...question }, known(actionId));
  if (why !== undefined) throw new Denied(`the rules of the application do not allow it: ${why}`);
}

async function perform(asked: Deed, around: Surroundings): Promise<unknown> {
  const { target, expected } = asked;
  // Bringing something into view is part of looking at it.
  if (asked.act !== "reveal") {
    const isOpen = asked.act === "disclose" ? asked.open : undefined;
    await permit(primitiveOf(asked.act, isOpen), target !== undefined && expected ? { target: { by: "instanceId", instanceId: target, ...expected } as ResolvedTarget } : {}, around);
  }
  return (await around.page()).perform(asked);
}

async function invoke(payload: Payload, around: Surroundings): Promise<string> {
  const { target } = payload;
  const invocation = {
    actionId: text(payload, "actionId"), args: object(payload, "args") as JsonObject, actionHandle: text(payload, "actionHandle"), timeoutMs: number(payload, "timeoutMs"),
    target: isObject(target) ? (target as unknown as ResolvedTarget) : undefined,
  };
  let refusal: string | undefined;
  try {
    await permit(invocation.actionId, { executionMode: "appAction", ...(invocation.target && { target: invocation.target }) }, around);
    return await around.actions.invoke(invocation, around.linked, around.company(invocation));
  } catch (error) {
    refusal = String(error);
    throw error;
  } finally {
    around.ended(invocation, refusal);
  }
}

function text(payload: Payload, name: string): string {
  const value = payload[name];
  if (typeof value !== "string") throw new Misunderstood(`"${name}" is no text`);
  return value;
}

function number(payload: Payload, name: string): number {
  const value = payload[name];
  if (typeof value !== "number") throw new Misunderstood(`"${name}" is no number`);
  return value;
}

function object(payload: Payload, name: string): Payload {
  const value = payload[name];
  if (!isObject(value)) throw new Misunderstood(`"${name}" is no object`);
  return value;
}

function deed(json: string): Deed {
  try {
    return JSON.parse(json) as Deed;
  } catch {
    throw new Misunderstood("the deed cannot be read");
  }
}
