// What style sheets say that matters to us: where they generate text or draw it in other letters, show a hand, or hide
// things.
//
// Asking every element for its computed style would cost more than a whole snapshot. So the rules are read once
// per sheet, and only elements that such a rule can match are asked.

import { RULES_MAX } from "./limits.js";

/** What may make a rule match elsewhere than below the element that changed. */
export type Trigger = "hover" | "focus" | "form" | "route" | "structure";

/** Elements whose looks can change though nothing around them was touched. */
export interface Watched {
  readonly selector: string;
  readonly trigger: Trigger;
}

export interface SheetFacts {
  /** Elements with generated text. */
  readonly generated: string[];
  /** Elements that show a hand, if nothing else overrules it. */
  readonly pointer: string[];
  /** Elements that show a hand once the pointer is over them. */
  readonly pointerOver: string[];
  /** Selectors of rules that show something while the pointer is over something. */
  readonly opening: string[];
  /** Elements whose text, with all that is inside, is drawn in other letters. */
  readonly redrawn: string[];
  /** Elements that any rule about letters speaks of, also those whose letters stay. */
  readonly lettered: string[];
  /** Classes and attributes in selectors of rules that show, hide, generate or redraw. */
  readonly classes: Set<string>;
  readonly attributes: Set<string>;
  readonly watched: Watched[];
  /** Something that has a box may be made invisible. */
  hides: boolean;
  /** The sheet may not be read. */
  blind: boolean;
}

interface Kept {
  rules: number;
  first: CSSRule | undefined;
  last: CSSRule | undefined;
  facts: SheetFacts;
}

const known = new WeakMap<CSSStyleSheet, Kept>();

const nothing = (blind: boolean): SheetFacts => ({ generated: [], pointer: [], pointerOver: [], opening: [], redrawn: [], lettered: [], classes: new Set(), attributes: new Set(), watched: [], hides: blind, blind });

/** The rules of a sheet; `undefined` if it may not be read. */
function rulesOf(sheet: CSSStyleSheet): CSSRuleList | undefined {
  try {
    return sheet.cssRules;
  } catch {
    return undefined;
  }
}

type AnyRule = CSSRule & { selectorText?: string; style?: CSSStyleDeclaration; cssRules?: CSSRuleList; styleSheet?: CSSStyleSheet | null };

export function factsOf(sheet: CSSStyleSheet): SheetFacts {
  const rules = rulesOf(sheet);
  if (!rules) return nothing(true);
  const before = known.get(sheet);
  if (before && before.rules === rules.length && before.first === rules[0] && before.last === rules[rules.length - 1]) return before.facts;
  const facts = nothing(false);
  read(rules, facts);
  known.set(sheet, { rules: rules.length, first: rules[0], last: rules[rules.length - 1], facts });
  return facts;
}

/** Whether the facts of a sheet are still those of its rules. */
export function isCurrent(sheet: CSSStyleSheet): boolean {
  const before = known.get(sheet);
  const rules = before ? rulesOf(sheet) : undefined;
  return before === undefined ? rulesOf(sheet) === undefined : rules !== undefined && before.rules === rules.length && before.first === rules[0] && before.last === rules[rules.length - 1];
}

function read(top: CSSRuleList, facts: SheetFacts): void {
  const lists: { list: CSSRuleList; outer: string | undefined }[] = [{ list: top, outer: undefined }];
  let left = RULES_MAX;
  for (let next = lists.pop(); next; next = lists.pop()) {
    for (let at = 0; at < next.list.length; at += 1) {
      const rule = next.list[at] as AnyRule;
      left -= 1;
      if (left < 0) {
        facts.blind = facts.hides = true;
        return;
      }
      if (rule.styleSheet) {
        const imported = rulesOf(rule.styleSheet);
        if (imported) lists.push({ list: imported, outer: next.outer });
        else facts.blind = facts.hides = true;
      }
      const selector = rule.selectorText === undefined ? next.outer : nested(rule.selectorText, next.outer);
      if (selector !== undefined && rule.style) note(facts, selector, rule.style);
      if (rule.cssRules && rule.cssRules.length > 0) lists.push({ list: rule.cssRules, outer: selector });
    }
  }
}

/** A selector inside another rule, written out. */
function nested(selector: string, outer: string | undefined): string {
  if (outer === undefined) return selector;
  const around = `:is(${outer})`;
  return parts(selector).map((one) => (one.includes("&") ? one.replaceAll("&", around) : `${around} ${one}`)).join(",");
}

