// The state of an element: only what is known, never what is guessed.

import type { Current, HasPopup, Invalid, UIRole, WebElementState } from "../../types/uiap.js";
import { derivedState } from "./derived.js";
import { attribute, closest, hasAttribute, isContentEditable, isEditingHost, isHtml, localName, matches, numberAttribute, tabIndex, word } from "./dom.js";
import { TEXT_CHARS_MAX } from "./limits.js";
import type { Names } from "./names.js";
import { readContent } from "./reads.js";
import type { Kind } from "./roles.js";
import { cut, said } from "./text.js";

const FORM_CONTROLS = new Set(["button", "input", "select", "textarea", "optgroup", "option", "fieldset"]);
const CONTROLS = new Set<UIRole>(("button link menuitem tab textbox textarea searchbox combobox listbox option checkbox radio switch slider " +
  "spinbutton datepicker timepicker fileinput treeitem").split(" ") as UIRole[]);
const TEXTUAL = new Set<UIRole>(["textbox", "textarea", "searchbox", "combobox", "datepicker", "timepicker", "spinbutton"]);
const RANGES = new Set<UIRole>(["slider", "spinbutton", "progress"]);
const REQUIRABLE = new Set<UIRole>(["textbox", "textarea", "searchbox", "combobox", "listbox", "datepicker", "timepicker", "spinbutton", "fileinput", "checkbox", "radio", "switch"]);
/** Roles whose text is their message rather than their name. */
const SPEAKING = new Set<UIRole>(["status", "alert", "toast", "listitem"]);
const NATIVE_FOCUS = new Set(["button", "input", "select", "textarea", "summary", "iframe", "audio", "video"]);

export const isControl = (role: UIRole): boolean => CONTROLS.has(role);

/** What the surroundings of an element say about it. */
export interface Surroundings {
  visible: boolean;
  disabled: boolean;
  /** A modal layer or `inert` keeps it from being used. */
  blocked: boolean;
  clickable: boolean;
  sensitive: boolean;
  focused: boolean;
}

export function stateOf(shown: Element, shownTag: string, kind: Kind, around: Surroundings, names: Names): WebElementState {
  const state: WebElementState = { visible: around.visible };
  const { role, subject: element = shown } = kind;
  const tag = element === shown ? shownTag : localName(element);
  const disabled = isDisabled(element, tag);
  const focusable = !disabled && isFocusable(shown, shownTag);
  if (CONTROLS.has(role) || around.clickable || focusable) {
    state.enabled = !around.disabled && !disabled && word(element, "aria-disabled") !== "true";
    state.focusable = focusable;
    if (focusable) state.focused = around.focused;
  }
  if (around.blocked) state.blocked = true;
  if (word(element, "aria-busy") === "true") state.busy = true;
  if (role === "spinner") state.loading = true;
  toggles(state, element, tag, kind);
  disclosure(state, element, tag, role);
  values(state, element, tag, kind, around, names);
  validity(state, element, tag, role);
  return kind.rule && !around.sensitive ? Object.assign(state, derivedState(element, kind.rule, names)) : state;
}

/** It can take the focus, by keyboard or by script, unless it is disabled. */
function isFocusable(element: Element, tag: string): boolean {
  if (hasAttribute(element, "tabindex")) return true;
  if (tag === "a" || tag === "area") return hasAttribute(element, "href");
  if (tag === "audio" || tag === "video") return hasAttribute(element, "controls");
  if (NATIVE_FOCUS.has(tag)) return tag !== "summary" || (isHtml(element) && tabIndex(element) >= 0);
  return isEditingHost(element);
}

/** By HTML; ARIA comes from the surroundings. */
function isDisabled(element: Element, tag: string): boolean {
  return FORM_CONTROLS.has(tag) || tag.includes("-") ? matches(element, ":disabled") : false;
}

