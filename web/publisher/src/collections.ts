// What an element holds: options, items, and what is wrong with its value.

import type { Collection, ElementOption, UIRole, Validation, WebElementState } from "../../types/uiap.js";
import { attribute, firstElementChild, getRootNode, nextElementSibling, numberAttribute, queryAll, queryFirst, word } from "./dom.js";
import { NAME_CHARS_MAX, OPTIONS_MAX, TEXT_CHARS_MAX } from "./limits.js";
import type { Names } from "./names.js";
import { readContent, readId, readStructure } from "./reads.js";
import { cut, said } from "./text.js";

const ITEMS: Partial<Record<UIRole, UIRole>> = {
  list: "listitem", listbox: "option", table: "row", grid: "row", tree: "treeitem", tablist: "tab", menu: "menuitem",
};
const ITEM_SELECTOR: Partial<Record<UIRole, string>> = {
  listbox: "option,[role=option]", tree: "[role=treeitem]", tablist: "[role=tab]",
  menu: "[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio]", grid: "tr,[role=row]", table: "tr,[role=row]",
};

/** How many items an element has; virtualised ones say how many there are in all. */
export function collectionOf(element: Element, role: UIRole): Collection | undefined {
  const itemRole = ITEMS[role];
  if (!itemRole) return undefined;
  readStructure(element);
  const shown = role === "list" ? listItems(element) : rows(element, role);
  const total = numberAttribute(element, "aria-rowcount") ?? setSize(element, role);
  const collection: Collection = { count: shown, itemRole };
  if (total !== undefined && Number.isInteger(total)) {
    // -1 says that there are more, and that nobody knows how many.
    if (total > shown) collection.count = total;
    if (total > shown || total === -1) collection.hasMore = true;
  }
  return collection;
}

function listItems(list: Element): number {
  let count = 0;
  for (let child = firstElementChild(list); child; child = nextElementSibling(child)) {
    const role = word(child, "role");
    if (role === "listitem" || role === "article" || (role === undefined && child.localName === "li")) count += 1;
  }
  return count;
}

function rows(element: Element, role: UIRole): number {
  const selector = ITEM_SELECTOR[role];
  return selector ? queryAll(element, selector).length : 0;
}

function setSize(element: Element, role: UIRole): number | undefined {
  if (role === "table" || role === "grid") return undefined;
  const first = queryFirst(element, "[aria-setsize]");
  return first ? numberAttribute(first, "aria-setsize") : undefined;
}

/** What can be chosen in a list of choices. */
export function optionsOf(element: Element, tag: string, names: Names): ElementOption[] | undefined {
  if (tag === "input") return suggestions(element as HTMLInputElement);
  readContent(element);
  readStructure(element);
  if (tag === "select") return nativeOptions((element as HTMLSelectElement).options);
  const list = queryAll(element, "[role=option]");
  const found: ElementOption[] = [];
  for (let at = 0; at < list.length && at < OPTIONS_MAX; at += 1) {
    const option = list[at] as Element;
    const label = names.name(option, option.localName, "option") ?? "";
    const known: ElementOption = { value: cut(attribute(option, "data-value") ?? attribute(option, "id") ?? label, NAME_CHARS_MAX), label };
    const selected = word(option, "aria-selected");
    if (selected === "true" || selected === "false") known.selected = selected === "true";
    known.enabled = word(option, "aria-disabled") !== "true";
    found.push(known);
  }
  return found.length > 0 ? found : undefined;
}

function nativeOptions(options: HTMLOptionsCollection): ElementOption[] {
  const found: ElementOption[] = [];
  for (let at = 0; at < options.length && at < OPTIONS_MAX; at += 1) {
    const option = options[at] as HTMLOptionElement;
    const enabled = !option.disabled && !(option.parentElement as HTMLOptGroupElement | null)?.matches("optgroup:disabled");
    found.push({ value: cut(option.value, NAME_CHARS_MAX), label: said(option.label, NAME_CHARS_MAX) ?? "", selected: option.selected, enabled });
  }
  return found;
}

/** A text field may suggest values. */
function suggestions(input: HTMLInputElement): ElementOption[] | undefined {
  const id = attribute(input, "list");
  if (id) readId(getRootNode(input), id);
  const { list } = input;
  if (!list) return undefined;
  readContent(list);
  readStructure(list);
  const found: ElementOption[] = [];
  for (let at = 0; at < list.options.length && at < OPTIONS_MAX; at += 1) {
    const option = list.options[at] as HTMLOptionElement;
    found.push({ value: cut(option.value, NAME_CHARS_MAX), label: said(option.label || option.value, NAME_CHARS_MAX) ?? "" });
  }
  return found.length > 0 ? found : undefined;
}

/** What is wrong with a value, in the words of the page or of the browser. */
export function validationOf(element: Element, tag: string, state: WebElementState, names: Names): Validation | undefined {
  if (state.invalid === undefined || state.invalid === false) return undefined;
  const message = said(messageOf(element, tag, names), TEXT_CHARS_MAX);
  return message === undefined ? { invalid: true } : { invalid: true, message };
}

function messageOf(element: Element, tag: string, names: Names): string | undefined {
  const declared = word(element, "aria-invalid");
  if (declared !== undefined && declared !== "false") {
    for (const name of ["aria-errormessage", "aria-describedby"]) {
      const ids = attribute(element, name);
      const text = ids ? names.references(element, ids) : "";
      if (text.trim() !== "") return text;
    }
  }
  // The words of the browser may repeat the value.
  if ((tag !== "input" && tag !== "select" && tag !== "textarea") || names.withholds(element)) return undefined;
  return (element as HTMLInputElement).validationMessage;
}
