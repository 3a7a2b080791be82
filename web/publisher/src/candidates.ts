// Decides whether an element is published, and as what.

import type { Annotations } from "./annotations.js";
import type { ScopeKind, UIRole } from "../../types/uiap.js";
import { onlyControlOf } from "./components.js";
import { clickableKind, derivedKind, labelKind } from "./derived.js";
import { attribute, hasAttribute, hasAttributes, isEditingHost, isHtml, localName, matches, queryFirst } from "./dom.js";
import { LISTENING_PARTS_MAX } from "./limits.js";
import { hearsKeys, hearsPress } from "./ears.js";
import { readContent, readStructure } from "./reads.js";
import { kindOf } from "./roles.js";
import type { Kind } from "./roles.js";
import { ROLE_OF_SCOPE } from "./scopes.js";
import { isControl } from "./states.js";
import { below, isFrame } from "./tree.js";
import { isControlVisible } from "./visibility.js";
import type { Place } from "./walk.js";

const ACTING = "a[href],button,input,select,textarea,summary,label,[role],[tabindex],[onclick]";

/** Something to publish. */
export interface Candidate {
  kind: Kind;
  /** A click on it does something, though its role does not say so. */
  clickable: boolean;
}

/** Tags that mean something without any attribute. */
const MEANINGFUL = new Set(("a area aside audio button canvas details dialog fieldset footer form frame header iframe img input label li main " +
  "menu meter nav ol output progress search select summary svg table td textarea th tr ul video").split(" "));

export function candidateOf(element: Element, tag: string, place: Place, annotations: Annotations): Candidate | undefined {
  const isMeant = place.area.binding?.page.names(element) ?? false;
  if (!MEANINGFUL.has(tag) && !hasAttributes(element) && !isMeant) return listening(element, place) ?? pointerOnly(element, place, undefined);
  const kind = (annotations.any(element) ? annotatedKind(element, tag, place, annotations) : undefined) ?? kindOf(element, tag, place.live);
  if (kind && kind.role !== "label") return within(element, place, kind, isMeant);
  const found = kind ? labelOf(element as HTMLLabelElement, place, annotations, kind) : roleless(element, tag, place);
  return found ?? (isMeant ? { kind: { role: "custom", aria: "", source: "binding" }, clickable: false } : undefined);
}

/** What the application says it is: by role, as an area, or by giving it an id. */
function annotatedKind(element: Element, tag: string, place: Place, annotations: Annotations): Kind | undefined {
  const role = annotations.role(element);
  const scope = annotations.scopeId(element);
  const stableId = annotations.stableId(element);
  const route = annotations.routeId(element);
  if (!role && !scope && !stableId && !route) return undefined;
  const own = kindOf(element, tag, place.live);
  if (role) return { role, aria: own?.aria ?? role, source: "annotation" };
  const declared = annotations.scopeKind(element);
  if (own) {
    const refined = route ? "route" : own.role === "dialog" && declared === "drawer" ? "drawer" : own.role;
    return { role: refined, aria: own.aria, source: "annotation" };
  }
  if (route) return { role: "route", aria: "main", source: "annotation" };
  if (!scope && onlyControlOf(element)) return undefined;
  return { role: scope ? areaRole(element, declared ?? "custom") : "custom", aria: "", source: "annotation" };
}

/** A box around a table is not a second table. */
function areaRole(element: Element, kind: ScopeKind): UIRole {
  const native = NATIVE_INSIDE[kind];
  if (native) readStructure(element);
  return native && queryFirst(element, native) ? "group" : ROLE_OF_SCOPE[kind];
}

const NATIVE_INSIDE: Partial<Record<ScopeKind, string>> = {
  dialog: "dialog,[role=dialog]", form: "form,[role=form]", grid: "table,[role=grid]", list: "ul,ol,[role=list]", menu: "[role=menu]",
  table: "table,[role=table],[role=grid]", tree: "[role=tree]",
};

