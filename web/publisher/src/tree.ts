// The tree that is shown, seen from one element: open shadow roots instead of their hosts' children, slots with
// what they were given, documents inside their frames.

import { innerDocument } from "./documents.js";
import { assignedElements, assignedSlot, documentElement, firstElementChild, isShadowRoot, isSlot, localName, nextElementSibling, nodeType, parentNode, shadowRootOf } from "./dom.js";

export const isFrame = (tag: string): boolean => tag === "iframe" || tag === "frame";

/** Everything directly below an element, whether it is shown or not. */
export function* below(element: Element): Generator<Element> {
  for (let child = firstElementChild(element); child; child = nextElementSibling(child)) yield child;
  const shadow = shadowRootOf(element);
  if (shadow) for (let child = shadow.firstElementChild; child; child = nextElementSibling(child)) yield child;
  const tag = localName(element);
  if (isSlot(element, tag)) yield* assignedElements(element);
  if (isFrame(tag)) {
    const document = innerDocument(element);
    const root = document ? documentElement(document) : null;
    if (root) yield root;
  }
}

/** The first child that is shown. */
function firstShown(element: Element): Element | null {
  const shadow = shadowRootOf(element);
  if (shadow) return shadow.firstElementChild;
  const tag = localName(element);
  if (isSlot(element, tag)) {
    const given = assignedElements(element)[0];
    if (given) return given;
  }
  if (isFrame(tag)) {
    const document = innerDocument(element);
    return document ? documentElement(document) : null;
  }
  return firstElementChild(element);
}

/** What is shown next beside an element. */
function nextShown(element: Element): Element | null {
  const slot = assignedSlot(element);
  if (!slot) return nextElementSibling(element);
  const given = assignedElements(slot);
  return given[given.indexOf(element) + 1] ?? null;
}

/** What an element is shown in; the frame, for the top of a document in one. */
export function shownIn(element: Element): Element | null {
  const slot = assignedSlot(element);
  if (slot) return slot;
  const parent = parentNode(element);
  if (!parent) return null;
  if (nodeType(parent) === 1) return parent as Element;
  if (isShadowRoot(parent)) return parent.host;
  return frameOf(parent as Document);
}

/** The frame that shows a document, if we may see it. */
function frameOf(document: Document): Element | null {
  try {
    return document.defaultView?.frameElement ?? null;
  } catch {
    return null;
  }
}

/** The first element from here on, in the order of the page and not inside `element`, that `fits`. */
export function firstAfter<T>(element: Element, fits: (element: Element) => T | undefined): T | undefined {
  let at: Element | null = element;
  while (at) {
    for (let beside = nextShown(at); beside; beside = nextShown(beside)) {
      const found = firstWithin(beside, fits);
      if (found !== undefined) return found;
    }
    at = shownIn(at);
  }
  return undefined;
}

function firstWithin<T>(top: Element, fits: (element: Element) => T | undefined): T | undefined {
  let at: Element = top;
  for (;;) {
    const found = fits(at);
    if (found !== undefined) return found;
    const child = firstShown(at);
    if (child) {
      at = child;
      continue;
    }
    for (;;) {
      if (at === top) return undefined;
      const beside = nextShown(at);
      if (beside) {
        at = beside;
        break;
      }
      const outer = shownIn(at);
      if (!outer) return undefined;
      at = outer;
    }
  }
}
