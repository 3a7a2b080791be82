// What the application says about its elements in `data-uiap-*` attributes.
//
// A page also shows what strangers wrote, so an annotation can make an element riskier, never safer, and words
// outside the vocabulary are left out.

import type { DataClass, ElementNode, RiskDescriptor, RiskTag, ScopeKind, SuccessSignal, UIRole } from "../../types/uiap.js";
import { componentOf } from "./components.js";
import { attribute, attributeNames } from "./dom.js";
import { ANNOTATION_CHARS_MAX, ID_CHARS_MAX, NAME_CHARS_MAX } from "./limits.js";
import { said } from "./text.js";

export const PREFIX_DEFAULT = "data-uiap-";

const VENDOR = /^x\.[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const ROLES = new Set(("app route region group form dialog drawer popover tabpanel link menu menuitem tablist tab toolbar breadcrumb " +
  "pagination list listitem table row cell grid tree treeitem button textbox textarea searchbox combobox listbox option checkbox radio " +
  "switch slider spinbutton datepicker timepicker fileinput label alert toast status progress spinner image video audio canvas custom").split(" "));
const SCOPE_KINDS = new Set(("page region form dialog drawer menu popover tabpanel toolbar navigation list table grid tree group frame " +
  "custom").split(" "));
const TAGS = new Set("sensitive_data destructive external_effect privileged billing security identity legal irreversible".split(" "));
const DATA_CLASSES = new Set("public internal personal sensitive credential secret payment health".split(" "));
const SIGNALS = new Set(("element.appeared element.disappeared element.state value.equals route.changed dialog.opened dialog.closed " +
  "toast.contains status.contains validation.none collection.count entity.created entity.updated entity.deleted network.response " +
  "custom").split(" "));

const WORDS = ["id", "role", "name", "scope", "scope-kind", "route", "meaning", "action", "actions", "risk", "risk-tags", "data-class", "sensitive", "success", "ignore", "opaque"] as const;
type Word = (typeof WORDS)[number];

/** Reads the annotations of elements under one prefix. */
export class Annotations {
  readonly #prefix: string;
  readonly #attributes: Readonly<Record<Word, string>>;

  /** Matches what may be secret by annotation. */
  readonly secretSelector: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.secretSelector = `[${prefix}sensitive],[${prefix}data-class]`;
    this.#attributes = Object.fromEntries(WORDS.map((word) => [word, prefix + word])) as Record<Word, string>;
  }

  /** What is written on the element, or on the component that it is the only control of. */
  read(element: Element, word: Word): string | undefined {
    const name = this.#attributes[word];
    const own = attribute(element, name);
    if (own !== undefined) return own;
    const component = componentOf(element);
    return component ? attribute(component, name) : undefined;
  }

  /** The id an application gave, if it can be one. */
  #id(element: Element, name: Word): string | undefined {
    const text = this.read(element, name)?.trim();
    return text && text.length <= ID_CHARS_MAX ? text : undefined;
  }

  stableId = (element: Element): string | undefined => this.#id(element, "id");
  scopeId = (element: Element): string | undefined => this.#id(element, "scope");
  routeId = (element: Element): string | undefined => this.#id(element, "route");
  ignores = (element: Element): boolean => isTrue(this.read(element, "ignore"));
  hides = (element: Element): boolean => isTrue(this.read(element, "opaque"));
  sensitive = (element: Element): boolean => isTrue(this.read(element, "sensitive"));
  name = (element: Element): string | undefined => said(this.read(element, "name"), NAME_CHARS_MAX);

  /** Whether the application says anything about the element. */
  any(element: Element): boolean {
    if (this.#isMarked(element)) return true;
    const component = componentOf(element);
    return component !== undefined && this.#isMarked(component);
  }

  #isMarked(element: Element): boolean {
    for (const name of attributeNames(element)) if (name.startsWith(this.#prefix)) return true;
    return false;
  }

  role(element: Element): UIRole | undefined {
    const text = this.read(element, "role")?.trim();
    return text && (ROLES.has(text) || VENDOR.test(text)) ? (text as UIRole) : undefined;
  }

  scopeKind(element: Element): ScopeKind | undefined {
    const text = this.read(element, "scope-kind")?.trim();
    return text && SCOPE_KINDS.has(text) ? (text as ScopeKind) : undefined;
  }

  dataClasses(element: Element): DataClass[] {
    return words(this.read(element, "data-class")).filter((one): one is DataClass => DATA_CLASSES.has(one));
  }

  /** Members of an element that come from annotations alone. */
  apply(element: Element, to: ElementNode): void {
    const meaning = said(this.read(element, "meaning"), NAME_CHARS_MAX);
    if (meaning) to.meaning = meaning;
    const action = this.#id(element, "action");
    if (action) to.defaultAction = action;
    const actions = words(this.read(element, "actions")).filter((id) => id.length <= ID_CHARS_MAX);
    if (actions.length > 0) to.supportedActions = actions;
    const risk = this.#risk(element);
    if (risk) to.risk = risk;
    const classes = this.dataClasses(element);
    if (classes.length > 0) to.dataClasses = classes;
    const success = signals(this.read(element, "success"));
    if (success) to.success = success;
  }

  /** Tags without a level ask for a confirmation; "safe" is never believed. */
  #risk(element: Element): RiskDescriptor | undefined {
    const level = this.read(element, "risk")?.trim();
    const tags = words(this.read(element, "risk-tags")).filter((tag): tag is RiskTag => TAGS.has(tag) || VENDOR.test(tag));
    if (level !== "confirm" && level !== "blocked" && tags.length === 0) return undefined;
    const risk: RiskDescriptor = { level: level === "blocked" ? "blocked" : "confirm" };
    if (tags.length > 0) risk.tags = tags;
    return risk;
  }
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && text.trim().toLowerCase() !== "false";
}

function words(text: string | undefined): string[] {
  return text ? text.split(/[\s,]+/).filter((one) => one !== "") : [];
}

/** Success signals if the text is JSON and each has a known kind; the reader checks the rest. */
function signals(text: string | undefined): SuccessSignal[] | undefined {
  if (!text || text.length > ANNOTATION_CHARS_MAX) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every(isSignal) ? list : undefined;
}

const TARGETED = new Set(["element.appeared", "element.disappeared", "element.state", "value.equals", "collection.count"]);

function isSignal(value: unknown): value is SuccessSignal {
  if (typeof value !== "object" || value === null || !("kind" in value) || typeof value.kind !== "string") return false;
  if (TARGETED.has(value.kind) && !("target" in value && typeof value.target === "object" && value.target !== null)) return false;
  return SIGNALS.has(value.kind) || VENDOR.test(value.kind);
}
