// Something that scrolls, and how far it went.

import { Refused } from "./deed.js";
import type { ScrollBy } from "./deed.js";
import { documentElement, localName, ownerDocument } from "./dom.js";
import { SCROLL_FRAMES_MAX, SCROLL_START_FRAMES_MAX } from "./limits.js";
import { nextFrame } from "./stability.js";

export class Scroller {
  readonly #area: Element;
  readonly #left: number;
  readonly #top: number;

  /** Refused if there is nothing to scroll. */
  constructor(element: Element) {
    const root = documentElement(ownerDocument(element) as Document);
    this.#area = localName(element) === "body" && root ? root : element;
    const { scrollHeight, scrollWidth, clientHeight, clientWidth, scrollLeft, scrollTop } = this.#area;
    if (scrollHeight <= clientHeight && scrollWidth <= clientWidth) throw new Refused("unsupported");
    this.#left = scrollLeft;
    this.#top = scrollTop;
  }

  get height(): number {
    return this.#area.scrollHeight;
  }

  get moved(): { x: number; y: number } {
    return { x: this.#area.scrollLeft - this.#left, y: this.#area.scrollTop - this.#top };
  }

  go(by: ScrollBy): void {
    if ("to" in by) this.#area.scrollTo({ top: by.to === "start" ? 0 : this.#area.scrollHeight, behavior: "instant" });
    else this.#area.scrollBy({ left: by.dx, top: by.dy, behavior: "instant" });
  }

  /** Waits until it stands still. A wheel begins a moment later and may glide. */
  async rest(): Promise<{ x: number; y: number }> {
    let last = this.moved;
    let still = 0;
    for (let frames = 0; frames < SCROLL_FRAMES_MAX && (await nextFrame()); frames += 1) {
      const now = this.moved;
      still = now.x === last.x && now.y === last.y ? still + 1 : 0;
      last = now;
      if (still >= (now.x === 0 && now.y === 0 ? SCROLL_START_FRAMES_MAX : 2)) break;
    }
    return last;
  }
}
