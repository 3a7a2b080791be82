// What a runtime asks of the page, and the answers.

import type { Deed } from "../../publisher/src/deed.js";
import type { PresentationHints } from "../../types/uiap.js";
import type { Actions } from "./actions.js";
import type { JsonObject, Overlay, RouteProvider } from "./api.js";
import { Misunderstood, isMisunderstood } from "./misunderstood.js";
import type { Page } from "./page.js";
import { isObject } from "./session.js";

export interface Surroundings {
  readonly page: Page;
  readonly actions: Actions;
  readonly overlay: Overlay | undefined;
  readonly route: RouteProvider | undefined;
  /** Aborted when the link ends. */
  readonly linked: AbortSignal;
}

type Payload = Record<string, unknown>;
type Answer = (payload: Payload, around: Surroundings) => unknown;

const ANSWER = "x.uiap.page.answer";

const ANSWERS: Readonly<Record<string, Answer>> = {
  "x.uiap.page.offers": (_, { actions }) => actions.list(),
  "x.uiap.page.facts": (payload, { page }) => page.facts(text(payload, "target")),
  "x.uiap.page.perform": (payload, { page }) => page.perform(deed(text(payload, "deed"))),
  "x.uiap.page.invoke": (payload, { actions, linked }) => actions.invoke({
    actionId: text(payload, "actionId"), args: object(payload, "args") as JsonObject, actionHandle: text(payload, "actionHandle"), timeoutMs: number(payload, "timeoutMs"),
  }, linked),
  "x.uiap.page.go": (payload, { page, route }) => page.go(text(payload, "to"), route),
  "x.uiap.page.catch-up": (_, { page }) => { page.catchUp(); },
  "x.uiap.page.rest": (_, { page }) => page.rest(),
  "x.uiap.page.annotate": (payload, { page }) => page.annotate(text(payload, "prefix")),
  "x.uiap.page.bind": (payload, { page }) => page.bind(object(payload, "bindings")),
  "x.uiap.page.present": async (payload, { page, overlay }) => {
    const { target } = payload;
    if (overlay) await page.present(object(payload, "hints") as PresentationHints, typeof target === "string" ? target : undefined, overlay);
  },
};

/** The answer to a request, as the type and payload of a message. */
export async function answer(type: string, payload: Payload, around: Surroundings): Promise<[string, unknown]> {
  const known = Object.hasOwn(ANSWERS, type) ? ANSWERS[type] : undefined;
  try {
    if (type === "web.state.get") return ["web.state.snapshot", { graph: await around.page.follow() }];
    if (!known) return ["error", { code: "unknown_message_type", message: `A page does not know "${type.slice(0, 80)}".` }];
    return [ANSWER, { value: (await known(payload, around)) ?? null }];
  } catch (error) {
    const code = isMisunderstood(error) ? "invalid_payload" : "internal_error";
    return ["error", { code, message: String(error) }];
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
