// Values of form controls that scripts set: the browser tells nobody, so they are compared.

import { localName, matches } from "./dom.js";
import type { Record, RecordList } from "./records.js";

/** What a control holds, to be compared only; it never leaves this module. */
function held(element: Element, tag: string): string | undefined {
  switch (tag) {
    case "input": {
      const input = element as HTMLInputElement;
      return `${input.checked}${input.indeterminate}${matches(input, ":invalid")}${input.disabled}${input.value}`;
    }
    case "textarea":
      return `${matches(element, ":invalid")}${(element as HTMLTextAreaElement).value}`;
    case "select": {
      const select = element as HTMLSelectElement;
      let chosen = "";
      for (let at = 0; at < select.selectedOptions.length; at += 1) chosen += `,${select.selectedOptions[at]?.index ?? ""}`;
      return `${matches(select, ":invalid")}${select.options.length}${chosen}`;
    }
    case "option":
      return String((element as HTMLOptionElement).selected);
    case "progress":
    case "meter":
      return String((element as HTMLMeterElement).value);
    default:
      return undefined;
  }
}

/** A label that stands in for its control is as its control is. */
function heldBy(element: Element): string | undefined {
  const tag = localName(element);
  const control = tag === "label" ? (element as HTMLLabelElement).control : null;
  return control ? held(control, localName(control)) : held(element, tag);
}

export class Values {
  readonly #held = new WeakMap<Element, string>();

  remember(records: Iterable<Record>): void {
    for (const { element, listed } of records) {
      const value = listed ? heldBy(element) : undefined;
      if (value !== undefined) this.#held.set(element, value);
    }
  }

  changed(list: RecordList, tell: (element: Element) => void): void {
    for (let record = list.first; record; record = record.next) {
      const { element } = record;
      const before = this.#held.get(element);
      if (before !== undefined && before !== heldBy(element)) tell(element);
    }
  }
}
