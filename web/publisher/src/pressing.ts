// Deeds that come down to pressing something: which element, and how it is when that worked.

import { Refused } from "./deed.js";
import type { Act, Choice } from "./deed.js";
import { attribute, closest, firstElementChild, hasAttribute, isHtml, localName, nextElementSibling, queryAll, queryFirst, shadowRootOf, word } from "./dom.js";
import { called, stateNow } from "./facts.js";
import { wantedOf } from "./fields.js";
import { labelsOf } from "./hit.js";
import { CHOICES_MAX } from "./limits.js";
import { isVisible } from "./visibility.js";

/** What to press. */
export interface Pressing {
  element: Element;
  /** Whether it is as wanted now. */
  holds?: () => boolean;
}

/** What a deed presses; `undefined` if it is nothing to press. Refused if it is as wanted already. */
export function pressingOf(element: Element, act: Act): Pressing | undefined {
  switch (act.act) {
    case "press":
      return { element };
    case "toggle":
      return toggling(element, act.to);
    case "set_value":
      return typeof act.value === "boolean" ? toggling(element, act.value) : undefined;
    case "choose":
      return choosing(element, act.choice);
    case "disclose":
      return disclosing(element, act.open);
    case "submit":
      return submitting(element);
    default:
      return undefined;
  }
}

/** Checked, pressed or selected, whichever it has. */
function isOn(element: Element): boolean | undefined {
  const { checked, pressed, selected } = stateNow(element);
  const on = checked ?? pressed ?? selected;
  return on === "mixed" ? undefined : on;
}

function toggling(element: Element, to: boolean | undefined): Pressing {
  const { checked, pressed } = stateNow(element);
  const before = checked ?? pressed;
  if (before === undefined) throw new Refused("unsupported");
  if (to === undefined) return { element, holds: () => isOn(element) !== before };
  if (before === to) throw new Refused("already");
  // One of several is left by choosing another.
  if (!to && isRadio(element)) throw new Refused("unsupported");
  return { element, holds: () => isOn(element) === to };
}

const isRadio = (element: Element): boolean => word(element, "role") === "radio" || (localName(element) === "input" && (element as HTMLInputElement).type === "radio");

const CHOICES = "[role=option],[role=radio],[role=menuitemradio],[role=tab],[role=treeitem],input[type=radio]";

/** A list of choices that is not a native one: its option is pressed. */
function choosing(element: Element, choice: Choice): Pressing | undefined {
  const tag = localName(element);
  if (tag === "select" || tag === "option") return undefined;
  const lists = [element, ...controlled(element)];
  const options = lists.flatMap((list) => [...queryAll(shadowRootOf(list) ?? list, CHOICES)]).slice(0, CHOICES_MAX).filter(isOffered);
  const found = choice.by === "index" ? options.slice(choice.index, choice.index + 1) : matching(options, choice);
  const [option] = found;
  if (options.length === 0) throw new Refused("unsupported");
  if (!option || found.length > 1 || stateNow(option).enabled === false) throw new Refused("no_option");
  if (isOn(option) === true) throw new Refused("already");
  return { element: option, holds: () => isOn(option) === true };
}

/** What a control says that it opens. */
function controlled(element: Element): Element[] {
  const root = element.getRootNode() as Document | ShadowRoot;
  const ids = `${attribute(element, "aria-controls") ?? ""} ${attribute(element, "aria-owns") ?? ""}`.split(/\s+/);
  return ids.map((id) => (id ? root.getElementById(id) : null)).filter((one) => one !== null);
}

/** A radio button may be hidden behind its label. */
const isOffered = (option: Element): boolean => isVisible(option) || labelsOf(option).some(isVisible);

function matching(options: Element[], choice: Choice): Element[] {
  const [text, ...more] = wantedOf(choice);
  if (text === undefined || more.length > 0) throw new Refused("unsupported");
  if (choice.by === "label") return options.filter((option) => called(option).name === text);
  return options.filter((option) => (attribute(option, "data-value") ?? attribute(option, "value")) === text);
}

function disclosing(element: Element, open: boolean): Pressing | undefined {
  const details = localName(element) === "summary" ? closest(element, "details") : localName(element) === "details" ? element : null;
  if (details) {
    const summary = summaryOf(details);
    return summary ? unlessSo({ element: summary, holds: () => details.hasAttribute("open") === open }) : undefined;
  }
  if (!hasAttribute(element, "aria-expanded")) return undefined;
  return unlessSo({ element, holds: () => (element.getAttribute("aria-expanded") === "true") === open });
}

export function unlessSo<T extends Pressing>(pressing: T): T {
  if (pressing.holds?.()) throw new Refused("already");
  return pressing;
}

function summaryOf(details: Element): Element | undefined {
  for (let at = firstElementChild(details); at; at = nextElementSibling(at)) if (localName(at) === "summary") return at;
  return undefined;
}

const SUBMITS = "button:not([type=button]):not([type=reset]),input[type=submit],input[type=image]";

/** A button sends its form. A form that has one is sent by nothing else: nobody was asked about a button that nobody named. */
function submitting(element: Element): Pressing | undefined {
  if (element.matches(SUBMITS)) return { element };
  const form = formOf(element);
  if (form && defaultButton(form)) throw new Refused("unsupported");
  return undefined;
}

export function formOf(element: Element): HTMLFormElement | undefined {
  if (localName(element) === "form" && isHtml(element)) return element as HTMLFormElement;
  const owner = (element as HTMLInputElement).form as HTMLFormElement | null | undefined;
  return owner ?? (closest(element, "form") as HTMLFormElement | null) ?? undefined;
}

/** The button that the Enter key would press. */
function defaultButton(form: HTMLFormElement): HTMLButtonElement | null {
  return queryFirst(form, SUBMITS) as HTMLButtonElement | null;
}
