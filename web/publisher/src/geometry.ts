// Where elements are, in the viewport of the top-level page.

import type { DOMRectLike } from "../../types/uiap.js";
import { clientLeft, clientTop, rect, styleOf } from "./dom.js";

/** Where a document is shown. */
export interface Origin {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export function boxOf(element: Element, origin: Origin): DOMRectLike {
  const { x, y, width, height } = rect(element);
  return { x: whole(origin.x + x), y: whole(origin.y + y), width: whole(width), height: whole(height) };
}

/** JSON has no -0, and a page may have boxes beyond all bounds. */
function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) + 0 : 0;
}

/** Where the document inside a frame begins. */
export function innerOrigin(frame: Element, origin: Origin): Origin {
  const { x, y } = rect(frame);
  const { paddingLeft, paddingTop } = styleOf(frame);
  return { x: origin.x + x + clientLeft(frame) + (parseFloat(paddingLeft) || 0), y: origin.y + y + clientTop(frame) + (parseFloat(paddingTop) || 0) };
}

export function isInViewport(box: DOMRectLike, viewport: Size): boolean {
  return box.x < viewport.width && box.y < viewport.height && box.x + box.width > 0 && box.y + box.height > 0;
}
