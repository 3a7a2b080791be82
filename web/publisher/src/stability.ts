// Whether something stands still, as far as frames tell.

import { rect } from "./dom.js";
import { FRAME_WAIT_MS } from "./limits.js";

/** Waits for the next frame, but not for long: a page in the background has none. */
export function nextFrame(): Promise<boolean> {
  if (document.visibilityState === "hidden") return Promise.resolve(false);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), FRAME_WAIT_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Whether the box stays where it is over two animation frames; `undefined` if the page has none to show. */
export async function isStable(element: Element): Promise<boolean | undefined> {
  const before = rect(element);
  if (!(await nextFrame())) return undefined;
  const between = rect(element);
  if (!(await nextFrame())) return undefined;
  return isSame(before, between) && isSame(between, rect(element));
}

const isSame = (one: DOMRect, other: DOMRect): boolean => one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
