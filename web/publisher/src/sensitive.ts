// Which values never leave the page.

import type { Annotations } from "./annotations.js";
import { closest, defaultView, isShadowRoot, localName, nodeType, rootOf, word } from "./dom.js";
import type { Root } from "./dom.js";
import { BOUNDARIES_MAX, PARENTS_MAX } from "./limits.js";
import { parentElement } from "./visibility.js";

const SECRET_CLASSES = new Set(["credential", "secret", "payment", "sensitive"]);
export const isSecretClass = (name: string): boolean => SECRET_CLASSES.has(name);
const SECRET_FIELDS = new Set(["current-password", "new-password", "one-time-code"]);

/** Fields that were passwords once: "show password" turns them into plain text. */
const onceSecret = new WeakSet<Element>();

/** What a bundle called secret, by whatever matcher; it stays so, even if another bundle is loaded. */
export const secretByBundle = new WeakSet<Element>();

/** Decides for the elements of one document or shadow root. */
export class Secrets {
  readonly #annotations: Annotations;
  /** Something in here is annotated, so every element and what surrounds it is asked. */
  readonly #annotated: boolean;
  /** What this root is shown in is annotated, so everything in here is. */
  readonly #inherited: boolean;
  /** What the bundle says, if there is one. */
  readonly #isBoundSecret: ((element: Element) => boolean) | undefined;

  constructor(annotations: Annotations, root: Root, annotated: boolean, isBoundSecret: ((element: Element) => boolean) | undefined) {
    this.#annotations = annotations;
    this.#annotated = annotated;
    this.#isBoundSecret = isBoundSecret;
    this.#inherited = this.#isShownInSecret(root);
  }

  /** The control or text needs a policy of its own, and its value stays here. */
  isSensitive(element: Element, tag: string): boolean {
    if (this.#inherited) return true;
    if (isControl(tag)) {
      if (onceSecret.has(element)) return true;
      if (tag === "input" && (element as HTMLInputElement).type === "password") {
        onceSecret.add(element);
        return true;
      }
      const fields = word(element, "autocomplete")?.split(/\s+/) ?? [];
      if (fields.some((field) => SECRET_FIELDS.has(field) || field.startsWith("cc-"))) return true;
    }
    return (this.#annotated && this.#isInSecret(element)) || (this.#isBoundSecret !== undefined && this.#isInBoundSecret(element, this.#isBoundSecret));
  }

  /** The text of this element may not become part of a name or text. */
  withholds(element: Element): boolean {
    const tag = localName(element);
    return (this.#annotated || this.#inherited || this.#isBoundSecret !== undefined || isControl(tag)) && this.isSensitive(element, tag);
  }

  #isSecret(element: Element): boolean {
    return this.#annotations.sensitive(element) || this.#annotations.dataClasses(element).some(isSecretClass);
  }

  /** The element or something around it is marked. */
  #isInSecret(element: Element): boolean {
    let at = closest(element, this.#annotations.secretSelector);
    for (let steps = 0; at && steps < PARENTS_MAX; steps += 1) {
      if (this.#isSecret(at)) return true;
      const parent = parentElement(at);
      at = parent ? closest(parent, this.#annotations.secretSelector) : null;
    }
    // Deeper than anybody can follow: better silent than sorry.
    return at !== null;
  }

  #isInBoundSecret(element: Element, isBoundSecret: (element: Element) => boolean): boolean {
    let at: Element | null = element;
    for (let steps = 0; at && steps < PARENTS_MAX; steps += 1) {
      if (isBoundSecret(at)) return true;
      at = parentElement(at);
    }
    return at !== null;
  }

  #isShownInSecret(root: Root): boolean {
    let host = hostOf(root);
    for (let boundaries = 0; host && boundaries < BOUNDARIES_MAX; boundaries += 1) {
      if (this.#isInSecret(host)) return true;
      host = hostOf(rootOf(host) as Root);
    }
    return host !== null;
  }
}

/** The element that shows a shadow root or the document of a frame. */
function hostOf(root: Root): Element | null {
  if (isShadowRoot(root)) return root.host;
  if (nodeType(root) !== 9) return null;
  try {
    return defaultView(root)?.frameElement ?? null;
  } catch {
    return null;
  }
}

function isControl(tag: string): boolean {
  return tag === "input" || tag === "textarea" || tag === "select";
}
