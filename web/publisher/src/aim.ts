// Prepares real input that the browser is going to make: where it must go, and afterwards whether it got there.

import { coverOf } from "./check.js";
import type { Cover, Directory } from "./check.js";
import { Refused } from "./deed.js";
import type { Deed, Hindrance, Receipt, ScrollBy } from "./deed.js";
import { hasAttribute, isContentEditable, localName, matches, queryFirst } from "./dom.js";
import { isFocused, refresh } from "./facts.js";
import { isWritten, markAll } from "./fields.js";
import type { Point } from "./frames.js";
import { Guard } from "./guard.js";
import { elementAt, fromDevice, reaches, toDevice } from "./hit.js";
import { Meant } from "./meant.js";
import { pressingOf } from "./pressing.js";
import { readyFor, receiptOf } from "./receipts.js";
import { Scroller } from "./scroller.js";
import { shownText, takeFocus } from "./semantic.js";
import type { Effect } from "./semantic.js";
import { reachable } from "./synthesis.js";

/** What the driver needs to know. Points count as the browser's input does. */
export interface Aimed {
  point?: Point;
  /** Where a drag ends. */
  to?: Point;
  /** How far the wheel turns. */
  wheel?: Point;
  /** There is text to be removed first. */
  occupied?: boolean;
  /** It takes files by itself, one or several. */
  files?: "one" | "several";
}

export type Aim = { ready: true; aimed: Aimed } | { ready: false; why: Hindrance; cover?: Cover };

export type Met = { on: "target" | "changed" | "strayed" | "nothing"; drags: boolean } | { on: "other"; cover: Cover };

export class Aiming {
  readonly #directory: Directory;
  readonly #top: Document;
  #guard: Guard | undefined;
  #scroller: Scroller | undefined;
  #element: Element | undefined;
  #effect: Effect = {};
  #meant: Meant | undefined;

  constructor(directory: Directory, top: Document) {
    this.#directory = directory;
    this.#top = top;
  }

  aim(deed: Deed): Aim {
    this.#forget();
    refresh();
    try {
      return { ready: true, aimed: this.#prepare(deed) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return error.cover ? { ready: false, why: error.why, cover: error.cover } : { ready: false, why: error.why };
    }
  }

  /** Whom the press met. */
  landed(): Met {
    const landed = this.#guard?.landed ?? { on: "nothing" };
    if (landed.on === "other") return { on: "other", cover: coverOf(landed.element, this.#directory) };
    return { on: landed.on, drags: this.#guard?.drags ?? false };
  }

  /** The finger rested long enough. */
  hold(): void {
    this.#guard?.hold();
  }

  /** How it is now that everything was done. */
  async after(): Promise<Receipt & { strayed: boolean }> {
    if (this.#scroller) this.#effect = { scrolled: await this.#scroller.rest() };
    refresh();
    const strayed = this.#guard?.landed.on === "strayed";
    const receipt = { ...(this.#element ? receiptOf(this.#element, this.#effect) : {}), strayed };
    this.#forget();
    return receipt;
  }

  #forget(): void {
    this.#guard?.disarm();
    this.#guard = undefined;
    this.#scroller = undefined;
    this.#element = undefined;
    this.#effect = {};
    this.#meant = undefined;
  }

  #prepare(deed: Deed): Aimed {
    this.#meant = new Meant(deed, this.#directory);
    const element = readyFor(deed, this.#meant, this.#directory, this.#top);
    this.#element = element;
    const pressing = pressingOf(element, deed);
    if (pressing) {
      this.#effect = pressing;
      return { point: this.#point(pressing.element, true) };
    }
    switch (deed.act) {
      case "hover":
        this.#effect = { holds: () => matches(element, ":hover") };
        return { point: this.#point(element, false) };
      case "press_at":
        return { point: this.#given(element, deed.at) };
      case "tap":
      case "long_press":
        return { point: this.#point(element, true) };
      case "pinch":
        return { point: this.#point(element, false) };
      case "enter_text":
        return this.#text(element, deed.text, deed.clear);
      case "set_value":
        return this.#text(element, String(deed.value), true);
      case "keys":
        if (deed.target !== undefined) this.#focus(element);
        return {};
      case "scroll":
        return this.#scroll(element, deed.by);
      case "drag":
        return this.#drag(element, deed.to);
      case "upload":
        return this.#upload(element);
      default:
        throw new Refused("unsupported");
    }
  }

  #point(element: Element, guarded: boolean): Point {
    const point = reachable(element, this.#top, this.#directory);
    if (guarded && this.#meant) this.#guard = new Guard(element, this.#meant, this.#top);
    return toDevice(point);
  }

  /** A point that somebody else chose counts only if it hits the target. */
  #given(element: Element, at: Point): Point {
    const found = elementAt(this.#top, fromDevice(at));
    if (!found) throw new Refused("out_of_view");
    if (!reaches(found, element)) throw new Refused("covered", coverOf(found, this.#directory));
    if (this.#meant) this.#guard = new Guard(element, this.#meant, this.#top);
    return at;
  }

  #focus(element: Element): void {
    takeFocus(element);
    this.#meant?.sure();
    if (!isFocused(element) && !queryFirst(element, ":focus")) throw new Refused("not_focusable");
  }

  /** The focus is in the field, and what is to be replaced is marked. */
  #text(element: Element, text: string, clear: boolean): Aimed {
    if (isWritten(element)) {
      const before = element.value;
      const wanted = clear ? text : before + text;
      if (before === wanted) throw new Refused("already");
      this.#focus(element);
      if (clear) element.select();
      else caretToEnd(element);
      this.#effect = { holds: () => element.value === wanted };
      return { occupied: clear && before !== "" };
    }
    if (!isContentEditable(element)) throw new Refused("unsupported");
    const before = shownText(element);
    const wanted = clear ? text : before + text;
    if (before === wanted) throw new Refused("already");
    this.#focus(element);
    markAll(element, clear);
    this.#effect = { holds: () => shownText(element) === wanted };
    return { occupied: clear && before !== "" };
  }

  #scroll(element: Element, by: ScrollBy): Aimed {
    this.#scroller = new Scroller(element);
    const point = this.#point(element, false);
    if (!("to" in by)) return { point, wheel: { x: by.dx, y: by.dy } };
    const { height } = this.#scroller;
    return { point, wheel: { x: 0, y: by.to === "end" ? height : -height } };
  }

  #drag(element: Element, to: string): Aimed {
    const destination = this.#directory.node(to);
    if (!destination?.isConnected) throw new Refused("gone");
    const end = toDevice(reachable(destination, this.#top, this.#directory));
    return { point: this.#point(element, true), to: end };
  }

  #upload(element: Element): Aimed {
    if (localName(element) === "input" && (element as HTMLInputElement).type === "file") return { files: hasAttribute(element, "multiple") ? "several" : "one" };
    return { point: this.#point(element, true) };
  }
}

/** Fields for numbers and addresses have no caret that a script may move. */
function caretToEnd(field: HTMLInputElement | HTMLTextAreaElement): void {
  try {
    field.setSelectionRange(field.value.length, field.value.length);
  } catch {
    field.select();
    field.ownerDocument.getSelection()?.collapseToEnd();
  }
}
