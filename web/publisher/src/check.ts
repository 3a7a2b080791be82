// Live facts about one element, for whoever decides whether it can be acted on.

import type { DOMRectLike, UIRole, WebElementState } from "../../types/uiap.js";
import { innerDocument, looksClosed } from "./documents.js";
import { documentElement, localName, ownerDocument, rect, styleOf } from "./dom.js";
import { called, isMeaningful, kindNow, refresh, sketch, stateNow } from "./facts.js";
import { isEmpty, lensOf, overlap, toTop } from "./frames.js";
import type { Point } from "./frames.js";
import { elementAt, hitOf, isInView, outward, reaches } from "./hit.js";
import { QUIET_MS } from "./limits.js";
import { isStable } from "./stability.js";

/** What tells an element from others. */
export interface Described {
  role: UIRole;
  name?: string;
  stableId?: string;
  documentId: string;
  scopeId?: string;
  /** What it stands in, from the inside out. */
  around: readonly { role: UIRole; name?: string }[];
}

/** Knows the published elements. */
export interface Directory {
  node: (instanceId: string) => Element | undefined;
  /** The id of a published element. */
  id: (element: Element) => string | undefined;
  /** What a published element is, as of now. */
  described: (instanceId: string) => Described | undefined;
  /** Takes in what the browser told of, so that whoever follows the page knows it before the answer. */
  flush: () => void;
  /** Takes in what changed, told or not, so that whoever follows the page knows it before the answer. */
  pull: () => void;
  /** How long nothing on the page has moved or changed, as far as the browser tells. */
  quietMs: () => number;
}

/** Who is in the way. */
export interface Cover {
  /** The nearest element around it that means something, if it is published. */
  instanceId?: string;
  role?: UIRole;
  name?: string;
  /** Tag, id and class, for the log. */
  sketch: string;
}

export type Opaque = "cross_origin_frame" | "canvas" | "closed_shadow";

/** Everything there is to know before acting. */
export interface Facts {
  role: UIRole;
  /** With `stable`, `inViewport` and `obscured` where they are known. */
  state: WebElementState;
  /** In the viewport of the top-level page. */
  box: DOMRectLike;
  /** Where an action would hit it, or where it is covered. */
  point?: Point;
  cover?: Cover;
  /** Scrolling can bring it into view. */
  scrollable: boolean;
  /** Nobody may look inside. */
  opaque?: Opaque;
}

/** The facts about an element; `undefined` if it is not in the page. */
export async function check(directory: Directory, top: Document, instanceId: string, at?: Point): Promise<Facts | undefined> {
  const element = directory.node(instanceId);
  if (!element?.isConnected) return undefined;
  const stable = isQuiet(directory) || (await isStable(element));
  // Everything else is asked after the wait, so that it is as fresh as it can be.
  refresh();
  const document = ownerDocument(element);
  const lens = document ? lensOf(document, top) : undefined;
  if (!element.isConnected || !lens) return undefined;
  const box = toTop(rect(element), lens);
  const state = stateNow(element);
  if (stable !== undefined) state.stable = stable;
  const hit = at ? { point: at, ...coverAt(top, at, element) } : hitOf(element, top);
  // A control that its author hid is where its label is.
  state.inViewport = isInView(element, top) || (hit !== undefined && hit.cover === undefined);
  const facts: Facts = { role: kindNow(element).role, state, box, scrollable: state.inViewport || canScrollTo(element) };
  if (hit) {
    facts.point = hit.point;
    state.obscured = hit.cover !== undefined;
    if (hit.cover) facts.cover = coverOf(hit.cover, directory);
  }
  const opaque = opaqueKind(element);
  if (opaque) facts.opaque = opaque;
  return facts;
}

/** Nothing has moved for some frames, and nothing is about to. */
function isQuiet(directory: Directory): boolean {
  return directory.quietMs() > QUIET_MS && document.getAnimations().length === 0;
}

function coverAt(top: Document, point: Point, target: Element): { cover?: Element } {
  const found = elementAt(top, point);
  return found && !reaches(found, target) ? { cover: found } : {};
}

export function coverOf(element: Element, directory: Directory): Cover {
  const cover: Cover = { sketch: sketch(element) };
  for (let at: Element | undefined = element; at; at = outward(at)) {
    const instanceId = directory.id(at);
    if (!instanceId && !isMeaningful(at)) continue;
    Object.assign(cover, called(at));
    if (instanceId) cover.instanceId = instanceId;
    break;
  }
  return cover;
}

/** Whether scrolling some area can show the element; only trying tells for sure. */
function canScrollTo(element: Element): boolean {
  if (isEmpty(rect(element))) return false;
  for (let at: Element | undefined = element; at; at = outward(at)) {
    const { position, overflowX, overflowY } = styleOf(at);
    const root = documentElement(ownerDocument(at) as Document);
    if (at === root || localName(at) === "body") return isInDocument(element, root as Element);
    if (at !== element && (overflowX !== "visible" || overflowY !== "visible") && (at.scrollHeight > at.clientHeight || at.scrollWidth > at.clientWidth)) return true;
    if (position === "fixed") return false;
  }
  return false;
}

/** What lies before the beginning of a document cannot be scrolled to. */
function isInDocument(element: Element, root: Element): boolean {
  const box = rect(element);
  const origin = rect(root);
  const area = { x: 0, y: 0, width: root.scrollWidth, height: root.scrollHeight };
  return !isEmpty(overlap({ x: box.x - origin.x, y: box.y - origin.y, width: box.width, height: box.height }, area));
}

function opaqueKind(element: Element): Opaque | undefined {
  const tag = localName(element);
  if (tag === "canvas") return "canvas";
  if (tag === "iframe" || tag === "frame") return innerDocument(element) ? undefined : "cross_origin_frame";
  return tag.includes("-") && looksClosed(element, tag) ? "closed_shadow" : undefined;
}
