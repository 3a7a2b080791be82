// What an element is: its ARIA role by HTML-AAM and WAI-ARIA, and from that its UIRole.

import type { ElementSource, UIRole } from "../../types/uiap.js";
import type { Rule } from "./derived.js";
import { attribute, closest, firstElementChild, hasAttribute, isEditingHost, isHtml, localName, nextElementSibling, nodeType, parentNode, word } from "./dom.js";

/** What is known about the kind of an element. */
export interface Kind {
  role: UIRole;
  /** The ARIA role, or the name we give to native controls that have none. */
  aria: string;
  source: ElementSource;
  /** The rule that inferred it. */
  rule?: Rule;
  /** What the state is read from, if not from the element. */
  subject?: Element;
}

/** ARIA role -> UIRole. A role that is missing here is not published for itself. */
const UI_ROLE: Readonly<Record<string, UIRole>> = {
  alert: "alert", alertdialog: "dialog", application: "app", banner: "region", button: "button", cell: "cell", checkbox: "checkbox",
  columnheader: "cell", combobox: "combobox", complementary: "region", contentinfo: "region", dialog: "dialog", directory: "list",
  feed: "list", form: "form", grid: "grid", gridcell: "cell", group: "group", image: "image", img: "image", link: "link", list: "list",
  listbox: "listbox", listitem: "listitem", log: "status", main: "region", marquee: "status", menu: "menu", menubar: "menu",
  menuitem: "menuitem", menuitemcheckbox: "menuitem", menuitemradio: "menuitem", meter: "progress", navigation: "region",
  option: "option", progressbar: "progress", radio: "radio", radiogroup: "group", region: "region", row: "row", rowheader: "cell",
  scrollbar: "slider", search: "region", searchbox: "searchbox", slider: "slider", spinbutton: "spinbutton", status: "status",
  switch: "switch", tab: "tab", table: "table", tablist: "tablist", tabpanel: "tabpanel", textbox: "textbox", timer: "status",
  toolbar: "toolbar", tooltip: "popover", tree: "tree", treegrid: "grid", treeitem: "treeitem",
  // Native things without an ARIA role of their own.
  "x-audio": "audio", "x-canvas": "canvas", "x-color": "custom", "x-date": "datepicker", "x-file": "fileinput", "x-frame": "region",
  "x-label": "label", "x-time": "timepicker", "x-video": "video",
};

/** ARIA roles that exist but say nothing to us; they end the search for a role all the same. */
const SILENT = new Set(("article blockquote caption code definition deletion document emphasis figure generic heading insertion mark math " +
  "none note paragraph presentation rowgroup separator strong subscript superscript term time suggestion comment").split(" "));

const INPUTS: Readonly<Record<string, string>> = {
  button: "button", checkbox: "checkbox", color: "x-color", date: "x-date", "datetime-local": "x-date", email: "textbox", file: "x-file",
  image: "button", month: "x-date", number: "spinbutton", password: "textbox", radio: "radio", range: "slider", reset: "button",
  search: "searchbox", submit: "button", tel: "textbox", text: "textbox", time: "x-time", url: "textbox", week: "x-date",
};

const TAGS: Readonly<Record<string, string>> = {
  article: "article", aside: "complementary", audio: "x-audio", button: "button", canvas: "x-canvas", details: "group", dialog: "dialog",
  embed: "x-frame", fieldset: "group", figure: "figure", form: "form", frame: "x-frame", h1: "heading", h2: "heading", h3: "heading",
  h4: "heading", h5: "heading", h6: "heading", iframe: "x-frame", label: "x-label", main: "main", menu: "list", meter: "meter",
  nav: "navigation", object: "x-frame", ol: "list", optgroup: "group", option: "option", output: "status", progress: "progressbar",
  search: "search", table: "table", tbody: "rowgroup", textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", ul: "list",
  video: "x-video",
};

const LANDMARK_BREAKERS = "article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]";
const NAMING = ["aria-label", "aria-labelledby", "title"];

/** Whether the author named the element; enough to decide whether it is a landmark. */
function isNamed(element: Element): boolean {
  return NAMING.some((name) => Boolean(attribute(element, name)?.trim()));
}

