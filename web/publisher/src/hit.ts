// Who gets what happens at a point.

import type { DOMRectLike } from "../../types/uiap.js";
import { attribute, closest, defaultView, getRootNode, isShadowRoot, localName, nodeType, ownerDocument, parentNode, queryAll, rect, shadowRootOf, styleOf } from "./dom.js";
import type { Root } from "./dom.js";
import { intoFrame, isEmpty, lensOf, overlap, toTop } from "./frames.js";
import type { Inner, Point } from "./frames.js";
import { HIT_DEPTH_MAX, LABELS_MAX, RECTS_MAX } from "./limits.js";
import { parentElement } from "./visibility.js";

/** A point that hits its target, or who is in the way. */
export interface Hit {
  point: Point;
  /** What is hit instead of the target. */
  cover?: Element;
}

/** The innermost element at a point of the top-level page, through open shadow roots and frames of the same origin. */
export function elementAt(top: Document, at: Point): Element | undefined {
  let root: Root = top;
  let point = at;
  let found: Element | undefined;
  for (let depth = 0; depth < HIT_DEPTH_MAX; depth += 1) {
    const next: Element | null = root.elementFromPoint(point.x, point.y);
    if (!next || next === found) return found;
    found = next;
    const shadow = shadowRootOf(next);
    const inner: Inner | undefined = shadow ? undefined : intoFrame(next, point);
    if (shadow) root = shadow;
    else if (inner) ({ document: root, point } = inner);
    else return found;
  }
  return found;
}

/** The element around, out of shadow roots and frames. */
export function outward(element: Element): Element | undefined {
  const parent = parentNode(element);
  if (!parent) return undefined;
  if (nodeType(parent) === 1) return parent as Element;
  if (isShadowRoot(parent)) return parent.host;
  return defaultView(parent as Document)?.frameElement ?? undefined;
}

/** Whether something that happens at `hit` happens to the target: to it, inside it, or to its label. */
export function reaches(hit: Element, target: Element): boolean {
  for (let at: Element | undefined = hit; at; at = outward(at)) {
    if (at === target) return true;
    if (localName(at) === "label" && (at as HTMLLabelElement).control === target) return true;
  }
  return false;
}

/** A point at which the target can be reached now; `undefined` if no part of it is in view. */
export function hitOf(target: Element, top: Document): Hit | undefined {
  let covered: Hit | undefined;
  for (const point of pointsOf(target, top)) {
    const found = elementAt(top, point);
    if (!found) continue;
    if (reaches(found, target)) return { point };
    covered ??= { point, cover: found };
  }
  return covered;
}

/** Points worth trying: the middle of what is in view, then of each piece, then around the middle; labels last. */
function* pointsOf(target: Element, top: Document): Generator<Point> {
  for (const element of [target, ...labelsOf(target)]) {
    const document = ownerDocument(element);
    const lens = document ? lensOf(document, top) : undefined;
    if (!lens) continue;
    const window = overlap(lens.clip, toTop(clipOf(element), lens));
    const inView = (box: DOMRectLike): DOMRectLike => overlap(toTop(box, lens), window);
    const whole = inView(element.getBoundingClientRect());
    const rects = element.getClientRects();
    const pieces = [whole];
    // A link that is broken over lines has its middle where it is not.
    if (rects.length > 1) for (let at = 0; at < Math.min(rects.length, RECTS_MAX); at += 1) pieces.push(inView(rects[at] as DOMRect));
    const shown = pieces.filter((piece) => !isEmpty(piece));
    for (const piece of shown) yield inside(piece, 0.5, 0.5);
    for (const piece of shown.slice(0, 1)) for (const [x, y] of AROUND) yield inside(piece, x, y);
  }
}

/** Whether any part of it is in view. */
export function isInView(element: Element, top: Document): boolean {
  const document = ownerDocument(element);
  const lens = document ? lensOf(document, top) : undefined;
  return lens !== undefined && !isEmpty(overlap(toTop(overlap(rect(element), clipOf(element)), lens), lens.clip));
}

const EVERYWHERE: DOMRectLike = { x: -1e6, y: -1e6, width: 2e6, height: 2e6 };

/** What the boxes around an element leave of it, in coordinates of its document. */
export function clipOf(element: Element): DOMRectLike {
  let clip = EVERYWHERE;
  let { position } = styleOf(element);
  for (let at = parentElement(element); at; at = parentElement(at)) {
    const tag = localName(at);
    // What these hide is scrolled by the window.
    if (tag === "body" || tag === "html") break;
    const style = styleOf(at);
    const holds = style.transform !== "none" || (position === "absolute" ? style.position !== "static" : position !== "fixed");
    if (!holds) continue;
    if (style.overflowX !== "visible" || style.overflowY !== "visible") clip = overlap(clip, rect(at));
    ({ position } = style);
  }
  return clip;
}

const AROUND = [[0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9]] as const;

const inside = ({ x, y, width, height }: DOMRectLike, right: number, down: number): Point => ({ x: x + width * right, y: y + height * down });

/** A control that its author hid behind a label is used through the label. */
export function labelsOf(target: Element): HTMLLabelElement[] {
  const tag = localName(target);
  if (tag !== "input" && tag !== "select" && tag !== "textarea") return [];
  const around = closest(target, "label");
  const id = attribute(target, "id");
  const named = id ? [...queryAll(getRootNode(target) as Root, `label[for="${CSS.escape(id)}"]`)] : [];
  const found = (around ? [around, ...named] : named) as HTMLLabelElement[];
  return found.filter(({ control }) => control === target).slice(0, LABELS_MAX);
}

/** The other way round: a point of what is seen, as the page counts. */
export function fromDevice({ x, y }: Point): Point {
  const seen = window.visualViewport;
  return seen ? { x: x + seen.offsetLeft, y: y + seen.offsetTop } : { x, y };
}

/** How input counts that is given to the browser: in pixels of the page, from the corner of what is seen. */
export function toDevice({ x, y }: Point): Point {
  const seen = window.visualViewport;
  return seen ? { x: x - seen.offsetLeft, y: y - seen.offsetTop } : { x, y };
}
