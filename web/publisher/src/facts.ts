// What is known about one element, fresh: the same state that a graph would say.

import type { UIRole, WebElementState } from "../../types/uiap.js";
import { Annotations, PREFIX_DEFAULT } from "./annotations.js";
import { activeElement, attribute, forget, getRootNode, hasAttribute, isShadowRoot, localName, matches, nodeType, queryAll, word } from "./dom.js";
import type { Root } from "./dom.js";
import { outward } from "./hit.js";
import { Letters } from "./letters.js";
import { NAME_CHARS_MAX } from "./limits.js";
import { Names } from "./names.js";
import { kindOf } from "./roles.js";
import type { Kind } from "./roles.js";
import { Secrets, secretByBundle } from "./sensitive.js";
import { stateOf } from "./states.js";
import { said } from "./text.js";
import { forgetVisibility, isVisible } from "./visibility.js";

let annotations = new Annotations(PREFIX_DEFAULT);
/** For one element, asking costs less than finding out whether it is worth it. */
const letters = new Letters();
letters.learn(true, true);
letters.settle();
const CUSTOM: Kind = { role: "custom", aria: "", source: "heuristic" };
const NATIVE = new Set(["input", "select", "textarea", "button", "a", "summary", "option"]);

/** From now on annotations begin so. */
export function readAnnotations(prefix: string): void {
  annotations = new Annotations(prefix);
}

/** The page may have changed since anybody asked last. */
export function refresh(): void {
  forget();
  forgetVisibility();
}

export function kindNow(element: Element): Kind {
  const role = annotations.role(element);
  const own = kindOf(element, localName(element), false);
  return role ? { role, aria: own?.aria ?? role, source: "annotation" } : (own ?? CUSTOM);
}

export function isSecret(element: Element): boolean {
  return new Secrets(annotations, getRootNode(element) as Root, true, (one) => secretByBundle.has(one)).isSensitive(element, localName(element));
}

let nameless: Names | undefined;

/** Reading the style sheets of a page for generated text is worth it only where text is the value. */
function namesFor(element: Element, tag: string): Names {
  if (!NATIVE.has(tag)) return namesIn(element);
  nameless ??= new Names(document.implementation.createHTMLDocument(""), false, () => false, letters);
  return nameless;
}

const namesIn = (element: Element): Names => new Names(getRootNode(element) as Root, false, (inner) => isSecret(inner), letters);

/** The state of an element, without what only time or a point can tell. */
export function stateNow(element: Element): WebElementState {
  const tag = localName(element);
  const kind = kindNow(element);
  const around = {
    visible: isVisible(element), disabled: isInside(element, (at) => word(at, "aria-disabled") === "true"), blocked: isBlocked(element),
    clickable: true, sensitive: isSecret(element), focused: isFocused(element),
  };
  const state = stateOf(element, tag, kind, around, namesFor(element, tag));
  state.attached = element.isConnected;
  return state;
}

/** How an element is called where somebody has to be told about it. */
export function called(element: Element): { role: UIRole; name?: string } {
  const { role, aria } = kindNow(element);
  const name = isSecret(element) ? undefined : (annotations.name(element) ?? namesIn(element).name(element, localName(element), aria));
  return name ? { role, name } : { role };
}

/** A role that says more than "something". */
export const isMeaningful = (element: Element): boolean => annotations.role(element) !== undefined || kindOf(element, localName(element), false) !== undefined;

/** An element as its author would recognise it. */
export function sketch(element: Element): string {
  const id = attribute(element, "id");
  const first = attribute(element, "class")?.trim().split(/\s+/)[0];
  return said(localName(element) + (id ? `#${id}` : "") + (first ? `.${first}` : ""), NAME_CHARS_MAX) ?? "";
}

export function isInside(element: Element, wanted: (at: Element) => boolean): boolean {
  for (let at: Element | undefined = element; at; at = outward(at)) if (wanted(at)) return true;
  return false;
}

/** It has the focus, in its own tree and in all trees around it. */
export function isFocused(element: Element): boolean {
  for (let at: Element | undefined = element; at; at = hostOf(at)) if (activeElement(getRootNode(at) as Root) !== at) return false;
  return true;
}

/** The element that holds the tree of another: the host of a shadow root, or a frame. */
function hostOf(element: Element): Element | undefined {
  const root = getRootNode(element);
  if (isShadowRoot(root)) return root.host;
  return nodeType(root) === 9 ? ((root as Document).defaultView?.frameElement ?? undefined) : undefined;
}

/** `inert` or a modal dialog keeps it from being used. */
export function isBlocked(element: Element): boolean {
  if (isInside(element, (at) => hasAttribute(at, "inert"))) return true;
  for (let at: Element | undefined = element; at; at = hostOf(at)) {
    const modals = [...queryAll(getRootNode(at) as Root, "dialog:modal")];
    if (modals.length > 0 && !isInside(at, (outer) => outer === topmost(modals))) return true;
  }
  return false;
}

/** Later ones cover earlier ones, and nothing under the topmost can have the focus. */
function topmost(modals: Element[]): Element | undefined {
  return modals.find((modal) => matches(modal, ":focus-within")) ?? modals.at(-1);
}