/** The role HTML gives an element; "" if none. */
function nativeRole(element: Element, tag: string): string {
  switch (tag) {
    case "a":
    case "area":
      return hasAttribute(element, "href") || element.hasAttributeNS("http://www.w3.org/1999/xlink", "href") ? "link" : "";
    case "input":
      return inputRole(element as HTMLInputElement);
    case "select":
      return hasAttribute(element, "multiple") || Number(attribute(element, "size")) > 1 ? "listbox" : "combobox";
    case "img":
      return imageRole(element);
    case "svg":
      return isNamed(element) || hasChild(element, "title") ? "img" : "";
    case "section":
      return isNamed(element) ? "region" : "";
    case "header":
      return isTopLevel(element) ? "banner" : "";
    case "footer":
      return isTopLevel(element) ? "contentinfo" : "";
    case "li":
      return isListItem(element) ? "listitem" : "";
    case "tr":
      return inTable(element) ? "row" : "";
    case "td":
      return inTable(element) ? "cell" : "";
    case "th":
      return inTable(element) ? (word(element, "scope")?.startsWith("row") ? "rowheader" : "columnheader") : "";
    case "summary":
      return isSummary(element) ? "button" : "";
    default:
      return TAGS[tag] ?? "";
  }
}

function inputRole(input: HTMLInputElement): string {
  const { type } = input;
  const role = INPUTS[type] ?? (type === "hidden" ? "" : "textbox");
  if ((role === "textbox" || role === "searchbox") && type !== "password" && hasAttribute(input, "list")) return "combobox";
  if (role === "checkbox" && hasAttribute(input, "switch")) return "switch";
  return role;
}

function imageRole(element: Element): string {
  const alt = attribute(element, "alt");
  if (alt !== undefined && alt.trim() === "" && !isNamed(element)) return "";
  return "img";
}

function hasChild(element: Element, tag: string): boolean {
  for (let child = firstElementChild(element); child; child = nextElementSibling(child)) if (localName(child) === tag) return true;
  return false;
}

function parentOf(element: Element): Element | null {
  const parent = parentNode(element);
  return parent && nodeType(parent) === 1 ? (parent as Element) : null;
}

const isTopLevel = (element: Element): boolean => closest(element, LANDMARK_BREAKERS) === null;

function isListItem(element: Element): boolean {
  const parent = parentOf(element);
  if (!parent) return false;
  const tag = localName(parent);
  const role = word(parent, "role");
  return (tag === "ul" || tag === "ol" || tag === "menu") && (role === undefined || role === "list");
}

function inTable(element: Element): boolean {
  const table = closest(element, "table");
  return table !== null && !isPresentational(word(table, "role"));
}

function isSummary(element: Element): boolean {
  const parent = parentOf(element);
  if (!parent || localName(parent) !== "details") return false;
  for (let at = firstElementChild(parent); at; at = nextElementSibling(at)) if (localName(at) === "summary") return at === element;
  return false;
}

export const isPresentational = (role: string | undefined): boolean => role === "none" || role === "presentation";

/** The first role of the attribute that we know. */
function explicitRole(text: string): string | undefined {
  for (const token of text.toLowerCase().split(/\s+/)) if (token in UI_ROLE ? !token.startsWith("x-") : SILENT.has(token)) return token;
  return undefined;
}

const GLOBALS = ["aria-label", "aria-labelledby", "aria-describedby", "aria-live", "aria-controls", "aria-owns", "aria-current", "aria-busy"];

/** Authors may not hide the meaning of what can be focused, or of what they describe at the same time. */
function resistsPresentation(element: Element): boolean {
  if (GLOBALS.some((name) => hasAttribute(element, name))) return true;
  const tag = localName(element);
  const role = nativeRole(element, tag);
  return hasAttribute(element, "tabindex") || ["button", "link", "textbox", "checkbox", "radio", "combobox", "listbox", "slider", "spinbutton", "searchbox"].includes(role);
}

