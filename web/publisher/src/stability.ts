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

/** Frames that must show a change before it counts as lasting. */
const FRAMES_MIN = 2;

/** Counts the frames that have shown the page since something last happened, so that nobody has to ask first. */
export class Frames {
  #count = 0;
  #wanted = 0;
  #running: Promise<boolean> | undefined;

  /** Something happened. */
  restart(): void {
    this.#wanted = this.#count + FRAMES_MIN;
    this.#running ??= this.#run();
  }

  /** Waits until the page was shown twice since; what happens meanwhile prolongs nothing. `false` if it is not shown. */
  async shown(): Promise<boolean> {
    const wanted = this.#wanted;
    while (this.#count < wanted) if (!(await (this.#running ??= this.#run()))) return false;
    return document.visibilityState !== "hidden";
  }

  async #run(): Promise<boolean> {
    const isShown = await nextFrame();
    this.#running = undefined;
    if (isShown) this.#count += 1;
    if (isShown && this.#count < this.#wanted) this.#running = this.#run();
    return isShown;
  }
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
