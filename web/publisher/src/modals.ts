// Modal layers: their order, and what they keep from being used.

import { contains } from "./dom.js";
import { isAbove } from "./stacking.js";

/** A modal layer around an element; layers nest. */
export interface Layer {
  element: Element;
  documentId: string;
  outer: Layer | undefined;
}

interface Open {
  layer: Layer;
  scopeId: string;
  /** The browser makes everything outside inert; ARIA only says so. */
  native: boolean;
}

/** The modal layers of one graph. */
export class Modals {
  readonly #open: Open[] = [];
  #sorted: readonly Open[] | undefined;
  readonly #focused: Element | null;

  constructor(focused: Element | null) {
    this.#focused = focused;
  }

  add(layer: Layer, scopeId: string, native: boolean): void {
    this.#open.push({ layer, scopeId, native });
    this.#sorted = undefined;
  }

  /**
   * The lowest first. What lies over what is asked of the page; where it cannot say, later ones cover earlier ones,
   * and the one with the focus is on top: nothing under it could have the focus.
   */
  // Reads also: whatever lies over the middle of the layers, as soon as there are two.
  #stack(): readonly Open[] {
    if (this.#sorted) return this.#sorted;
    const focused = this.#focused;
    const holding = this.#open.filter(({ layer }) => focused !== null && contains(layer.element, focused));
    const sorted: Open[] = [];
    for (const open of [...this.#open.filter((one) => !holding.includes(one)), ...holding]) {
      let at = sorted.length;
      while (at > 0 && isAbove((sorted[at - 1] as Open).layer.element, open.layer.element)) at -= 1;
      sorted.splice(at, 0, open);
    }
    this.#sorted = sorted;
    return sorted;
  }

  isLayer(element: Element | undefined): boolean {
    return this.#open.some(({ layer, native }) => native && layer.element === element);
  }

  /** A native layer is covered if another one of its document is above it. */
  isCovered(element: Element | undefined): boolean {
    const natives = this.#stack().filter(({ native }) => native);
    const own = natives.find(({ layer }) => layer.element === element);
    const last = natives.filter(({ layer }) => layer.documentId === own?.layer.documentId).at(-1);
    return own !== undefined && last !== own;
  }

  scopeIds(): string[] {
    return this.#stack().map(({ scopeId }) => scopeId);
  }

  /** Answers whether something inside these layers is out of reach; `undefined` if nothing can be. */
  reach(): ((documentId: string, layer: Layer | undefined) => boolean) | undefined {
    const top = new Map<string, Layer>();
    for (const { layer, native } of this.#stack()) if (native) top.set(layer.documentId, layer);
    if (top.size === 0) return undefined;
    return (documentId, layer) => {
      const needed = top.get(documentId);
      let inner = layer;
      while (inner && inner.documentId !== documentId) inner = inner.outer;
      if (needed && !isWithin(inner, needed)) return true;
      // A layer of an outer document also blocks the frames beneath it.
      for (const [outerId, wanted] of top) {
        if (outerId === documentId || outerId === undefined) continue;
        if (outerId === "doc_root" && !isWithin(layer, wanted)) return true;
      }
      return false;
    };
  }
}

function isWithin(layer: Layer | undefined, wanted: Layer): boolean {
  for (let at = layer; at; at = at.outer) if (at === wanted) return true;
  return false;
}
