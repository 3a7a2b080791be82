// Which of two layers lies over the other, as the page itself hits them.

import { contains, elementsFromPoint, isShadowRoot, ownerDocument, rect, rootOf } from "./dom.js";

/** Whether the first surely lies over the second. */
export function isAbove(one: Element, other: Element): boolean {
  if (ownerDocument(one) !== ownerDocument(other) || contains(one, other) || contains(other, one)) return false;
  return hitFirst(one, other, middle(one)) === one || hitFirst(one, other, middle(other)) === one;
}

function middle(element: Element): [number, number] {
  const { x, y, width, height } = rect(element);
  return [x + width / 2, y + height / 2];
}

/** The layer that is hit first at a point where both could be. */
function hitFirst(one: Element, other: Element, [x, y]: [number, number]): Element | undefined {
  const document = ownerDocument(one);
  if (!document) return undefined;
  for (const hit of elementsFromPoint(document, x, y)) {
    if (holds(one, hit)) return one;
    if (holds(other, hit)) return other;
  }
  return undefined;
}

/** A layer in a shadow root is hit as its host. */
function holds(layer: Element, hit: Element): boolean {
  if (contains(layer, hit)) return true;
  const root = rootOf(layer);
  return isShadowRoot(root) && root.host === hit;
}
