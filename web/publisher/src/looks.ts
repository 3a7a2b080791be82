// Elements that style sheets may show, hide or redraw because of something elsewhere: a checked box beside them, the
// pointer over them, a child that came. They are few, so their looks are remembered and compared.

import type { Maker } from "./maker.js";
import type { Root } from "./dom.js";
import { styleOf } from "./dom.js";
import type { Trigger } from "./rules.js";
import { isVisible } from "./visibility.js";

const ALL: readonly Trigger[] = ["hover", "focus", "form", "route", "structure"];

export class Looks {
  #seen = new WeakMap<Element, string>();

  /** Remembers how things look now. */
  remember(maker: Maker, roots: Iterable<Root>): void {
    this.#seen = new WeakMap();
    for (const trigger of ALL) this.#each(maker, roots, trigger, (element) => this.#seen.set(element, looks(element)));
  }

  /** Tells the elements that look different since they were last seen. */
  changed(maker: Maker, roots: Iterable<Root>, triggers: Iterable<Trigger>, tell: (element: Element) => void): void {
    for (const trigger of triggers) {
      this.#each(maker, roots, trigger, (element) => {
        const now = looks(element);
        if (this.#seen.get(element) === now) return;
        this.#seen.set(element, now);
        tell(element);
      });
    }
  }

  #each(maker: Maker, roots: Iterable<Root>, trigger: Trigger, use: (element: Element) => void): void {
    for (const root of roots) {
      const hints = maker.knownArea(root)?.names.hints;
      if (hints?.watches(trigger)) for (const element of hints.watched(trigger)) use(element);
    }
  }
}

function looks(element: Element): string {
  return `${isVisible(element)} ${styleOf(element).textTransform} ${styleOf(element, "::before").content} ${styleOf(element, "::after").content}`;
}
