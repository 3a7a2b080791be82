// Documents inside frames: from their coordinates to those of the top-level page and back.

import type { DOMRectLike } from "../../types/uiap.js";
import { innerDocument } from "./documents.js";
import { clientLeft, clientTop, defaultView, localName, ownerDocument, rect, styleOf } from "./dom.js";
import { FRAMES_DEPTH_MAX } from "./limits.js";

export interface Point {
  x: number;
  y: number;
}

/** A point in the document of a frame. */
export interface Inner {
  document: Document;
  point: Point;
}

/** How a document is seen from the top: moved, scaled, and cut off where its frames end. */
export interface Lens {
  x: number;
  y: number;
  scaleX: number;
  scaleY: number;
  /** What can be seen of it, in coordinates of the top-level page. */
  clip: DOMRectLike;
}

/** The frames around a document, the outermost first; `undefined` if it is not shown in the top-level page. */
export function framesAround(document: Document, top: Document): Element[] | undefined {
  const frames: Element[] = [];
  for (let at: Document | null = document; at !== top; at = ownerDocument(frames[0] as Element)) {
    const frame: Element | null = (at && defaultView(at)?.frameElement) ?? null;
    if (!frame || frames.length >= FRAMES_DEPTH_MAX) return undefined;
    frames.unshift(frame);
  }
  return frames;
}

/** The lens of a document; `undefined` if it is not shown in the top-level page. */
export function lensOf(document: Document, top: Document): Lens | undefined {
  const frames = framesAround(document, top);
  return frames?.reduce(through, topLens());
}

/** The lens of what a frame shows, whatever its origin; `undefined` if the frame is not shown in the top-level page. */
export function lensOfFrame(frame: Element, top: Document): Lens | undefined {
  const document = ownerDocument(frame);
  const outer = document ? lensOf(document, top) : undefined;
  return outer && through(outer, frame);
}

/** The part of the page that a person sees: pinching makes it smaller than the window. */
function topLens(): Lens {
  const seen = window.visualViewport;
  const clip = seen
    ? { x: seen.offsetLeft, y: seen.offsetTop, width: seen.width, height: seen.height }
    : { x: 0, y: 0, width: innerWidth, height: innerHeight };
  return { x: 0, y: 0, scaleX: 1, scaleY: 1, clip };
}

function through(outer: Lens, frame: Element): Lens {
  const { left, top, scaleX, scaleY, width, height } = insideOf(frame);
  const lens = {
    x: outer.x + left * outer.scaleX,
    y: outer.y + top * outer.scaleY,
    scaleX: outer.scaleX * scaleX,
    scaleY: outer.scaleY * scaleY,
  };
  const shown = { x: lens.x, y: lens.y, width: width * lens.scaleX, height: height * lens.scaleY };
  return { ...lens, clip: overlap(outer.clip, shown) };
}

/** Where the document in a frame begins, in coordinates of the document around it, and how it is scaled. */
function insideOf(frame: Element): { left: number; top: number; scaleX: number; scaleY: number; width: number; height: number } {
  const box = rect(frame);
  const { offsetWidth, offsetHeight } = frame as HTMLElement;
  const scaleX = offsetWidth > 0 ? box.width / offsetWidth : 1;
  const scaleY = offsetHeight > 0 ? box.height / offsetHeight : 1;
  const { paddingLeft, paddingTop } = styleOf(frame);
  return {
    left: box.x + (clientLeft(frame) + (parseFloat(paddingLeft) || 0)) * scaleX,
    top: box.y + (clientTop(frame) + (parseFloat(paddingTop) || 0)) * scaleY,
    scaleX,
    scaleY,
    width: frame.clientWidth,
    height: frame.clientHeight,
  };
}

export function toTop({ x, y, width, height }: DOMRectLike, lens: Lens): DOMRectLike {
  return { x: lens.x + x * lens.scaleX, y: lens.y + y * lens.scaleY, width: width * lens.scaleX, height: height * lens.scaleY };
}

/** A point of the document around a frame, as the document inside counts. */
export function intoFrame(frame: Element, { x, y }: Point): Inner | undefined {
  const tag = localName(frame);
  const document = tag === "iframe" || tag === "frame" ? innerDocument(frame) : undefined;
  if (!document) return undefined;
  const { left, top, scaleX, scaleY } = insideOf(frame);
  return { document, point: { x: (x - left) / scaleX, y: (y - top) / scaleY } };
}

/** What two rectangles share; without width or height if they share nothing. */
export function overlap(one: DOMRectLike, other: DOMRectLike): DOMRectLike {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.max(0, Math.min(one.x + one.width, other.x + other.width) - x);
  const height = Math.max(0, Math.min(one.y + one.height, other.y + other.height) - y);
  return { x, y, width, height };
}

export const isEmpty = ({ width, height }: DOMRectLike): boolean => width <= 0 || height <= 0;
