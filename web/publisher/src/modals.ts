// Modal layers: their order, and what they keep from being used.

import { contains } from "./dom.js";
import type { Record } from "./records.js";
import { PAGE_SCOPE } from "./scopes.js";
import { isAbove } from "./stacking.js";

/** What the open modal layers of a page come to. */
export interface Stack {
  /** The areas of the layers, the topmost last. */
  readonly scopeIds: string[];
  /** Areas that the browser keeps from being used, with everything in them that is not in a layer above. */
  readonly blocked: ReadonlySet<string>;
}

/**
 * What lies over what is asked of the page; where it cannot say, later ones cover earlier ones, and the one with the
 * focus is on top: nothing under it could have the focus.
 */
export function stackOf(open: readonly Record[], focused: Element | null, frameScopeOf: (documentId: string) => string | undefined): Stack {
  const order = inLayers(open, focused);
  const blocked = new Set<string>();
  const top = new Map<string, string>();
  for (const { made } of order) {
    if (made?.modal !== "native" || !made.scope) continue;
    const { documentId } = made.node;
    const below = top.get(documentId) ?? frameScopeOf(documentId) ?? PAGE_SCOPE;
    blocked.add(below);
    top.set(documentId, made.scope.id);
  }
  return { scopeIds: order.map(({ made }) => made?.scope?.id ?? ""), blocked };
}

/** The lowest first. */
function inLayers(open: readonly Record[], focused: Element | null): Record[] {
  const holding = open.filter(({ element }) => focused !== null && contains(element, focused));
  const sorted: Record[] = [];
  for (const layer of [...open.filter((one) => !holding.includes(one)), ...holding]) {
    let at = sorted.length;
    while (at > 0 && isAbove((sorted[at - 1] as Record).element, layer.element)) at -= 1;
    sorted.splice(at, 0, layer);
  }
  return sorted;
}
