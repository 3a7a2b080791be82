// Letters as they are drawn: `text-transform`.
//
// A name is what people see and hear, and the browser reads out what is drawn. To ask every text how it is drawn would
// cost more than the text, so nobody is asked unless a rule or an inline style of the page draws other letters.

import { attribute, closest, getRootNode, isShadowRoot, styleOf } from "./dom.js";
import { BOUNDARIES_MAX } from "./limits.js";

/** Finds elements that say by themselves how their letters are drawn. */
export const REDRAWN_INLINE = "[style*=text-transform i]";

/** Whether anything on a page may be drawn in other letters than it is written. */
export class Letters {
  #now = false;
  #later = false;

  /** Something is drawn in other letters, or may come to be. */
  learn(now: boolean, later: boolean): void {
    this.#now ||= now;
    this.#later ||= now || later;
  }

  /** From now on the page may change. */
  settle(): void {
    this.#now = this.#later;
  }

  /** How the letters of an element are drawn; nothing if they are drawn as they are written. */
  of(element: Element): string | undefined {
    if (!this.#now) return undefined;
    const { textTransform } = styleOf(element);
    return textTransform === "none" ? undefined : textTransform;
  }
}

/** A text as it is drawn; `last` is the letter before it on the same line. */
export function drawn(text: string, transform: string, element: Element, last: string): string {
  if (transform.includes("uppercase")) return inLanguage(element, (language) => text.toLocaleUpperCase(language));
  if (transform.includes("lowercase")) return inLanguage(element, (language) => text.toLocaleLowerCase(language));
  return transform.includes("capitalize") ? capitalized(text, last) : text;
}

/** Some languages have letters of their own; a word that names no language is none. */
function inLanguage(element: Element, draw: (language: string | undefined) => string): string {
  try {
    return draw(languageOf(element));
  } catch {
    return draw("und");
  }
}

function languageOf(element: Element): string {
  let at: Element | undefined = element;
  for (let boundaries = 0; at && boundaries < BOUNDARIES_MAX; boundaries += 1) {
    const said: Element | null = closest(at, "[lang]");
    if (said) return attribute(said, "lang") || "und";
    const root = getRootNode(at);
    at = isShadowRoot(root) ? root.host : undefined;
  }
  return "und";
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
