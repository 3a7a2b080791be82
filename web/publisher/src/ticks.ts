// Text that changes by itself, again and again: clocks, countdowns, "3 seconds ago".
//
// A text ticks if nothing but its numbers changed, several times in a row, each time soon after the last and not because
// somebody did something. What is made of such a text is volatile: its numbers are told with other news, but are none.
// When it rests, or says something else, it counts again.

import { firstElementChild, nodeType, parentNode, queryAll, textContent } from "./dom.js";
import { TICKING_MAX, TICKING_PER_BATCH_MAX, TICK_CHARS_MAX } from "./limits.js";

/** How often a text must tick to be volatile. */
const TICKS_MIN = 3;
/** How long after one tick the next must come, in milliseconds. */
const TICK_GAP_MAX_MS = 2_000;
/** How long after the last tick a text rests, in milliseconds. */
const TICK_REST_MS = 10_000;
/** How long what somebody does may be the reason for a change, in milliseconds. */
const ACT_MS = 1_000;

/** A text but for its numbers. */
const shapeOf = (text: string): string => text.replace(/\d+/g, "0");

/** Whether two texts differ in nothing but numbers. */
export const sameButNumbers = (one: string | undefined, other: string | undefined): boolean => one === other || (one !== undefined && other !== undefined && shapeOf(one) === shapeOf(other));

interface Ticking {
  readonly text: string;
  readonly count: number;
  readonly atMs: number;
}

const volatile = new WeakSet<Element>();
let isAnyVolatile = false;

/** Whether the text of an element changes by itself. */
export const isVolatile = (element: Element): boolean => isAnyVolatile && volatile.has(element);

export class Ticks {
  /** What changed last, the longest ago first. */
  readonly #texts = new Map<Element, Ticking>();
  #actedAtMs = Number.NEGATIVE_INFINITY;

  /** Somebody did something; what changes now changes because of that. */
  acted(): void {
    this.#actedAtMs = performance.now();
  }

  /** Sees every batch of mutations at once. */
  hear(records: readonly MutationRecord[]): void {
    const changed = new Set<Element>();
    for (const { type, target } of records) {
      if (type === "attributes" || changed.size >= TICKING_PER_BATCH_MAX) continue;
      const element = nodeType(target) === 1 ? target : parentNode(target);
      if (element && nodeType(element) === 1) changed.add(element as Element);
    }
    for (const element of changed) this.#note(element, performance.now());
  }

  #note(element: Element, nowMs: number): void {
    const before = this.#texts.get(element);
    const text = firstElementChild(element) === null ? (textContent(element) ?? "") : "";
    if (text === before?.text) return;
    this.#texts.delete(element);
    const isTick = before !== undefined && sameButNumbers(before.text, text) && nowMs - before.atMs <= TICK_GAP_MAX_MS;
    const isOwn = nowMs - this.#actedAtMs > ACT_MS;
    if (text === "" || text.length > TICK_CHARS_MAX || (before && !isTick)) volatile.delete(element);
    if (text === "" || text.length > TICK_CHARS_MAX) return;
    const count = isTick && (isOwn || volatile.has(element)) ? before.count + 1 : 0;
    this.#texts.set(element, { text, count, atMs: nowMs });
    if (count >= TICKS_MIN) {
      volatile.add(element);
      isAnyVolatile = true;
    }
    if (this.#texts.size > TICKING_MAX) this.#drop();
  }

  #drop(): void {
    const [oldest] = this.#texts.keys();
    if (!oldest) return;
    this.#texts.delete(oldest);
    volatile.delete(oldest);
  }

  /** Whether the title of a document changes by itself. */
  inTitle(top: Document): boolean {
    if (!isAnyVolatile) return false;
    const [title] = queryAll(top, "title");
    return title !== undefined && volatile.has(title);
  }

  /** Elements whose text rests now, and counts again. */
  *rested(): Generator<Element> {
    if (!isAnyVolatile) return;
    const nowMs = performance.now();
    for (const [element, { atMs }] of this.#texts) {
      if (nowMs - atMs <= TICK_REST_MS) return;
      this.#texts.delete(element);
      if (volatile.delete(element)) yield element;
    }
  }
}
