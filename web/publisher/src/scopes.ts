// Areas of a page: what kind they are, how they nest, which of them are on top.

import type { ScopeKind, ScopeNode, UIRole, UIState, WebElementState } from "../../types/uiap.js";
import type { Annotations } from "./annotations.js";
import { UniqueIds } from "./identity.js";
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

/** The areas of one graph. */
export class Scopes {
  readonly nodes: ScopeNode[] = [];
  readonly #ids = new UniqueIds();
  readonly #annotations: Annotations;

  constructor(annotations: Annotations) {
    this.#annotations = annotations;
  }

  /** The area around everything in a document. */
  page(documentId: string): string {
    const id = this.#ids.take("scope_page", `scope_${documentId}`);
    this.nodes.push({ id, kind: "page", documentId, state: { visible: true } });
    return id;
  }

  add(element: Element, { kind, documentId, parentScopeId, elementId, name, state }: Described): string {
    const plain = elementId.replace("el_", "scope_");
    const stableId = this.#annotations.stableId(element);
    const id = this.#ids.take(this.#annotations.scopeId(element) ?? stableId ?? plain, plain);
    const node: ScopeNode = { id, kind, documentId, state: stateOfScope(state), elementId };
    if (parentScopeId !== undefined) node.parentScopeId = parentScopeId;
    if (stableId !== undefined) node.stableId = stableId;
    if (name !== undefined) node.name = name;
    this.nodes.push(node);
    return id;
  }
}
