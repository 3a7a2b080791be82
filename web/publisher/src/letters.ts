// Letters as they are drawn: `text-transform`.
//
// A name is what people see and hear, and the browser reads out what is drawn. To ask every text how it is drawn would
// cost more than the text, so nobody is asked unless a rule or an inline style of the page draws other letters.

import { attribute, closest, getRootNode, isShadowRoot, localName, nodeType, parentNode, shadowRootOf, styleOf } from "./dom.js";
import { BOUNDARIES_MAX } from "./limits.js";

/** Finds elements that say by themselves how their letters are drawn. */
export const REDRAWN_INLINE = "[style*=text-transform i]";

/** Controls whose letters the browser draws as they are written, whatever is around them. */
const RESET = new Set(["button", "input", "select", "textarea"]);

interface Known {
  readonly letters: string | undefined;
  /** It is in a shadow root, of whose style sheets others know. */
  readonly foreign: boolean;
}

const AS_WRITTEN: Known = { letters: undefined, foreign: false };

/** Whether anything on a page may be drawn in other letters than it is written, and how. */
export class Letters {
  #now = false;
  #later = false;
  /** Somebody was told that everything is drawn as it is written. */
  #isBelieved = false;
  /** That was wrong: a shadow root further inside draws other letters. */
  isRefuted = false;
  /** What was found out while everything is looked at. */
  #known: Map<Element, Known> | undefined = new Map();

  /** Something is drawn in other letters, or may come to be. */
  learn(now: boolean, later: boolean): void {
    this.isRefuted ||= now && this.#isBelieved && !this.#now;
    this.#now ||= now;
    this.#later ||= now || later;
  }

  /** From now on the page may change. */
  settle(): void {
    this.#now = this.#later;
    this.#known = undefined;
    this.#isBelieved = false;
  }

  /** How the letters of an element are drawn; nothing if they are drawn as they are written. `differs` tells whether it may be otherwise than around it. */
  of(element: Element, differs: ((element: Element) => boolean) | undefined): string | undefined {
    if (!this.#now) {
      this.#isBelieved = true;
      return undefined;
    }
    return this.#known && differs ? this.#inherited(element, this.#known, differs).letters : lettersOf(element);
  }

  /** Most elements are drawn as their parents are; those are asked once. */
  #inherited(element: Element, all: Map<Element, Known>, differs: (element: Element) => boolean): Known {
    const unknown: Element[] = [];
    let known: Known | undefined;
    for (let at = element; !(known = all.get(at)); ) {
      unknown.push(at);
      const parent = parentNode(at);
      const foreign = parent !== null && nodeType(parent) === 11;
      if (!parent || nodeType(parent) !== 1) {
        known = { letters: lettersOf(at), foreign };
        break;
      }
      at = parent as Element;
    }
    for (let one = unknown.pop(); one; one = unknown.pop()) {
      const around: Known = known;
      const parent = parentNode(one);
      const asked = around.foreign || differs(one) || (parent !== null && nodeType(parent) === 1 && shadowRootOf(parent as Element) !== null);
      if (asked) known = { letters: lettersOf(one), foreign: around.foreign };
      else known = around.letters !== undefined && RESET.has(localName(one)) ? AS_WRITTEN : around;
      all.set(one, known);
    }
    return known;
  }
}

function lettersOf(element: Element): string | undefined {
  const { textTransform } = styleOf(element);
  return textTransform === "none" ? undefined : textTransform;
}

/** A text as it is drawn; `last` is the letter before it on the same line. */
export function drawn(text: string, transform: string, element: Element, last: string): string {
  if (transform.includes("uppercase")) {
    const language = languageOf(element);
    return language === undefined ? text.toUpperCase() : text.toLocaleUpperCase(language);
  }
  if (transform.includes("lowercase")) {
    const language = languageOf(element);
    return language === undefined ? text.toLowerCase() : text.toLocaleLowerCase(language);
  }
  return transform.includes("capitalize") ? capitalized(text, last) : text;
}

/** Languages with rules of their own for large and small letters. */
const SPECIAL = /^(az|el|hy|lt|tr)(?![a-z0-9])/i;

/** The language an element is written in, if its letters have rules of their own. */
function languageOf(element: Element): string | undefined {
  let at: Element | undefined = element;
  for (let boundaries = 0; at && boundaries < BOUNDARIES_MAX; boundaries += 1) {
    const said: Element | null = closest(at, "[lang]");
    if (said) return SPECIAL.exec(attribute(said, "lang") ?? "")?.[1];
    const root = getRootNode(at);
    at = isShadowRoot(root) ? root.host : undefined;
  }
  return undefined;
}

let words: Intl.Segmenter | undefined;

/** The first letter of each word is drawn large. A word that began before the text goes on in it. */
function capitalized(text: string, last: string): string {
  words ??= new Intl.Segmenter("und", { granularity: "word" });
  let all = "";
  for (const { segment, index } of words.segment(last + text)) {
    const first = segment.charAt(0);
    const large = first.toUpperCase();
    // Letters that have no single large form, such as ß, stay.
    all += index < last.length || large.length !== 1 ? segment : large + segment.slice(1);
  }
  return all.slice(last.length);
}
