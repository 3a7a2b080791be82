// Which labels belong to a control.

import { queryAll } from "./dom.js";
import type { Root } from "./dom.js";

/** The labels of one document or shadow root, found once: `control.labels` would search the tree again each time. */
export class Labels {
  readonly #byControl = new Map<Element, HTMLLabelElement[]>();

  constructor(root: Root) {
    const labels = queryAll(root, "label") as NodeListOf<HTMLLabelElement>;
    for (let at = 0; at < labels.length; at += 1) {
      const label = labels[at] as HTMLLabelElement;
      const { control } = label;
      if (!control) continue;
      const known = this.#byControl.get(control);
      if (known) known.push(label);
      else this.#byControl.set(control, [label]);
    }
  }

  of(control: Element): readonly HTMLLabelElement[] {
    return this.#byControl.get(control) ?? [];
  }
}
