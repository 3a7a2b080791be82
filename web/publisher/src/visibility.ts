// Whether an element can be seen or is hidden from everybody.

import { checkVisibility, isShadowRoot, nodeType, parentNode, styleOf, word } from "./dom.js";

const OPTIONS: CheckVisibilityOptions = { visibilityProperty: true, contentVisibilityAuto: false };
const PARENTS_MAX = 100;

let known = new Map<Element, boolean>();

/** The page may have changed. */
export function forgetVisibility(): void {
  known = new Map();
}

/** The same for a control that its label also asks about. */
export function isControlVisible(control: Element): boolean {
  let visible = known.get(control);
  if (visible === undefined) {
    visible = isVisible(control);
    known.set(control, visible);
  }
  return visible;
}

/** It is rendered: no `display: none`, no `visibility: hidden`, nothing folded away. */
export function isVisible(element: Element): boolean {
  return checkVisibility(element, OPTIONS) || isBoxlessButVisible(element);
}

const ANY: CheckVisibilityOptions = {};

/** It has a box, seen or not, so that something inside may be seen. */
export function isRendered(element: Element): boolean {
  return checkVisibility(element, ANY);
}

/** `display: contents` has no box of its own; it is as visible as what surrounds it. */
function isBoxlessButVisible(element: Element): boolean {
  let at: Element | null = element;
  for (let steps = 0; at && steps < PARENTS_MAX; steps += 1) {
    if (checkVisibility(at, OPTIONS)) return true;
    const style = styleOf(at);
    if (style.display !== "contents" || style.visibility !== "visible") return false;
    at = parentElement(at);
  }
  return false;
}

/** The parent in the tree that is shown. */
export function parentElement(element: Element): Element | null {
  const slot = (element as Element & { assignedSlot?: Element | null }).assignedSlot;
  if (slot && nodeType(slot) === 1) return slot;
  const parent = parentNode(element);
  if (!parent) return null;
  if (nodeType(parent) === 1) return parent as Element;
  return isShadowRoot(parent) ? parent.host : null;
}

/** Hidden from assistive technology by its author. */
export function isAriaHidden(element: Element): boolean {
  return word(element, "aria-hidden") === "true";
}