const PSEUDO = /::?(before|after)\b/;
const PSEUDO_ALL = /::?(before|after)\b/g;
/** Selectors for things that can be clicked anyway. */
const NATIVE_ONLY = /^((^|,\s*)(a|button|summary|select|input|label|option)([.:[#][^\s,>+~]*)?)+$/;
const HOVER_ALL = /:hover\b/g;

function note(facts: SheetFacts, selector: string, style: CSSStyleDeclaration): void {
  const { content } = style;
  const generates = content !== "" && PSEUDO.test(selector);
  if (generates && content !== "none" && content !== '""') facts.generated.push(selector.replace(PSEUDO_ALL, ""));
  if (style.cursor === "pointer" && !NATIVE_ONLY.test(selector)) {
    if (selector.includes(":hover")) facts.pointerOver.push(selector.replace(HOVER_ALL, ""));
    else facts.pointer.push(selector);
    addWords(facts, selector);
  }
  const shows = (style.display !== "" && style.display !== "none") || style.visibility === "visible";
  if (shows && selector.includes(":hover")) facts.opening.push(selector);
  const hides = style.visibility !== "" || style.getPropertyValue("content-visibility") !== "";
  if (hides) facts.hides = true;
  const redraws = style.textTransform !== "";
  if (redraws) facts.lettered.push(selector.replace(PSEUDO_ALL, ""));
  if (redraws && style.textTransform !== "none") facts.redrawn.push(selector.replace(PSEUDO_ALL, ""));
  if (!generates && !hides && !redraws && style.display === "") return;
  addWords(facts, selector);
  for (const trigger of triggersOf(selector)) for (const one of parts(selector)) facts.watched.push({ selector: subjectOf(one), trigger });
}

const CLASS = /\.((?:\\.|[\w\u0080-\uffff-])+)/g;
const ATTRIBUTE = /\[\s*([\w-]+)/g;
const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|(.))/gi;

function addWords(facts: SheetFacts, selector: string): void {
  for (const [, name] of selector.matchAll(CLASS)) {
    facts.classes.add((name as string).replace(ESCAPE, (_, code: string | undefined, other: string | undefined) => (code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : (other ?? ""))));
  }
  for (const [, name] of selector.matchAll(ATTRIBUTE)) facts.attributes.add((name as string).toLowerCase());
  if (selector.includes("#")) facts.attributes.add("id");
}

const TRIGGERS: readonly (readonly [Trigger, RegExp])[] = [
  ["hover", /:(hover|active)\b/],
  ["focus", /:focus/],
  ["route", /:target\b/],
  ["form", /:(checked|indeterminate|valid|invalid|user-valid|user-invalid|placeholder-shown|in-range|out-of-range|required|optional|disabled|enabled|read-only|read-write|default|autofill|open|popover-open|modal)\b/],
  ["structure", /[+~]|:has\(|:(nth|first|last|only)-|:empty\b/],
];

function triggersOf(selector: string): Trigger[] {
  const bare = selector.replace(/\[[^\]]*\]/g, "");
  return TRIGGERS.filter(([, pattern]) => pattern.test(bare)).map(([trigger]) => trigger);
}

/** The selectors of a list. */
export function parts(list: string): string[] {
  if (!list.includes(",")) return [list];
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at <= list.length; at = skip(list, at)) {
    if (at === list.length || list[at] === ",") {
      found.push(list.slice(from, at).trim());
      from = at + 1;
    }
  }
  return found.filter((one) => one !== "");
}

/** The next character that stands outside brackets and escapes. */
export function skip(text: string, at: number): number {
  const open = text[at];
  if (open === "\\") return at + 2;
  if (open !== "(" && open !== "[") return at + 1;
  let depth = 0;
  for (let inner = at; inner < text.length; inner += 1) {
    const letter = text[inner];
    if (letter === "\\") inner += 1;
    else if (letter === "(" || letter === "[") depth += 1;
    else if (letter === ")" || letter === "]") depth -= 1;
    if (depth === 0) return inner + 1;
  }
  return text.length;
}

/** What a selector is about, without the conditions that may come and go: `.menu:hover > .item:empty` is about `.item`. */
function subjectOf(selector: string): string {
  let from = 0;
  for (let at = 0; at < selector.length; at = skip(selector, at)) if (" >+~\n\t".includes(selector[at] as string)) from = at + 1;
  let subject = "";
  const last = selector.slice(from);
  for (let at = 0; at < last.length; ) {
    const end = last[at] === ":" ? pseudoEnd(last, at) : skip(last, at);
    if (last[at] !== ":" && last[at] !== "[") subject += last.slice(at, end);
    at = end;
  }
  return subject === "" ? "*" : subject;
}

function pseudoEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && /[\w:-]/.test(text[at] as string)) at += 1;
  return text[at] === "(" ? skip(text, at) : at;
}
