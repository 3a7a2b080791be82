// Values of form controls that scripts set: the browser tells nobody, so they are compared.

import { localName, matches } from "./dom.js";
import type { Record } from "./records.js";

/** What a control holds, to be compared only; it never leaves this module. */
type Held = readonly (string | number | boolean)[];

function held(element: Element, tag: string): Held | undefined {
  switch (tag) {
    case "input": {
      const input = element as HTMLInputElement;
      return [input.value, input.checked, input.indeterminate, input.disabled, matches(input, ":invalid")];
    }
    case "textarea":
      return [(element as HTMLTextAreaElement).value, matches(element, ":invalid")];
    case "select": {
      const select = element as HTMLSelectElement;
      const options = [select.options.length, select.selectedIndex, matches(select, ":invalid")];
      if (!select.multiple) return options;
      const { selectedOptions } = select;
      for (let at = 0; at < selectedOptions.length; at += 1) options.push(selectedOptions[at]?.index ?? -1);
      return options;
    }
    case "option":
      return [(element as HTMLOptionElement).selected];
    case "progress":
    case "meter":
      return [(element as HTMLMeterElement).value];
    default:
      return undefined;
  }
}

/** A label that stands in for its control is as its control is. */
function heldBy(element: Element): Held | undefined {
  const tag = localName(element);
  const control = tag === "label" ? (element as HTMLLabelElement).control : null;
  return control ? held(control, localName(control)) : held(element, tag);
}

function isSame(before: Held, now: Held | undefined): boolean {
  if (before.length !== now?.length) return false;
  for (let at = 0; at < before.length; at += 1) if (before[at] !== now[at]) return false;
  return true;
}

export class Values {
  /** Only what holds something, so that the rest of a page costs nothing. */
  readonly #held = new Map<Element, Held>();

  remember(records: Iterable<Record>): void {
    for (const { element, listed } of records) {
      const now = listed ? heldBy(element) : undefined;
      if (now) this.#held.set(element, now);
      else this.#held.delete(element);
    }
  }

  changed(tell: (element: Element) => void): void {
    for (const [element, before] of this.#held) if (!isSame(before, heldBy(element))) tell(element);
  }
}
