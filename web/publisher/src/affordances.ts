// What an element offers, from what it is and how it is.

import type { ElementNode, UIAffordance, UIRole, WebElementState } from "../../types/uiap.js";
import type { Rule } from "./derived.js";
import { attribute, closest, word } from "./dom.js";

const OFFERS: Partial<Record<UIRole, readonly UIAffordance[]>> = {
  button: ["activate"], link: ["activate"], menuitem: ["activate"], tab: ["activate", "choose"], option: ["choose", "activate"],
  textbox: ["edit"], textarea: ["edit"], searchbox: ["edit"], datepicker: ["edit"], timepicker: ["edit"], spinbutton: ["edit"],
  slider: ["edit"], combobox: ["choose"], listbox: ["choose"], checkbox: ["toggle"], switch: ["toggle"], radio: ["choose", "toggle"],
  fileinput: ["upload"], treeitem: ["choose", "activate"], form: ["submit"], label: ["activate"], dialog: ["close", "dismiss"],
  drawer: ["close", "dismiss"], popover: ["close", "dismiss"], video: ["activate"], audio: ["activate"],
};

/** Roles that hold nothing to read but what is in them. */
const SILENT = new Set<UIRole>(["form", "region", "list", "table", "grid", "tree", "tablist", "toolbar", "menu", "group", "tabpanel", "route", "app", "breadcrumb", "pagination"]);

/** Actions that every runtime knows; all others belong to an application. */
const PRIMITIVE = /^(ui|nav)\./;

/** Addresses that lead nowhere, without the blanks that browsers overlook: a link with one does what a script makes of it. */
const NOWHERE = /^(#!?|javascript:.*)?$/i;
const BLANKS = /[\0-\x20]/g;

/** Few combinations serve all elements, so each list exists once. */
const lists = new Map<string, UIAffordance[]>();

export function affordancesOf(element: Element, tag: string, { role, state, supportedActions }: ElementNode, clickable: boolean, rule?: Rule): UIAffordance[] {
  const submits = role === "button" && isSubmit(element, tag);
  const invokes = supportedActions?.some((id) => !PRIMITIVE.test(id)) === true;
  const leads = role === "link" && leadsSomewhere(element, tag);
  const key = `${role}${leads}${state.focusable === true}${state.editable}${clickable}${state.expanded}${state.hasPopup !== undefined && state.hasPopup !== false}${submits}${invokes}${rule === "segmented_control"}`;
  let list = lists.get(key);
  if (!list) lists.set(key, (list = listOf(role, state, { clickable, leads, submits, invokes }, rule)));
  return list;
}

interface Facts {
  readonly clickable: boolean;
  readonly leads: boolean;
  readonly submits: boolean;
  readonly invokes: boolean;
}

function listOf(role: UIRole, state: WebElementState, { clickable, leads, submits, invokes }: Facts, rule: Rule | undefined): UIAffordance[] {
  const offers: UIAffordance[] = SILENT.has(role) ? [] : ["read"];
  if (state.focusable) offers.push("focus");
  for (const offer of OFFERS[role] ?? []) if (offer !== "edit" || state.editable !== false) add(offers, offer);
  if (leads) add(offers, "navigate");
  if (role === "combobox" && state.editable) add(offers, "edit");
  if (clickable) add(offers, "activate");
  if (rule === "segmented_control") add(offers, "choose");
  if (role === "custom" && state.editable) add(offers, "edit");
  if (state.expanded !== undefined) add(offers, state.expanded ? "collapse" : "expand");
  if (state.hasPopup) add(offers, "open");
  if (submits) add(offers, "submit");
  if (invokes) add(offers, "invoke");
  return offers;
}

function add(offers: UIAffordance[], offer: UIAffordance): void {
  if (!offers.includes(offer)) offers.push(offer);
}

/** Whoever calls anything but an anchor a link knows that it leads somewhere. */
function leadsSomewhere(element: Element, tag: string): boolean {
  if (tag !== "a" && tag !== "area") return true;
  const address = attribute(element, "href") ?? attribute(element, "xlink:href");
  return address !== undefined && !NOWHERE.test(address.replace(BLANKS, ""));
}

function isSubmit(element: Element, tag: string): boolean {
  if (tag === "input") {
    const type = word(element, "type");
    return type === "submit" || type === "image";
  }
  if (tag !== "button") return false;
  const type = word(element, "type");
  const sends = type === undefined || (type !== "button" && type !== "reset");
  return sends && (attribute(element, "form") !== undefined || closest(element, "form") !== null);
}
