// Which values never leave the page.

import type { Annotations } from "./annotations.js";
import { localName, word } from "./dom.js";

const SECRET_CLASSES = new Set(["credential", "secret", "payment", "sensitive"]);
const SECRET_FIELDS = new Set(["current-password", "new-password", "one-time-code"]);

/** Decides for the elements of one document or shadow root. */
export class Secrets {
  readonly #annotations: Annotations;
  /** Nothing here is annotated, so text need not be asked for it. */
  readonly #textIsFree: boolean;

  constructor(annotations: Annotations, textIsFree: boolean) {
    this.#annotations = annotations;
    this.#textIsFree = textIsFree;
  }

  /** Only what HTML itself calls a secret is one here, so far. */
  get areFewest(): boolean {
    return this.#textIsFree;
  }

  /** The control or text needs a policy of its own, and its value stays here. */
  isSensitive(element: Element, tag: string): boolean {
    if (tag === "input" || tag === "textarea" || tag === "select") {
      if (tag === "input" && (element as HTMLInputElement).type === "password") return true;
      const fields = word(element, "autocomplete")?.split(/\s+/) ?? [];
      if (fields.some((field) => SECRET_FIELDS.has(field) || field.startsWith("cc-"))) return true;
    }
    return this.#isAnnotated(element);
  }

  /** The text of this element may not become part of a name or text. */
  withholds(element: Element): boolean {
    if (this.#textIsFree && !isControl(localName(element))) return false;
    return this.isSensitive(element, localName(element));
  }

  #isAnnotated(element: Element): boolean {
    if (this.#textIsFree) return false;
    return this.#annotations.sensitive(element) || this.#annotations.dataClasses(element).some((one) => SECRET_CLASSES.has(one));
  }
}

function isControl(tag: string): boolean {
  return tag === "input" || tag === "textarea" || tag === "select";
}
