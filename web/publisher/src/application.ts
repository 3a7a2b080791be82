// What the application says, from the page's own world. The page can say anything, so only what the protocol lets an
// application say is passed on, and only so much of it.

import type { Happening } from "./signals.js";
import { SIGNALS_PER_SECOND_MAX, SIGNAL_DEPTH_MAX } from "./limits.js";
import { SIGNAL_CHARS_MAX, SIGNAL_EVENT } from "./registered.js";

const ENTITY_KINDS = new Set(["entity.created", "entity.updated", "entity.deleted"]);

/** There was more, or longer, or other than an application can say. */
export const DROPPED: Happening = { kind: "x.uiap.signals.dropped" } as Happening;

/** Listens to a document; of what comes too fast only the first is told, as dropped. */
export function listen(top: Document, hear: (said: Happening) => void): void {
  let since = Number.NEGATIVE_INFINITY;
  let heard = 0;
  top.addEventListener(SIGNAL_EVENT, (event) => {
    if (performance.now() - since > 1_000) [since, heard] = [performance.now(), 0];
    heard += 1;
    if (heard <= SIGNALS_PER_SECOND_MAX) hear(read(event) ?? DROPPED);
    else if (heard === SIGNALS_PER_SECOND_MAX + 1) hear(DROPPED);
  });
}

function read(event: Event): Happening | undefined {
  const { detail } = event as CustomEvent<unknown>;
  if (typeof detail !== "string" || detail.length > SIGNAL_CHARS_MAX) return undefined;
  try {
    return said(JSON.parse(detail));
  } catch {
    return undefined;
  }
}

function said(value: unknown): Happening | undefined {
  if (!isObject(value)) return undefined;
  const { kind, entityType, name, payload } = value;
  if (payload !== undefined && !(isObject(payload) && isFlat(payload, SIGNAL_DEPTH_MAX))) return undefined;
  const rest = payload === undefined ? {} : { payload };
  if (kind === "custom") return typeof name === "string" && name !== "" ? ({ kind, name, ...rest } as Happening) : undefined;
  return ENTITY_KINDS.has(String(kind)) && typeof entityType === "string" ? ({ kind, entityType, ...rest } as Happening) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** It is nested no deeper than this. */
function isFlat(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isFlat(member, depth - 1));
}
