// Doing things by the methods of the platform: `click()`, `focus()`, setters, editing commands.

import { Refused } from "./deed.js";
import type { Act, Choice, ScrollBy } from "./deed.js";
import { attribute, closest, hasAttribute, isContentEditable, isHtml, localName, matches, textContent } from "./dom.js";
import { isFocused } from "./facts.js";
import { commit, edit, fitting, isValued, isWritten, markAll, optionsFor, select, write } from "./fields.js";
import { isInView } from "./hit.js";
import type { Meant } from "./meant.js";
import { formOf, pressingOf, unlessSo } from "./pressing.js";
import { Scroller } from "./scroller.js";

/** What was done, and how to tell whether it is as wanted. */
export interface Effect {
  holds?: () => boolean;
  scrolled?: { x: number; y: number };
}

export function semantic(element: Element, act: Act, top: Document, meant: Meant): Effect {
  switch (act.act) {
    case "reveal":
      return reveal(element, top);
    case "focus":
      return focus(element);
    case "press":
      if (act.button !== "left" || act.count !== 1 || Object.values(act.modifiers).some(Boolean)) throw new Refused("unsupported");
      return press(element, meant);
    case "enter_text":
      return enterText(element, act.text, act.clear, meant);
    case "set_value":
      return setValue(element, act, meant);
    case "choose":
      return choose(element, act.choice) ?? pressed(element, act, meant);
    case "disclose":
      return disclose(element, act.open) ?? pressed(element, act, meant);
    case "submit":
      return submit(element, meant);
    case "scroll":
      return scroll(element, act.by);
    case "toggle":
      return pressed(element, act, meant);
    default:
      throw new Refused("unsupported");
  }
}

export function reveal(element: Element, top: Document): Effect {
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  return { holds: () => isInView(element, top) };
}

function focus(element: Element): Effect {
  if (isFocused(element)) throw new Refused("already");
  takeFocus(element);
  return { holds: () => isFocused(element) };
}

/** The focus, without moving the page; scrolling is a deed of its own. */
export function takeFocus(element: Element): void {
  (element as HTMLElement).focus?.({ preventScroll: true });
}

/** The focus, for something that follows: the page hears of it, and may make something else of the element. */
function focusOn(element: Element, meant: Meant): void {
  takeFocus(element);
  meant.sure();
}

/** A browser opens another page only for a person, so nothing but its own input will do. */
export function opensAnother(element: Element): boolean {
  const link = closest(element, "a[href], area[href]");
  return link !== null && attribute(link, "target")?.trim().toLowerCase() === "_blank";
}

function press(element: Element, meant: Meant): Effect {
  if (opensAnother(element)) throw new Refused("unsupported");
  focusOn(element, meant);
  if (isHtml(element)) element.click();
  // Other elements have no such method.
  else element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true, detail: 1, view: window }));
  return {};
}

function pressed(element: Element, act: Act, meant: Meant): Effect {
  const pressing = pressingOf(element, act);
  if (!pressing) throw new Refused("unsupported");
  press(pressing.element, meant);
  return pressing;
}

function enterText(element: Element, text: string, clear: boolean, meant: Meant): Effect {
  if (isWritten(element)) {
    const value = fitting(element, clear ? text : element.value + text);
    if (element.value === value) throw new Refused("already");
    focusOn(element, meant);
    if (write(element, value, text)) commit(element);
    return { holds: () => element.value === value };
  }
  if (isValued(element)) return setField(element, text, meant);
  if (!isContentEditable(element)) throw new Refused("unsupported");
  const before = clear ? "" : shownText(element);
  if (shownText(element) === before + text) throw new Refused("already");
  focusOn(element, meant);
  markAll(element, clear);
  edit(element, text);
  return { holds: () => shownText(element) === before + text };
}

/** The text of an editable area; a last empty line is only there for the caret. */
export const shownText = (area: Element): string => ((area as HTMLElement).innerText ?? textContent(area) ?? "").replace(/\n$/, "");

function setField(field: HTMLInputElement, text: string, meant: Meant): Effect {
  const value = fitting(field, text);
  if (field.value === value) throw new Refused("already");
  focusOn(field, meant);
  write(field, value, value);
  commit(field);
  return { holds: () => field.value === value };
}

function setValue(element: Element, act: Act & { act: "set_value" }, meant: Meant): Effect {
  const { value } = act;
  if (typeof value === "boolean") return pressed(element, act, meant);
  const text = String(value);
  if (localName(element) === "select") return choose(element, { by: "value", values: [text] }) ?? {};
  return isValued(element) ? setField(element, text, meant) : enterText(element, text, true, meant);
}

function choose(element: Element, choice: Choice): Effect | undefined {
  const list = localName(element) === "option" ? closest(element, "select") : localName(element) === "select" ? element : null;
  if (!list) return undefined;
  if (matches(list, ":disabled")) throw new Refused("disabled");
  const wanted = optionsFor(list as HTMLSelectElement, choice);
  select(list as HTMLSelectElement, wanted);
  return { holds: () => [...(list as HTMLSelectElement).options].every((option) => option.selected === wanted.includes(option)) };
}

function disclose(element: Element, open: boolean): Effect | undefined {
  if (localName(element) === "dialog") {
    const dialog = element as HTMLDialogElement & { requestClose?: () => void };
    const effect = unlessSo({ element, holds: () => dialog.open === open });
    if (open) dialog.showModal();
    else if (dialog.requestClose) dialog.requestClose();
    else dialog.close();
    return effect;
  }
  if (!hasAttribute(element, "popover")) return undefined;
  const effect = unlessSo({ element, holds: () => matches(element, ":popover-open") === open });
  if (open) (element as HTMLElement).showPopover();
  else (element as HTMLElement).hidePopover();
  return effect;
}

const requestSubmit = HTMLFormElement.prototype.requestSubmit;

function submit(element: Element, meant: Meant): Effect {
  const pressing = pressingOf(element, { act: "submit" });
  if (pressing?.element === element) return press(element, meant);
  const form = formOf(element);
  if (!form) throw new Refused("unsupported");
  // A field of the form may have the name of the method.
  requestSubmit.call(form);
  return {};
}

function scroll(element: Element, by: ScrollBy): Effect {
  const scroller = new Scroller(element);
  scroller.go(by);
  return { scrolled: scroller.moved };
}
