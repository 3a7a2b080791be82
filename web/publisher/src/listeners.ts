// Elements that listen to presses.
//
// What the page listens to cannot be seen from our world; the browser knows it, and the driver tells us.

import { localName, nodeType } from "./dom.js";

/** They hear everything on the page, so it says nothing about them. */
const ALL_EARS = new Set(["html", "body"]);

let heard: WeakSet<Element> | undefined;

/**
 * Whether a node is an object of our world. For one that we cannot reach by ourselves, such as those in closed shadow
 * roots, the browser hands out that of the page's world; it must not be touched.
 */
function isOurs(node: Node): boolean {
  try {
    return nodeType(node) > 0;
  } catch {
    return false;
  }
}

/** Notes the nodes that listen; tells which of them count and are new. */
export function hear(nodes: readonly Node[]): Element[] {
  const known = (heard ??= new WeakSet());
  return nodes.filter((node): node is Element => {
    if (!isOurs(node) || nodeType(node) !== 1 || ALL_EARS.has(localName(node as Element)) || known.has(node as Element)) return false;
    known.add(node as Element);
    return true;
  });
}

/** Notes the nodes that do not listen any more; tells which of them did. */
export function unhear(nodes: readonly Node[]): Element[] {
  return nodes.filter((node): node is Element => heard?.delete(node as Element) === true);
}

/** Whether an element listens to presses, as far as we were told. */
export function isHeard(element: Element): boolean {
  return heard?.has(element) === true;
}
