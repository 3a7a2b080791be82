// What opens when somebody points at something, by the style of the page alone: `li:hover > ul { display: block }`.
//
// What such a rule shows must be hidden now and hold something that can be used; a hint that only tells something is no
// reason to point at anything.

import { contains, matches, queryAll, queryFirst, sheetsOf } from "./dom.js";
import type { Root } from "./dom.js";
import { OPENED_MAX, OPENERS_MAX, OPENER_PARTS_MAX, PARENTS_MAX, SIBLINGS_MAX } from "./limits.js";
import { factsOf, parts, skip } from "./rules.js";
import { isVisible, parentElement } from "./visibility.js";

/** A rule taken apart: what it shows, and over what the pointer must be. */
interface Opening {
  readonly shown: string;
  readonly over: string;
}

const USABLE = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role^=menuitem],[tabindex],[onclick]";
const HOVER = /:hover\b/;
const HOVER_ALL = /:hover\b/g;
/** Conditions that turn round what a rule says, or look down from what it shows. */
const TURNED = /:(not|has)\([^)]*:hover|::?(before|after)\b/;
/** Every element is one. */
const ANY = ":nth-child(n)";

/** The elements of a document or shadow root to point at, as far as they are published. */
export function openersIn(root: Root, isPublished: (element: Element) => boolean): Set<Element> {
  const found = new Set<Element>();
  let left = OPENED_MAX;
  for (const { shown, over } of openingsIn(root)) {
    for (const opened of matching(root, shown)) {
      left -= 1;
      if (left < 0 || found.size >= OPENERS_MAX) return found;
      if (isVisible(opened) || !(matches(opened, USABLE) || queryFirst(opened, USABLE))) continue;
      const holder = holderOf(opened, over);
      const opener = holder && openerIn(holder, opened, isPublished);
      if (opener) found.add(opener);
    }
  }
  return found;
}

function* openingsIn(root: Root): Iterable<Opening> {
  for (const sheet of sheetsOf(root)) {
    for (const selector of factsOf(sheet).opening) {
      for (const one of parts(selector)) {
        const opening = openingOf(one);
        if (opening) yield opening;
      }
    }
  }
}

/** A rule shows something by pointing at something else only if what is pointed at comes before the last combinator. */
export function openingOf(selector: string): Opening | undefined {
  if (TURNED.test(selector)) return undefined;
  let end = 0;
  let from = 0;
  for (let at = 0; at < selector.length; at = skip(selector, at)) {
    if (!" >+~\n\t".includes(selector[at] as string)) continue;
    if (HOVER.test(selector.slice(from, at))) end = at;
    from = at + 1;
  }
  const any = (text: string): string => text.replace(HOVER_ALL, ANY);
  return end === 0 ? undefined : { shown: any(selector), over: any(selector.slice(0, end)) };
}

/** Nothing, if the selector is none. */
function matching(root: Root, selector: string): Iterable<Element> {
  try {
    return queryAll(root, selector);
  } catch {
    return [];
  }
}

/** What the pointer must be over: something around what is shown, or beside that. */
function holderOf(opened: Element, over: string): Element | undefined {
  let at: Element | null = opened;
  for (let steps = 0; at && steps < PARENTS_MAX; steps += 1) {
    if (at !== opened && matches(at, over)) return at;
    let beside = at.previousElementSibling;
    for (let count = 0; beside && count < SIBLINGS_MAX; count += 1) {
      if (matches(beside, over)) return beside;
      beside = beside.previousElementSibling;
    }
    at = parentElement(at);
  }
  return undefined;
}

/** What people would point at: the first thing to use in the holder, otherwise the holder itself. */
function openerIn(holder: Element, opened: Element, isPublished: (element: Element) => boolean): Element | undefined {
  if (matches(holder, USABLE) && isPublished(holder)) return holder;
  const inside = queryAll(holder, USABLE);
  for (let at = 0; at < Math.min(inside.length, OPENER_PARTS_MAX); at += 1) {
    const one = inside[at] as Element;
    if (!contains(opened, one) && isPublished(one)) return one;
  }
  return isPublished(holder) ? holder : undefined;
}
