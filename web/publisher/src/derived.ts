// Controls that their authors built from plain boxes: what they are, by rules that have names.
//
// A rule speaks only where the markup is silent: an element with a role of its own, or around a native control of the
// same kind, stays what it says it is. A rule that is not sure says nothing.

import type { ElementOption, UIRole, WebElementState } from "../../types/uiap.js";
import { attribute, firstElementChild, hasAttribute, localName, nextElementSibling, queryAll, queryFirst, textContent, word } from "./dom.js";
import { NAME_CHARS_MAX, PARTS_MAX } from "./limits.js";
import { readContent, readStructure } from "./reads.js";
import type { Names } from "./names.js";
import type { Kind } from "./roles.js";
import { said } from "./text.js";

/** What tells the rules apart; published with the element. */
export type Rule =
  | "click_handler" | "composite_card" | "label_of_hidden_control" | "pointer_cursor" | "segmented_control" | "slider_by_thumb" | "stepper" | "tab_stop" | "value_range";

const BOXES = new Set(["div", "span", "fieldset", "section", "ul", "p"]);
const STANDS_IN: Readonly<Record<string, [UIRole, string]>> = { checkbox: ["checkbox", "checkbox"], radio: ["radio", "radio"], file: ["fileinput", "x-file"] };

const heuristic = (role: UIRole, aria: string, rule: Rule): Kind => ({ role, aria, source: "heuristic", rule });

/** A box without a role that is used like a control. */
export function derivedKind(element: Element, tag: string): Kind | undefined {
  if (hasAttribute(element, "aria-valuenow")) return heuristic("slider", "slider", "value_range");
  if (!BOXES.has(tag)) return undefined;
  if (thumbValue(element) !== undefined) return heuristic("slider", "slider", "slider_by_thumb");
  if (stepperValue(element) !== undefined) return heuristic("spinbutton", "spinbutton", "stepper");
  return isSegmented(element) ? heuristic("group", "group", "segmented_control") : undefined;
}

/** A label whose control cannot be seen is used in its place. */
export function labelKind(control: Element, label: Kind): Kind {
  const type = localName(control) === "input" ? (control as HTMLInputElement).type : "";
  const [role, aria] = (type in STANDS_IN ? STANDS_IN[type] : undefined) ?? [];
  return role && aria ? { ...heuristic(role, aria, "label_of_hidden_control"), subject: control } : label;
}

/** Something that can be clicked although nothing says so: with several parts, or plain. */
export function clickableKind(element: Element, rule: "click_handler" | "pointer_cursor" | "tab_stop"): Kind {
  const first = firstElementChild(element);
  readStructure(element);
  const isCard = rule !== "tab_stop" && first !== null && nextElementSibling(first) !== null;
  return heuristic("custom", "", isCard ? "composite_card" : rule);
}

/** What a rule knows about the state. */
export function derivedState(element: Element, rule: Rule, names: Names): WebElementState {
  if (rule === "slider_by_thumb") return ranged(thumbValue(element), { min: 0, max: 100 });
  if (rule !== "stepper") return {};
  const secret = partsOf(element)?.some((part) => names.withholds(part)) ?? true;
  // It is set by its buttons; there is nothing to write into.
  return ranged(secret ? undefined : stepperValue(element), { editable: false });
}

function ranged(value: number | undefined, rest: WebElementState): WebElementState {
  return value === undefined ? rest : { ...rest, numericValue: value };
}

/** The segments of a segmented control as choices. */
export function derivedOptions(element: Element, names: Names): ElementOption[] {
  return (partsOf(element) ?? []).map((part) => {
    const label = names.name(part, localName(part), "button") ?? "";
    return { value: attribute(part, "value") ?? label, label, selected: isOn(part), enabled: !hasAttribute(part, "disabled") && word(part, "aria-disabled") !== "true" };
  });
}

/** What such a control is depends on everything in it. */
function readParts(element: Element): void {
  readContent(element);
  readStructure(element);
}

/** Whether a box may have become a control, or be one no longer, because its children changed. */
export function mayDerive(element: Element, tag: string): boolean {
  return BOXES.has(tag) && (thumbValue(element) !== undefined || stepperValue(element) !== undefined || isSegmented(element));
}