function toggles(state: WebElementState, element: Element, tag: string, kind: Kind): void {
  if (tag === "input" && (kind.role === "checkbox" || kind.role === "radio" || kind.role === "switch")) {
    const input = element as HTMLInputElement;
    if (input.type === "checkbox" || input.type === "radio") state.checked = input.indeterminate && input.type === "checkbox" ? "mixed" : input.checked;
  }
  if (state.checked === undefined && (kind.role === "checkbox" || kind.role === "radio" || kind.role === "switch" || kind.role === "menuitem" || kind.role === "option" || kind.role === "treeitem")) {
    const checked = word(element, "aria-checked");
    if (checked === "true" || checked === "false") state.checked = checked === "true";
    else if (checked === "mixed") state.checked = kind.role === "switch" || kind.role === "radio" ? false : "mixed";
    else if (isAriaToggle(kind.aria)) state.checked = false;
  }
  const pressed = word(element, "aria-pressed");
  if (pressed === "true" || pressed === "false") state.pressed = pressed === "true";
  const selected = word(element, "aria-selected");
  if (selected === "true" || selected === "false") state.selected = selected === "true";
  else if (tag === "option") state.selected = (element as HTMLOptionElement).selected;
  const current = word(element, "aria-current");
  if (current === "true" && kind.role !== "link") state.selected ??= true;
  else if (current !== undefined) setCurrent(state, current);
}

const isAriaToggle = (aria: string): boolean => aria === "checkbox" || aria === "radio" || aria === "switch" || aria === "menuitemcheckbox" || aria === "menuitemradio";

const CURRENT = new Set(["page", "step", "location", "date", "time"]);

function setCurrent(state: WebElementState, text: string): void {
  if (CURRENT.has(text)) state.current = text as Current;
  else if (text === "true") state.current = "page";
  else if (text === "false") state.current = false;
}

const POPUPS = new Set(["menu", "listbox", "dialog", "grid", "tree"]);

function disclosure(state: WebElementState, element: Element, tag: string, role: UIRole): void {
  const expanded = word(element, "aria-expanded");
  if (expanded === "true" || expanded === "false") state.expanded = expanded === "true";
  else if (tag === "summary" && role === "button") state.expanded = closest(element, "details")?.hasAttribute("open") ?? false;
  else if (tag === "details") state.open = hasAttribute(element, "open");
  const popup = word(element, "aria-haspopup");
  if (popup === "true") state.hasPopup = "menu";
  else if (popup !== undefined && POPUPS.has(popup)) state.hasPopup = popup as HasPopup;
  else if (tag === "select" && role === "combobox") state.hasPopup = "listbox";
  if (role === "dialog" || role === "drawer" || role === "popover") {
    state.open = isOpen(element, tag, state.visible === true);
    if (role !== "popover") state.modal = isModal(element, tag);
  }
  const orientation = word(element, "aria-orientation");
  if (orientation === "horizontal" || orientation === "vertical") state.orientation = orientation;
}

function isOpen(element: Element, tag: string, visible: boolean): boolean {
  if (tag === "dialog") return hasAttribute(element, "open");
  return hasAttribute(element, "popover") ? matches(element, ":popover-open") : visible;
}

/** It keeps everything else from being used. */
export function isModal(element: Element, tag: string): boolean {
  return (tag === "dialog" && matches(element, ":modal")) || word(element, "aria-modal") === "true";
}

function values(state: WebElementState, element: Element, tag: string, kind: Kind, around: Surroundings, names: Names): void {
  const { role } = kind;
  const readonly = isReadonly(element, tag);
  if (TEXTUAL.has(role) || role === "slider" || role === "listbox") {
    const editable = isEditable(element, tag, role);
    state.editable = editable && !readonly && state.enabled !== false;
    if (readonly) state.readonly = true;
  } else if (role === "fileinput" || kind.aria === "x-color") {
    state.editable = state.enabled !== false;
  }
  if (REQUIRABLE.has(role)) {
    if (hasAttribute(element, "required") && (tag === "input" || tag === "select" || tag === "textarea")) state.required = true;
    else if (word(element, "aria-required") === "true") state.required = true;
  }
  if (role === "textarea" || word(element, "aria-multiline") === "true") state.multiline = true;
  const placeholder = said(attribute(element, "placeholder") ?? attribute(element, "aria-placeholder"), TEXT_CHARS_MAX);
  if (placeholder && TEXTUAL.has(role)) state.placeholder = placeholder;
  if (around.sensitive) {
    state.sensitive = true;
    state.redacted = true;
    return;
  }
  if (RANGES.has(role)) numbers(state, element, tag);
  const text = textValue(element, tag, role, names);
  if (text !== undefined) state.textValue = cut(text, TEXT_CHARS_MAX);
}

