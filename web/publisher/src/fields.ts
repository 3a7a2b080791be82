// Writing into native controls the way their owner does: past whatever a framework put over `value`, and with the
// events it waits for.

import { Refused } from "./deed.js";
import type { Choice } from "./deed.js";
import { attribute, getRootNode, hasAttribute, localName, ownerDocument } from "./dom.js";
import { said } from "./text.js";

type Field = HTMLInputElement | HTMLTextAreaElement;

const { getOwnPropertyDescriptor } = Object;

/** A setter of the platform: React puts a property of its own over `value` of each node it controls. */
function setter<T, V>(owner: object, name: string): (self: T, value: V) => void {
  const native = getOwnPropertyDescriptor(owner, name)?.set;
  if (!native) throw new TypeError(`this browser cannot set ${name}`);
  return (self, value) => native.call(self, value);
}

const setInput = setter<Field, string>(HTMLInputElement.prototype, "value");
const setTextarea = setter<Field, string>(HTMLTextAreaElement.prototype, "value");
const setSelected = setter<HTMLOptionElement, boolean>(HTMLOptionElement.prototype, "selected");

const WRITTEN = new Set("text search tel url email password number".split(" "));

/** A control whose value is a text that is typed. */
export function isWritten(element: Element): element is Field {
  const tag = localName(element);
  return tag === "textarea" || (tag === "input" && WRITTEN.has((element as HTMLInputElement).type));
}

/** A control with a value that is not typed: a date, a colour, a range. */
export function isValued(element: Element): element is HTMLInputElement {
  return localName(element) === "input" && (element as HTMLInputElement).type in FORMS;
}

const FORMS: Readonly<Record<string, (text: string) => string>> = {
  color: toColour,
  date: (text) => text.trim().split("T")[0] ?? "",
  "datetime-local": (text) => text.trim().replace(" ", "T"),
  month: (text) => text.trim(),
  range: (text) => text.trim(),
  time: (text) => text.trim().replace(/^(\d):/, "0$1:"),
  week: (text) => text.trim().toUpperCase(),
};

function toColour(text: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim());
  return short ? `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`.toLowerCase() : text.trim().toLowerCase();
}

/** The value as the control would keep it; refused if it would not. */
export function fitting(field: Element, text: string): string {
  if (localName(field) !== "input") return kept(field as Field, text);
  const { type } = field as HTMLInputElement;
  const form = FORMS[type]?.(text) ?? text;
  // An unattached twin says what the control would make of it, and the page does not notice.
  const twin = document.createElement("input");
  for (const name of ["type", "min", "max", "step", "multiple"]) if (hasAttribute(field, name)) twin.setAttribute(name, attribute(field, name) ?? "");
  twin.value = form;
  if (twin.value === "" && form !== "") throw new Refused("unfit_value");
  // A range takes everything that is a number and a colour everything else as black.
  if ((type === "range" && (form === "" || !Number.isFinite(Number(form)))) || (type === "color" && twin.value !== form)) throw new Refused("unfit_value");
  return kept(field as Field, twin.value);
}

/** Nobody can type more than `maxlength` lets in. */
function kept(field: Field, text: string): string {
  const { maxLength } = field;
  return maxLength >= 0 && text.length > maxLength ? text.slice(0, maxLength) : text;
}

/** Sets a value that fits and tells the page. `false` if the page took matters into its own hands. */
export function write(field: Field, value: string, inserted: string): boolean {
  const inputType = value === "" ? "deleteContentBackward" : "insertReplacementText";
  const data = value === "" ? null : inserted;
  const about: InputEventInit = { bubbles: true, composed: true, data, inputType };
  const typed = isWritten(field);
  if (typed && !field.dispatchEvent(new InputEvent("beforeinput", { ...about, cancelable: true }))) return false;
  (localName(field) === "textarea" ? setTextarea : setInput)(field, value);
  field.dispatchEvent(typed ? new InputEvent("input", about) : new Event("input", { bubbles: true, composed: true }));
  return true;
}

/** The control is left as it is: whoever waits for the end of editing is told. */
export function commit(field: Element): void {
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** What a choice means in a native list. */
export function optionsFor(list: HTMLSelectElement, choice: Choice): HTMLOptionElement[] {
  const options = [...list.options];
  const found = choice.by === "index" ? [options[choice.index]] : wantedOf(choice).map((text) => one(options, choice.by, text));
  if (found.length === 0 && !list.multiple) throw new Refused("no_option");
  if (found.length > 1 && !list.multiple) throw new Refused("unfit_value");
  return found.map((option) => {
    if (!option || option.disabled || option.closest("optgroup:disabled")) throw new Refused("no_option");
    return option;
  });
}

export const wantedOf = (choice: Choice): string[] => choice.by === "value" ? choice.values : choice.by === "label" ? choice.labels : [];

/** The one option that is meant; two of the same name are none. */
function one(options: HTMLOptionElement[], by: Choice["by"], text: string): HTMLOptionElement | undefined {
  const wanted = said(text, text.length + 1);
  const found = options.filter((option) => by === "value" ? option.value === text : said(option.label, option.label.length + 1) === wanted);
  return found.length === 1 ? found[0] : undefined;
}

/** Chooses in a native list and tells the page; refused if that is chosen already. */
export function select(list: HTMLSelectElement, wanted: HTMLOptionElement[]): void {
  const options = [...list.options];
  if (options.every((option) => option.selected === wanted.includes(option))) throw new Refused("already");
  if (list.multiple) for (const option of options) setSelected(option, wanted.includes(option));
  else for (const option of wanted) setSelected(option, true);
  list.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  commit(list);
}

/** Marks everything in an editable area, or puts the caret behind it. */
export function markAll(area: Element, everything: boolean): void {
  const root = getRootNode(area) as (Document | ShadowRoot) & { getSelection?: () => Selection | null };
  const selection = root.getSelection?.() ?? ownerDocument(area)?.getSelection();
  selection?.selectAllChildren(area);
  if (!everything) selection?.collapseToEnd();
}

/**
 * Writes at the selection by the editing commands of the browser. They tell the page afterwards, but do not ask it
 * before, and some editors do all their work when they are asked.
 */
export function edit(area: Element, text: string): void {
  const removes = text === "";
  const init = { bubbles: true, cancelable: true, composed: true, data: removes ? null : text, inputType: removes ? "deleteContentBackward" : "insertText" };
  if (!area.dispatchEvent(new InputEvent("beforeinput", init))) return;
  if (removes) ownerDocument(area)?.execCommand("delete");
  else ownerDocument(area)?.execCommand("insertText", false, text);
}
