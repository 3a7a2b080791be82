// Sees to it that real input, which goes to a point, does not hit something else that just got there.

import { defaultView, ownerDocument } from "./dom.js";
import { framesAround } from "./frames.js";
import { reaches } from "./hit.js";
import { GUARD_WAIT_MS } from "./limits.js";
import type { Meant } from "./meant.js";

const FIRST = ["pointerdown", "mousedown", "touchstart"];
const REST = ["pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "touchmove", "touchend", "dragstart"];
const EVENTS = [...FIRST, ...REST];
/** What follows a tap but not a long press. */
const TAPPED = ["mousedown", "mouseup", "click", "dblclick"];
/** What makes something happen, after the first event; the others only tell of it. */
const DECISIVE = ["mousedown", "click", "auxclick", "dblclick", "contextmenu"];

/** Whom the press met: its target, something else, what its target has become, or at first its target and then not. */
export type Landed = { on: "target" | "changed" | "strayed" } | { on: "other"; element: Element } | { on: "nothing" };

/** Lets one press through as long as it meets its target, and swallows it otherwise. */
export class Guard {
  readonly #target: Element;
  readonly #meant: Meant;
  readonly #windows: Window[];
  readonly #timer: ReturnType<typeof setTimeout>;
  #landed: Landed = { on: "nothing" };
  #met: Element | undefined;
  #drag: Event | undefined;
  #at = { x: 0, y: 0 };
  #hasMenu = false;
  #held = false;

  constructor(target: Element, meant: Meant, top: Document) {
    this.#target = target;
    this.#meant = meant;
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
    else if (this.#landed.on === "target" && DECISIVE.includes(event.type) && !this.#fits(event)) this.#landed = { on: "strayed" };
    if (event.type === "dragstart") this.#drag = event;
    if (event.type === "contextmenu") this.#hasMenu = true;
    const isOurs = this.#landed.on === "target" || this.#landed.on === "nothing";
    if (isOurs && !(this.#held && TAPPED.includes(event.type))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** The first event decides, unless the page makes something else of the target while it is pressed. */
  #decide(event: Event): void {
    const [met] = event.composedPath() as Element[];
    if (!met) return;
    this.#met = met;
    if (event instanceof MouseEvent) this.#at = { x: event.clientX, y: event.clientY };
    if (!reaches(met, this.#target)) this.#landed = { on: "other", element: met };
    else this.#landed = { on: this.#meant.holds() ? "target" : "changed" };
  }

  /**
   * Pressing may itself replace what was pressed: by another node for the same thing, or by nothing, so that the rest
   * goes to what is around it.
   */
  #fits(event: Event): boolean {
    const [met] = event.composedPath() as Element[];
    if (!met) return false;
    return reaches(met, this.#target) || reaches(this.#target, met) ? this.#meant.holds() : this.#meant.isBy(met);
  }
}
