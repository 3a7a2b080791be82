// Whether what is about to be acted on is still what somebody decided to act on.
//
// Pages use their nodes for something else: a list shows other rows in the nodes it has. They do so at any time, also
// while a node takes the focus or a button is held down on it. What is told apart here is told apart in the graph.

import type { Described, Directory } from "./check.js";
import { Refused } from "./deed.js";
import type { Deed, Expected } from "./deed.js";
import { outward } from "./hit.js";

export class Meant {
  readonly #target: string | undefined;
  readonly #expected: Expected | undefined;
  readonly #directory: Directory;

  constructor({ target, expected }: Deed, directory: Directory) {
    this.#target = target;
    this.#expected = expected;
    this.#directory = directory;
  }

  /** The target is still what it was. */
  holds(): boolean {
    if (this.#target === undefined || !this.#expected) return true;
    return isSame(this.#expected, this.#directory.described(this.#target));
  }

  /** Nothing is done to anything else. */
  sure(): void {
    if (!this.holds()) throw new Refused("changed");
  }

  /** Another node stands for the same by now, because the page made it anew. */
  isBy(met: Element): boolean {
    if (!this.#expected) return true;
    for (let at: Element | undefined = met; at; at = outward(at)) {
      const id = this.#directory.id(at);
      if (id !== undefined) return isSame(this.#expected, this.#directory.described(id));
    }
    return false;
  }
}

function isSame(expected: Expected, now: Described | undefined): boolean {
  if (!now) return false;
  const { role, name, stableId, documentId, scopeId, around } = expected;
  if (now.role !== role || now.name !== name || now.stableId !== stableId) return false;
  if (now.documentId !== documentId || now.scopeId !== scopeId) return false;
  if (!around) return true;
  return around.length === now.around.length && around.every(([outer, called], at) => now.around[at]?.role === outer && (now.around[at].name ?? null) === called);
}
