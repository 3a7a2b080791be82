// Walks the tree that is shown: open shadow roots instead of their hosts' children, slots with what they were
// given, aria-owns where it points. One pass, no recursion: pages nest thousands of levels deep.

import { Area, ownedBy } from "./area.js";
import { assignedElements, isSlot, lastElementChild, localName, previousElementSibling, shadowRootOf } from "./dom.js";
import { NODES_MAX } from "./limits.js";

/** What an element inherits from where it stands. Shared by siblings, so it is never changed. */
export interface Place {
  readonly area: Area;
  readonly parentId: string | undefined;
  /** How many published elements are around it. */
  readonly depth: number;
  readonly scopeId: string;
  readonly hidden: boolean;
  readonly disabled: boolean;
  readonly inert: boolean;
  readonly live: boolean;
  /** Inside something that acts as one: only what acts by itself is told apart. */
  readonly owner: boolean;
  readonly framesDeep: number;
}

/** Says what is inside an element: the place of its children, or nothing to see there. */
export type Visit = (element: Element, tag: string, place: Place) => Place | undefined;

export class Walk {
  readonly #elements: Element[] = [];
  readonly #places: Place[] = [];
  readonly #visit: Visit;
  readonly #areaOf: (root: ShadowRoot, host: Area) => Area;

  constructor(visit: Visit, areaOf: (root: ShadowRoot, host: Area) => Area) {
    this.#visit = visit;
    this.#areaOf = areaOf;
  }

  /** Also visits this element, before whatever is still waiting. */
  push(element: Element, place: Place): void {
    this.#elements.push(element);
    this.#places.push(place);
  }

  /** Visits until nothing waits; `false` if it stopped early. */
  run(onError: (error: unknown) => void): boolean {
    for (let left = NODES_MAX; left > 0; left -= 1) {
      const element = this.#elements.pop();
      const place = this.#places.pop();
      if (!element || !place) return true;
      try {
        const tag = localName(element);
        const inside = this.#visit(element, tag, place);
        if (inside) this.#pushChildren(element, tag, inside);
      } catch (error) {
        if (error instanceof Full) return false;
        onError(error);
      }
    }
    return false;
  }

  #pushChildren(element: Element, tag: string, place: Place): void {
    const { area } = place;
    if (area.owned.size > 0) for (const owned of ownedBy(element, area).reverse()) this.push(owned, place);
    const shadow = shadowRootOf(element);
    if (shadow) {
      this.#pushAll(shadow.lastElementChild, { ...place, area: this.#areaOf(shadow, area) });
      return;
    }
    if (area.host && isSlot(element, tag)) {
      const assigned = assignedElements(element);
      if (assigned.length > 0) {
        // What a slot was given belongs to where it was written.
        const given = { ...place, area: area.host };
        for (let at = assigned.length - 1; at >= 0; at -= 1) this.push(assigned[at] as Element, given);
        return;
      }
    }
    this.#pushAll(lastElementChild(element), place);
  }

  #pushAll(last: Element | null, place: Place): void {
    const { owned } = place.area;
    for (let child = last; child; child = previousElementSibling(child)) {
      if (owned.size === 0 || !owned.has(child)) this.push(child, place);
    }
  }
}

/** Thrown by a visitor that can take no more. */
export class Full extends Error {}