/** Inside something that acts as one, only what acts by itself or has an id counts. */
function within(element: Element, place: Place, kind: Kind, isMeant: boolean): Candidate | undefined {
  const clickable = hasAttribute(element, "onclick") || (CONTAINERS.has(kind.role) && (place.area.names.hints.points(element, attribute(element, "style")) || listens(element, place)));
  if (place.owner && !isControl(kind.role) && !clickable && !isMeant && kind.source !== "annotation") return undefined;
  if (kind.role === "list" || kind.role === "region" || kind.role === "form" || isControl(kind.role)) return { kind, clickable: clickable && !isControl(kind.role) };
  return { kind, clickable: clickable || (kind.role === "custom" && (isPointed(element, place) || listens(element, place))) };
}

const CONTAINERS = new Set(["row", "cell", "listitem", "image", "label"]);

function isPointed(element: Element, place: Place): boolean {
  return !place.owner && place.area.names.hints.points(element, attribute(element, "style"));
}

/** A label says the name of its control; it counts for itself only where the control cannot be seen. */
function labelOf(label: HTMLLabelElement, place: Place, annotations: Annotations, kind: Kind): Candidate | undefined {
  const { control } = label;
  readStructure(label);
  if (control) readContent(control);
  const standsIn = control !== null && !isControlVisible(control);
  const derived = standsIn && place.area.derives ? labelKind(control, kind) : kind;
  if (annotations.stableId(label) || annotations.role(label)) return { kind: derived, clickable: true };
  return standsIn && !place.owner ? { kind: derived, clickable: true } : undefined;
}

/** No role, but it can be used: it is focusable or clickable by what its author wrote. */
function roleless(element: Element, tag: string, place: Place): Candidate | undefined {
  const derived = place.area.derives && !place.owner ? derivedKind(element, tag) : undefined;
  if (derived) return { kind: derived, clickable: false };
  const hasHandler = hasAttribute(element, "onclick") || listens(element, place);
  if (hasHandler || isTabbable(element)) return { kind: clickableKind(element, hasHandler ? "click_handler" : "tab_stop"), clickable: hasHandler || hearsKeys(element) || isPointed(element, place) };
  return pointerOnly(element, place, attribute(element, "style"));
}

function isTabbable(element: Element): boolean {
  const index = attribute(element, "tabindex");
  return index !== undefined && Number.parseInt(index, 10) >= 0 && !isEditingHost(element);
}

/** Nothing is written about it, but the page listens to presses on it. */
function listening(element: Element, place: Place): Candidate | undefined {
  return listens(element, place) ? { kind: clickableKind(element, "click_handler"), clickable: true } : undefined;
}

/** Listens to presses for itself, not for what is inside it. */
function listens(element: Element, place: Place): boolean {
  return !place.owner && hearsPress(element) && !isDelegate(element);
}

/** Has controls of its own, or so much inside that it listens for that. */
function isDelegate(element: Element): boolean {
  readStructure(element);
  const waiting: Element[] = [];
  let count = 0;
  for (let at: Element | undefined = element; at; at = waiting.pop()) {
    for (const part of below(at)) {
      count += 1;
      if (count > LISTENING_PARTS_MAX || hearsPress(part) || isFrame(localName(part)) || matches(part, ACTING)) return true;
      waiting.push(part);
    }
  }
  return false;
}

/** Shows a hand, so it can be clicked in all likelihood. */
function pointerOnly(element: Element, place: Place, style: string | undefined): Candidate | undefined {
  if (place.owner || !isHtml(element) || !place.area.names.hints.points(element, style)) return undefined;
  readStructure(element);
  // A hand over something that has controls of its own, such as a card around its link, says nothing new.
  if (queryFirst(element, ACTING)) return undefined;
  return { kind: clickableKind(element, "pointer_cursor"), clickable: true };
}
