// Areas of a page: what kind they are, how they nest, which of them are on top.

import type { ScopeKind, ScopeNode, UIRole, UIState, WebElementState } from "../../types/uiap.js";
import type { Annotations } from "./annotations.js";
import type { Kind } from "./roles.js";

const KINDS: Partial<Record<UIRole, ScopeKind>> = {
  app: "page", breadcrumb: "navigation", dialog: "dialog", drawer: "drawer", form: "form", grid: "grid", group: "group", list: "list",
  menu: "menu", pagination: "navigation", popover: "popover", region: "region", route: "region", table: "table", tabpanel: "tabpanel",
  toolbar: "toolbar", tree: "tree",
};

/** The role of an element that its author only called an area. */
export const ROLE_OF_SCOPE: Readonly<Record<ScopeKind, UIRole>> = {
  custom: "custom", dialog: "dialog", drawer: "drawer", form: "form", frame: "region", grid: "grid", group: "group", list: "list",
  menu: "menu", navigation: "region", page: "app", popover: "popover", region: "region", table: "table", tabpanel: "tabpanel",
  toolbar: "toolbar", tree: "tree",
};

export function scopeKindOf(element: Element, kind: Kind, annotations: Annotations): ScopeKind | undefined {
  const declared = annotations.scopeKind(element);
  if (declared) return declared;
  if (kind.aria === "x-frame") return "frame";
  if (kind.aria === "navigation") return "navigation";
  return KINDS[kind.role] ?? (annotations.scopeId(element) ? "custom" : undefined);
}

const STATE_KEYS = ["visible", "enabled", "busy", "open", "modal", "blocked"] as const;

function stateOfScope(state: WebElementState): UIState {
  const kept: UIState = {};
  for (const key of STATE_KEYS) {
    const value = state[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

interface Described {
  kind: ScopeKind;
  documentId: string;
  parentScopeId: string | undefined;
  elementId: string;
  name: string | undefined;
  state: WebElementState;
}

/** Describes areas. */
export class Scopes {
  readonly #annotations: Annotations;
  /** Ids that authors gave, with the element that has each. */
  #holders = new Map<string, Element>();
  /** Ids that more than one element wants. */
  readonly contested = new Set<string>();

  constructor(annotations: Annotations) {
    this.#annotations = annotations;
  }

  /** Everything is described anew: the first one gets what it wants. */
  forget(): void {
    this.#holders = new Map();
    this.contested.clear();
  }

  /** An element is published no longer, or will be described again. */
  release(element: Element, id: string): void {
    if (this.#holders.get(id) === element) this.#holders.delete(id);
  }

  make(element: Element, { kind, documentId, parentScopeId, elementId, name, state }: Described): ScopeNode {
    const stableId = this.#annotations.stableId(element);
    const node: ScopeNode = { id: this.#id(element, this.#annotations.scopeId(element) ?? stableId, elementId), kind, documentId, state: stateOfScope(state), elementId };
    if (parentScopeId !== undefined) node.parentScopeId = parentScopeId;
    if (stableId !== undefined) node.stableId = stableId;
    if (name !== undefined) node.name = name;
    return node;
  }

  #id(element: Element, given: string | undefined, elementId: string): string {
    const own = elementId.replace("el_", "scope_");
    if (given === undefined) return own;
    const holder = this.#holders.get(given) ?? element;
    if (holder !== element || given === PAGE_SCOPE) {
      this.contested.add(given);
      return own;
    }
    this.#holders.set(given, element);
    return given;
  }
}

/** The area around everything. */
export const PAGE_SCOPE = "scope_page";
