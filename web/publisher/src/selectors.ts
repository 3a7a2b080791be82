// Elements that a bundle names by attribute, CSS or XPath: found in the page, root by root.

import type { ElementBinding } from "../../types/uiap.js";
import { attribute, matches, nodeType, queryAll, xpathAll } from "./dom.js";
import type { Root } from "./dom.js";
import { BOUND_MAX } from "./limits.js";

/** One matcher of one binding. */
export interface Hit {
  binding: ElementBinding;
  /** Its place in the list: lower is better. */
  rank: number;
}

interface Selector extends Hit {
  text: string;
}

/** The matchers of a bundle that are about the document, prepared once. */
export class Selectors {
  /** attribute -> value -> matchers. */
  readonly #attributes = new Map<string, Map<string, Hit[]>>();
  readonly #css: Selector[] = [];
  readonly #xpath: Selector[] = [];
  /** What cannot be used, in words. */
  readonly problems: string[] = [];

  constructor(bindings: readonly ElementBinding[]) {
    for (const binding of bindings) {
      for (const [rank, matcher] of binding.match.entries()) {
        const hit = { binding, rank };
        if (matcher.by === "annotation") this.#annotation(matcher.attr, matcher.value, hit);
        if (matcher.by !== "runtimeHint") continue;
        if (matcher.css !== undefined) this.#hint(this.#css, { ...hit, text: matcher.css }, isCss);
        if (matcher.xpath !== undefined) this.#hint(this.#xpath, { ...hit, text: matcher.xpath }, isXPath);
      }
    }
  }

  #annotation(attr: string, value: string, hit: Hit): void {
    const values = this.#attributes.get(attr) ?? new Map<string, Hit[]>();
    this.#attributes.set(attr, values.set(value, [...(values.get(value) ?? []), hit]));
  }

  #hint(list: Selector[], selector: Selector, isUsable: (text: string) => boolean): void {
    if (isUsable(selector.text)) list.push(selector);
    else this.problems.push(`The hint "${selector.text}" of "${selector.binding.id}" cannot be read.`);
  }

  /** What they name in one document or shadow root. */
  in(root: Root, counts: (binding: ElementBinding) => boolean): Map<Element, Hit[]> {
    const found = new Map<Element, Hit[]>();
    const add = (element: Element, hit: Hit): void => {
      if (!counts(hit.binding) || found.size >= BOUND_MAX) return;
      const known = found.get(element);
      if (known) known.push(hit);
      else found.set(element, [hit]);
    };
    for (const [name, values] of this.#attributes) {
      const list = queryAll(root, `[${CSS.escape(name)}]`);
      for (let at = 0; at < list.length; at += 1) for (const hit of values.get(attribute(list[at] as Element, name) ?? "") ?? []) add(list[at] as Element, hit);
    }
    const list = this.#css.length > 0 ? queryAll(root, this.#css.map(({ text }) => text).join(",")) : [];
    for (let at = 0; at < list.length; at += 1) for (const one of this.#css) if (matches(list[at] as Element, one.text)) add(list[at] as Element, one);
    if (nodeType(root) === 9) for (const one of this.#xpath) for (const element of xpathAll(root as Document, one.text, BOUND_MAX)) add(element, one);
    return found;
  }
}

function isCss(text: string): boolean {
  return isReadable(() => queryAll(new DocumentFragment() as ShadowRoot, text));
}

/** An expression for a number or a text names no element. */
function isXPath(text: string): boolean {
  return isReadable(() => xpathAll(new Document(), text, 0));
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