function isReadonly(element: Element, tag: string): boolean {
  if (word(element, "aria-readonly") === "true") return true;
  return (tag === "input" || tag === "textarea") && hasAttribute(element, "readonly");
}

/** A list of choices is set by choosing; text and ranges are set by writing. */
function isEditable(element: Element, tag: string, role: UIRole): boolean {
  if (tag === "input" || tag === "textarea") return true;
  if (role === "slider" || role === "spinbutton") return true;
  if (tag === "select" || role === "listbox") return false;
  return isContentEditable(element);
}

function numbers(state: WebElementState, element: Element, tag: string): void {
  if (tag === "input") {
    const input = element as HTMLInputElement;
    set(state, "numericValue", Number.isNaN(input.valueAsNumber) ? undefined : input.valueAsNumber);
    const range = input.type === "range";
    set(state, "min", numberAttribute(input, "min") ?? (range ? 0 : undefined));
    set(state, "max", numberAttribute(input, "max") ?? (range ? 100 : undefined));
    set(state, "step", numberAttribute(input, "step") ?? (attribute(input, "step") === "any" ? undefined : 1));
    return;
  }
  if (tag === "progress" || tag === "meter") {
    const gauge = element as HTMLMeterElement;
    if (hasAttribute(element, "value")) set(state, "numericValue", gauge.value);
    if (tag === "meter") set(state, "min", gauge.min);
    else set(state, "min", 0);
    set(state, "max", gauge.max);
    return;
  }
  set(state, "numericValue", numberAttribute(element, "aria-valuenow"));
  set(state, "min", numberAttribute(element, "aria-valuemin"));
  set(state, "max", numberAttribute(element, "aria-valuemax"));
}

function set(state: WebElementState, key: "numericValue" | "min" | "max" | "step", value: number | undefined): void {
  if (value !== undefined && Number.isFinite(value)) state[key] = value;
}

function textValue(element: Element, tag: string, role: UIRole, names: Names): string | undefined {
  if (tag === "input") {
    const input = element as HTMLInputElement;
    if (input.type === "file") return said(fileNames(input), TEXT_CHARS_MAX);
    return TEXTUAL.has(role) || input.type === "color" ? input.value : attribute(element, "aria-valuetext");
  }
  if (tag === "textarea") return (element as HTMLTextAreaElement).value;
  if (tag === "select") {
    readContent(element);
    return said((element as HTMLSelectElement).selectedOptions[0]?.label, TEXT_CHARS_MAX);
  }
  if (RANGES.has(role)) return said(attribute(element, "aria-valuetext"), TEXT_CHARS_MAX);
  if (TEXTUAL.has(role) || SPEAKING.has(role)) return names.content(element) ?? (TEXTUAL.has(role) ? "" : undefined);
  return undefined;
}

function fileNames(input: HTMLInputElement): string {
  const names: string[] = [];
  for (let at = 0; at < (input.files?.length ?? 0); at += 1) names.push(input.files?.[at]?.name ?? "");
  return names.join(", ");
}

function validity(state: WebElementState, element: Element, tag: string, role: UIRole): void {
  if (!REQUIRABLE.has(role) && role !== "slider") return;
  const invalid = word(element, "aria-invalid");
  if (invalid === "grammar" || invalid === "spelling") state.invalid = invalid satisfies Invalid;
  else if (invalid === "true") state.invalid = true;
  else if (tag === "input" || tag === "select" || tag === "textarea") state.invalid = matches(element, ":invalid");
  else if (invalid === "false") state.invalid = false;
}
