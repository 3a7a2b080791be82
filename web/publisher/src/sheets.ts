// Where style sheets generate text or show a pointer.
//
// Asking every element for its computed style would cost more than the whole snapshot. So the rules are read
// once, and only elements that such a rule can match are asked.

import { attribute, queryAll, sheetsOf, styleOf } from "./dom.js";
import type { Root } from "./dom.js";
import { BLIND_STYLES_MAX, RULES_MAX } from "./limits.js";

interface SheetFacts {
  rules: number;
  first: CSSRule | undefined;
  last: CSSRule | undefined;
  generated: string[];
  pointer: string[];
  /** The sheet may not be read, or its selectors depend on where they are nested. */
  blind: boolean;
}

const PSEUDO = /::?(before|after)\b/;
const PSEUDO_ALL = /::?(before|after)\b/g;
/** Selectors for things that can be clicked anyway. */
const NATIVE_ONLY = /^((^|,\s*)(a|button|summary|select|input|label|option)([.:[#][^\s,>+~]*)?)+$/;
const known = new WeakMap<CSSStyleSheet, SheetFacts>();

function read(sheet: CSSStyleSheet): SheetFacts {
  const facts: SheetFacts = { rules: 0, first: undefined, last: undefined, generated: [], pointer: [], blind: false };
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return { ...facts, blind: true };
  }
  const before = known.get(sheet);
  if (before && before.rules === rules.length && before.first === rules[0] && before.last === rules[rules.length - 1]) return before;
  facts.rules = rules.length;
  facts.first = rules[0];
  facts.last = rules[rules.length - 1];
  const lists: { list: CSSRuleList; nested: boolean }[] = [{ list: rules, nested: false }];
  let left = RULES_MAX;
  for (let next = lists.pop(); next; next = lists.pop()) {
    for (let at = 0; at < next.list.length; at += 1) {
      const rule = next.list[at] as CSSRule & { selectorText?: string; style?: CSSStyleDeclaration; cssRules?: CSSRuleList; styleSheet?: CSSStyleSheet | null };
      left -= 1;
      if (left < 0) return { ...facts, blind: true };
      if (rule.styleSheet) lists.push({ list: rulesOf(rule.styleSheet, facts), nested: next.nested });
      const { selectorText } = rule;
      if (selectorText !== undefined) note(facts, selectorText, rule.style, next.nested);
      if (rule.cssRules && rule.cssRules.length > 0) lists.push({ list: rule.cssRules, nested: next.nested || selectorText !== undefined });
    }
  }
  known.set(sheet, facts);
  return facts;
}

function rulesOf(sheet: CSSStyleSheet, facts: SheetFacts): CSSRuleList {
  try {
    return sheet.cssRules;
  } catch {
    facts.blind = true;
    return [] as unknown as CSSRuleList;
  }
}

function note(facts: SheetFacts, selector: string, style: CSSStyleDeclaration | undefined, nested: boolean): void {
  const generates = PSEUDO.test(selector) && Boolean(style?.content) && style?.content !== "none" && style?.content !== '""';
  const points = style?.cursor === "pointer";
  if (!generates && !points) return;
  if (!generates && NATIVE_ONLY.test(selector)) return;
  if (nested) facts.blind = true;
  else if (generates) facts.generated.push(selector.replace(PSEUDO_ALL, ""));
  else facts.pointer.push(selector);
}

/** What the sheets of one document or shadow root say. */
export class StyleHints {
  readonly #generated: ReadonlySet<Element> | undefined;
  readonly #pointers: ReadonlySet<Element> | undefined;
  #left = BLIND_STYLES_MAX;

  constructor(root: Root) {
    const generated: string[] = [];
    const pointer: string[] = [];
    let blind = false;
    for (const sheet of sheetsOf(root)) {
      const facts = read(sheet);
      generated.push(...facts.generated);
      pointer.push(...facts.pointer);
      blind ||= facts.blind;
    }
    this.#generated = blind ? undefined : matching(root, generated);
    this.#pointers = blind ? undefined : matching(root, pointer);
  }

  /** Text before and after the content of an element. */
  generated(element: Element): readonly [string, string] {
    if (this.#generated ? !this.#generated.has(element) : !this.#mayAsk()) return NOTHING;
    return [generatedText(element, "::before"), generatedText(element, "::after")];
  }

  /** Whether the element itself shows a hand. */
  points(element: Element, inlineStyle: string | undefined): boolean {
    const possible = inlineStyle?.includes("cursor") || (this.#pointers ? this.#pointers.has(element) : this.#mayAsk());
    return possible ? styleOf(element).cursor === "pointer" : false;
  }

  /** Whether any element here can have generated text. */
  get generatesNothing(): boolean {
    return this.#generated?.size === 0;
  }

  #mayAsk(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }
}

const NOTHING = ["", ""] as const;

function matching(root: Root, selectors: string[]): ReadonlySet<Element> {
  const found = new Set<Element>();
  const usable = selectors.map((one) => (/^\s*$|^\s*,|,\s*,|,\s*$/.test(one) ? "*" : one));
  if (usable.length === 0) return found;
  if (addAll(root, usable.join(","), found)) return found;
  for (const one of usable) addAll(root, one, found);
  return found;
}

function addAll(root: Root, selector: string, found: Set<Element>): boolean {
  try {
    const list = queryAll(root, selector);
    for (let at = 0; at < list.length; at += 1) found.add(list[at] as Element);
    return true;
  } catch {
    return false;
  }
}

function generatedText(element: Element, pseudo: string): string {
  const style = styleOf(element, pseudo);
  const { content } = style;
  if (content === "none" || content === "normal" || content === "" || style.display === "none") return "";
  const text = contentText(element, content);
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