/** The children of a box, if they are few. */
function partsOf(element: Element): Element[] | undefined {
  const parts: Element[] = [];
  for (let child = firstElementChild(element); child; child = nextElementSibling(child)) {
    if (parts.length >= PARTS_MAX) return undefined;
    parts.push(child);
  }
  return parts;
}

const isButton = (element: Element): boolean => (localName(element) === "button" ? !hasAttribute(element, "role") : word(element, "role") === "button");

/** The words of a small part, without the cost of a full name. */
const spoken = (element: Element): string => said(attribute(element, "aria-label") ?? textContent(element), NAME_CHARS_MAX) ?? said(attribute(element, "title"), NAME_CHARS_MAX) ?? "";

const LESS = /^[-−–‒<‹◀]$|minus|decrease|decrement|\bless\b|weniger|verringern|senken|moins|diminuer|menos|disminuir/i;
const MORE = /^[+＋>›▶]$|plus|increase|increment|\bmore\b|mehr|erhöhen|augmenter|más|aumentar/i;
const AMOUNT = /^\p{Sc}?\s?([-−]?\d+(?:[.,]\d+)?)\s?[\p{L}%\p{Sc}]{0,8}$/u;

/** A number between a button for less and a button for more. */
function stepperValue(element: Element): number | undefined {
  const first = firstElementChild(element);
  if (!first || !isButton(first)) return undefined;
  readParts(element);
  if (!LESS.test(spoken(first))) return undefined;
  const [, middle, last, ...rest] = partsOf(element) ?? [];
  if (!middle || !last || rest.length > 0 || !isButton(last) || !MORE.test(spoken(last))) return undefined;
  if (isButton(middle) || isOrHas(middle, "input,select,textarea,[role=spinbutton],[role=slider]")) return undefined;
  const [, digits] = AMOUNT.exec(said(textContent(middle), NAME_CHARS_MAX) ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits.replace("−", "-").replace(",", "."));
}

function isOrHas(element: Element, selector: string): boolean {
  return ["input", "select", "textarea"].includes(localName(element)) || hasAttribute(element, "role") || queryFirst(element, selector) !== null;
}

const SEGMENTED = /(^|[\s_-])(segment(ed)?|segmented-?control|toggle-?group|button-?toggle|switcher|pill-?group)($|[\s_-])/i;
const ON = /(^|[\s_-])(active|selected|checked|current|on)($|[\s_-])/i;

/** Buttons side by side, called segments by their author, of which one is on. */
function isSegmented(element: Element): boolean {
  if (!SEGMENTED.test(attribute(element, "class") ?? "")) return false;
  readParts(element);
  const parts = partsOf(element);
  return parts !== undefined && parts.length >= 2 && parts.every(isButton) && parts.filter(isOn).length === 1;
}

function isOn(part: Element): boolean {
  const said = word(part, "aria-pressed") ?? word(part, "aria-selected") ?? word(part, "aria-current") ?? word(part, "data-state");
  if (said !== undefined) return !["false", "off", "inactive", "unchecked"].includes(said);
  return ON.test(attribute(part, "class") ?? "");
}

const SLIDER = /(^|[\s_-])(slider|range|scrubber|seek-?bar)($|[\s_-])/i;
const THUMB = "[class*=thumb i],[class*=handle i],[class*=knob i]";
const SHARE = /(?:^|[;\s])(?:left|right|bottom|top|inset-inline-start)\s*:\s*(\d+(?:\.\d+)?)%/i;
const RAW_RANGE = "input,[role=slider],[role=spinbutton],[aria-valuenow]";

/** How far along its track the only thumb of a slider is, in percent. */
function thumbValue(element: Element): number | undefined {
  const name = attribute(element, "class");
  if (!name || !SLIDER.test(name)) return undefined;
  readParts(element);
  if (queryFirst(element, RAW_RANGE)) return undefined;
  const thumbs = queryAll(element, THUMB);
  const [, share] = thumbs.length === 1 ? (SHARE.exec(attribute(thumbs[0] as Element, "style") ?? "") ?? []) : [];
  return share === undefined ? undefined : Math.min(Number(share), 100);
}
