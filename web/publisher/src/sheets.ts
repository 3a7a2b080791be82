// Where style sheets generate text, draw it in other letters or show a pointer.

import { attribute, hasAttribute, matches, queryAll, sheetsOf, styleOf } from "./dom.js";
import type { Root } from "./dom.js";
import { REDRAWN_INLINE, drawn } from "./letters.js";
import { factsOf, isCurrent } from "./rules.js";
import type { Trigger, Watched } from "./rules.js";

/** Elements that match any of some selectors. */
class Matching {
  readonly #selectors: readonly string[];
  /** All of them, while everything is looked at; otherwise each is asked. */
  #found: ReadonlySet<Element> | undefined;

  constructor(root: Root, selectors: readonly string[]) {
    const usable = selectors.map((one) => (/^\s*$|^\s*,|,\s*,|,\s*$/.test(one) ? "*" : one));
    const joined = usable.join(",");
    this.#selectors = usable.length === 0 ? [] : isUsable(root, joined) ? [joined] : usable.filter((one) => isUsable(root, one));
    const found = new Set<Element>();
    for (const selector of this.#selectors) {
      const list = queryAll(root, selector);
      for (let at = 0; at < list.length; at += 1) found.add(list[at] as Element);
    }
    this.#found = found;
  }

  get isEmpty(): boolean {
    return this.#selectors.length === 0 || this.#found?.size === 0;
  }

  has(element: Element): boolean {
    return this.#found ? this.#found.has(element) : this.#selectors.some((selector) => matches(element, selector));
  }

  /** From now on the page may change. */
  settle(): void {
    this.#found = undefined;
  }
}

function isUsable(root: Root, selector: string): boolean {
  try {
    queryAll(root, `:not(*):is(${selector})`);
    matches(document.documentElement, selector);
    return true;
  } catch {
    return false;
  }
}

/** What the sheets of one document or shadow root say. */
export class StyleHints {
  readonly #generated: Matching;
  readonly #pointers: Matching;
  readonly #pointersOver: Matching;
  readonly #redrawn: readonly string[];
  readonly #letteredBy: readonly string[];
  #lettered: Matching | undefined;
  readonly #root: Root;
  readonly #sheets: readonly CSSStyleSheet[];
  readonly #classes = new Set<string>();
  readonly #attributes = new Set<string>();
  readonly #watched: Watched[] = [];
  readonly isBlind: boolean;
  /** Whether a rule may make something invisible that has a box. */
  readonly mayHide: boolean;

  constructor(root: Root) {
    const generated: string[] = [];
    const pointer: string[] = [];
    const pointerOver: string[] = [];
    const redrawn: string[] = [];
    const lettered: string[] = [];
    let blind = false;
    let hides = false;
    this.#root = root;
    this.#sheets = sheetsOf(root);
    for (const sheet of this.#sheets) {
      const facts = factsOf(sheet);
      generated.push(...facts.generated);
      pointer.push(...facts.pointer);
      pointerOver.push(...facts.pointerOver);
      redrawn.push(...facts.redrawn);
      lettered.push(...facts.lettered);
      for (const name of facts.classes) this.#classes.add(name);
      for (const name of facts.attributes) this.#attributes.add(name);
      this.#watched.push(...facts.watched);
      blind ||= facts.blind;
      hides ||= facts.hides;
    }
    this.isBlind = blind;
    this.mayHide = hides;
    this.#generated = new Matching(root, generated);
    this.#pointers = new Matching(root, pointer);
    this.#pointersOver = new Matching(root, pointerOver);
    this.#redrawn = redrawn;
    this.#letteredBy = lettered;
  }

  /** Text before and after the content of an element. */
  generated(element: Element): readonly [string, string] {
    if (this.isBlind ? !isStyled(element) : !this.#generated.has(element)) return NOTHING;
    return [generatedText(element, "::before"), generatedText(element, "::after")];
  }

  /** Whether the element itself shows a hand. */
  points(element: Element, inlineStyle: string | undefined): boolean {
    if (!this.#pointersOver.isEmpty && this.#pointersOver.has(element)) return true;
    const possible = inlineStyle?.includes("cursor") || (this.isBlind ? isStyled(element) : this.#pointers.has(element));
    return possible ? styleOf(element).cursor === "pointer" : false;
  }

  /** Whether any element here can have generated text. */
  get generatesNothing(): boolean {
    return !this.isBlind && this.#generated.isEmpty;
  }

  /** Whether anything here is drawn in other letters than it is written, now and when classes and attributes change. */
  redraws(): readonly [now: boolean, later: boolean] {
    const later = this.isBlind || this.#redrawn.length > 0;
    const now = this.isBlind || queryAll(this.#root, REDRAWN_INLINE).length > 0 || !new Matching(this.#root, this.#redrawn).isEmpty;
    return [now, later];
  }

  /** Whether the letters of an element may be drawn otherwise than those around it. */
  letters(element: Element): boolean {
    this.#lettered ??= new Matching(this.#root, this.#letteredBy);
    return this.isBlind || this.#lettered.has(element) || attribute(element, "style")?.includes("text-transform") === true;
  }

  /** From now on elements are asked one by one: the page may change. */
  settle(): void {
    this.#generated.settle();
    this.#pointers.settle();
    this.#pointersOver.settle();
    this.#lettered?.settle();
  }

  /** Whether a rule that shows, hides, generates or redraws asks for this class. */
  asksForClass(name: string): boolean {
    return this.isBlind || this.#classes.has(name);
  }

  asksForAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }

  /** Elements whose looks may change by this kind of event, wherever it happens. */
  watched(trigger: Trigger): Element[] {
    const selectors = new Set(this.#watched.filter((one) => one.trigger === trigger).map(({ selector }) => selector));
    const found: Element[] = [];
    for (const selector of selectors) {
      if (!isUsable(this.#root, selector)) continue;
      const list = queryAll(this.#root, selector);
      for (let at = 0; at < list.length; at += 1) found.push(list[at] as Element);
    }
    return found;
  }

  watches(trigger: Trigger): boolean {
    return this.#watched.some((one) => one.trigger === trigger);
  }

  /** Whether the sheets are still those that were read. */
  isCurrent(): boolean {
    const sheets = sheetsOf(this.#root);
    return sheets.length === this.#sheets.length && sheets.every((sheet, at) => sheet === this.#sheets[at] && isCurrent(sheet));
  }
}

/** Where sheets may not be read, what authors name is what they style. */
function isStyled(element: Element): boolean {
  return hasAttribute(element, "class") || hasAttribute(element, "id");
}

const NOTHING = ["", ""] as const;

function generatedText(element: Element, pseudo: string): string {
  const style = styleOf(element, pseudo);
  const { content } = style;
  if (content === "none" || content === "normal" || content === "" || style.display === "none") return "";
  const { textTransform } = style;
  const written = contentText(element, content);
  const text = textTransform === "none" ? written : drawn(written, textTransform, element, "");
  return text !== "" && (style.display !== "inline" || content.includes(" / ")) ? ` ${text} ` : text;
}

const PIECE = /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)\s*\)|(\/)/g;

/** The words of a `content` value; what follows a slash is its alternative text and wins. */
function contentText(element: Element, content: string): string {
  let text = "";
  for (const [, quoted, attr, slash] of content.matchAll(PIECE)) {
    if (slash !== undefined) text = "";
    else if (attr !== undefined) text += attribute(element, attr) ?? "";
    else text += (quoted ?? "").replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, code: string | undefined, other: string | undefined) =>
      code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : (other ?? ""));
  }
  return text;
}
