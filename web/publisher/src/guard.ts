// Sees to it that real input, which goes to a point, does not hit something else that just got there.

import { defaultView, ownerDocument } from "./dom.js";
import { framesAround } from "./frames.js";
import { reaches } from "./hit.js";
import { GUARD_WAIT_MS } from "./limits.js";

const FIRST = ["pointerdown", "mousedown", "touchstart"];
const REST = ["pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "touchmove", "touchend", "dragstart"];
const EVENTS = [...FIRST, ...REST];
/** What follows a tap but not a long press. */
const TAPPED = ["mousedown", "mouseup", "click", "dblclick"];

/** Whom the press met. */
export type Landed = { on: "target" } | { on: "other"; element: Element } | { on: "nothing" };

/** Lets one press through if it meets its target and swallows it otherwise. */
export class Guard {
  readonly #target: Element;
  readonly #windows: Window[];
  readonly #timer: ReturnType<typeof setTimeout>;
  #landed: Landed = { on: "nothing" };
  #met: Element | undefined;
  #drag: Event | undefined;
  #at = { x: 0, y: 0 };
  #hasMenu = false;
  #held = false;

  constructor(target: Element, top: Document) {
    this.#target = target;
    const own = ownerDocument(target) as Document;
    const documents = [own, ...(framesAround(own, top) ?? []).map((frame) => ownerDocument(frame) as Document)];
    this.#windows = documents.map((document) => defaultView(document)).filter((view) => view !== null);
    for (const view of this.#windows) for (const type of EVENTS) view.addEventListener(type, this.#meet, { capture: true, passive: false });
    // Whoever armed it may be gone by now, and a person may want to press something else.
    this.#timer = setTimeout(() => this.disarm(), GUARD_WAIT_MS);
  }

  get landed(): Landed {
    return this.#landed;
  }

  /** The browser carries something now, unless the page forbade it. */
  get drags(): boolean {
    return this.#drag?.defaultPrevented === false;
  }

  /**
   * The finger rested long enough. A browser without a screen does not notice: so the page is told here, and the
   * click that would follow a tap does not follow.
   */
  hold(): void {
    this.#held = true;
    if (this.#hasMenu) return;
    const { x, y } = this.#at;
    const init = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, button: 0, pointerType: "touch", pointerId: 2, view: window };
    this.#met?.dispatchEvent(new PointerEvent("contextmenu", init));
  }

  disarm(): void {
    clearTimeout(this.#timer);
    for (const view of this.#windows) for (const type of EVENTS) view.removeEventListener(type, this.#meet, { capture: true });
  }

  readonly #meet = (event: Event): void => {
    if (!event.isTrusted) return;
    if (this.#landed.on === "nothing" && FIRST.includes(event.type)) this.#decide(event);
    if (event.type === "dragstart") this.#drag = event;
    if (event.type === "contextmenu") this.#hasMenu = true;
    if (this.#landed.on !== "other" && !(this.#held && TAPPED.includes(event.type))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** The first event decides for all that follow: pressing may itself replace what was pressed. */
  #decide(event: Event): void {
    const [met] = event.composedPath() as Element[];
    if (!met) return;
    this.#met = met;
    if (event instanceof MouseEvent) this.#at = { x: event.clientX, y: event.clientY };
    this.#landed = reaches(met, this.#target) ? { on: "target" } : { on: "other", element: met };
  }
}