/** The ARIA role of an element; "" if it has none. */
export function ariaRole(element: Element, tag: string): string {
  const text = attribute(element, "role");
  if (!text) return nativeRole(element, tag);
  const explicit = explicitRole(text);
  if (explicit === undefined) return nativeRole(element, tag);
  if (isPresentational(explicit)) return resistsPresentation(element) ? nativeRole(element, tag) : "none";
  if ((explicit === "form" || explicit === "region") && !isNamed(element)) return explicit === "form" ? "form" : nativeRole(element, tag);
  return explicit;
}

const TOAST = /(^|[\s_-])(toast|snackbar)($|[\s_-])/i;
const DRAWER = /(^|[\s_-])(drawer|offcanvas|side-?sheet|bottom-?sheet)($|[\s_-])/i;
const BREADCRUMB = /bread-?crumb|brotkr|fil d'ariane|migas de pan|kruimel/i;
const PAGINATION = /paginat|paginier|seitennavigation|seitenwahl|paging/i;

const CLASSES = /toast|snackbar|drawer|offcanvas|sheet|bread-?crumb|pag|slider|range|scrub|seek|thumb|handle|knob|segment|toggle|switcher|pill|active|selected|checked|current|(^|[\s_-])on($|[\s_-])/i;

/** Whether a change of classes may be a change of role. */
export function classMatters(old: string, now: string): boolean {
  return CLASSES.test(old) || CLASSES.test(now);
}

const className = (element: Element): string => attribute(element, "class") ?? "";

export const isToast = (element: Element): boolean => TOAST.test(className(element));

/** What an element is to us; `undefined` for containers, text and decoration. */
export function kindOf(element: Element, tag: string, inLiveRegion: boolean): Kind | undefined {
  const aria = ariaRole(element, tag);
  const source: ElementSource = hasAttribute(element, "role") && attribute(element, "role")?.toLowerCase().includes(aria) ? "aria" : "html";
  const role = refine(element, tag, aria, UI_ROLE[aria]);
  if (role) return { role, aria, source };
  const live = word(element, "aria-live");
  if (live === "polite" || live === "assertive") {
    const plain = live === "assertive" ? "alert" : "status";
    return { role: TOAST.test(className(element)) ? "toast" : plain, aria: plain, source: "aria" };
  }
  if (inLiveRegion && TOAST.test(className(element)) && isHtml(element)) return { role: "toast", aria: aria, source: "heuristic" };
  if (hasAttribute(element, "popover") && isHtml(element)) return { role: "popover", aria, source: "html" };
  if (isEditingHost(element)) return { role: "textarea", aria: "textbox", source: "html" };
  return undefined;
}

/** Where one ARIA role stands for several of ours. */
function refine(element: Element, tag: string, aria: string, role: UIRole | undefined): UIRole | undefined {
  switch (aria) {
    case "alertdialog":
    case "dialog":
      return DRAWER.test(className(element)) ? "drawer" : "dialog";
    case "textbox":
      return tag === "textarea" || word(element, "aria-multiline") === "true" || (tag !== "input" && isEditingHost(element) && word(element, "aria-multiline") !== "false") ? "textarea" : "textbox";
    case "progressbar":
      return isIndeterminate(element, tag) ? "spinner" : "progress";
    case "navigation": {
      const said = `${attribute(element, "aria-label") ?? ""} ${className(element)}`;
      if (BREADCRUMB.test(said)) return "breadcrumb";
      return PAGINATION.test(said) ? "pagination" : "region";
    }
    case "alert":
    case "status":
      return TOAST.test(className(element)) ? "toast" : role;
    case "separator":
      return hasAttribute(element, "tabindex") && hasAttribute(element, "aria-valuenow") ? "slider" : undefined;
    case "figure":
    case "article":
      return isNamed(element) ? (aria === "figure" ? "group" : "region") : undefined;
    case "group":
      return tag === "optgroup" ? undefined : role;
    case "x-frame":
      return tag === "embed" || tag === "object" ? undefined : role;
    default:
      return role;
  }
}

function isIndeterminate(element: Element, tag: string): boolean {
  return tag === "progress" && !hasAttribute(element, "role") ? !hasAttribute(element, "value") : !hasAttribute(element, "aria-valuenow");
}
