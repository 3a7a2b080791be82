// Doing things by events that look like input. They are not trusted by the browser and give no user activation.

import type { Directory } from "./check.js";
import { coverOf } from "./check.js";
import { Refused, Strayed } from "./deed.js";
import type { Act, Button, Modifiers } from "./deed.js";
import { defaultView, isContentEditable, ownerDocument } from "./dom.js";
import { commit, edit, fitting, isWritten, markAll, write } from "./fields.js";
import { lensOf } from "./frames.js";
import type { Point } from "./frames.js";
import { elementAt, hitOf } from "./hit.js";
import { KEYS_MAX } from "./limits.js";
import type { Meant } from "./meant.js";
import { pressingOf } from "./pressing.js";
import { Scroller } from "./scroller.js";
import { opensAnother, shownText, takeFocus } from "./semantic.js";
import type { Effect } from "./semantic.js";

const BUTTONS: Readonly<Record<Button, number>> = { left: 0, middle: 1, right: 2 };
const NO_MODIFIERS: Modifiers = { alt: false, control: false, meta: false, shift: false };

/** Where something happens: the innermost element, and the point as its document counts. */
interface Spot {
  element: Element;
  init: MouseEventInit;
}

export function synthesise(element: Element, act: Act, top: Document, directory: Directory, meant: Meant): Effect {
  const pressing = pressingOf(element, act);
  if (pressing) {
    const { button, count, modifiers } = act.act === "press" ? act : { button: "left" as const, count: 1, modifiers: NO_MODIFIERS };
    if (opensAnother(pressing.element)) throw new Refused("unsupported");
    press(spotOf(pressing.element, top, directory, modifiers), button, count, meant);
    return pressing;
  }
  switch (act.act) {
    case "hover":
      hover(spotOf(element, top, directory, NO_MODIFIERS));
      return {};
    case "enter_text":
      return typeText(element, act.text, act.clear, meant);
    case "keys":
      for (const { key, modifiers } of act.chords) strike(element, key, modifiers);
      return {};
    case "scroll": {
      const scroller = new Scroller(element);
      const { element: under, init } = spotOf(element, top, directory, NO_MODIFIERS);
      const wheel = "to" in act.by ? {} : { deltaX: act.by.dx, deltaY: act.by.dy };
      if (under.dispatchEvent(new WheelEvent("wheel", { ...init, ...wheel }))) scroller.go(act.by);
      return { scrolled: scroller.moved };
    }
    case "drag":
      return drag(spotOf(element, top, directory, NO_MODIFIERS), targetOf(act.to, top, directory));
    case "tap":
      return tap(spotOf(element, top, directory, NO_MODIFIERS));
    default:
      throw new Refused("unsupported");
  }
}

function targetOf(instanceId: string, top: Document, directory: Directory): Spot {
  const element = directory.node(instanceId);
  if (!element?.isConnected) throw new Refused("gone");
  return spotOf(element, top, directory, NO_MODIFIERS);
}

function spotOf(target: Element, top: Document, directory: Directory, { alt, control, meta, shift }: Modifiers): Spot {
  const point = reachable(target, top, directory);
  const element = elementAt(top, point) ?? target;
  const document = ownerDocument(element) as Document;
  const lens = lensOf(document, top);
  const clientX = lens ? (point.x - lens.x) / lens.scaleX : point.x;
  const clientY = lens ? (point.y - lens.y) / lens.scaleY : point.y;
  const view = defaultView(document);
  const keys = { altKey: alt, ctrlKey: control, metaKey: meta, shiftKey: shift };
  return { element, init: { bubbles: true, cancelable: true, composed: true, clientX, clientY, view, ...keys } };
}

/** A point that hits the target, or the reason why there is none. */
export function reachable(target: Element, top: Document, directory: Directory): Point {
  const hit = hitOf(target, top);
  if (!hit) throw new Refused("out_of_view");
  if (hit.cover) throw new Refused("covered", coverOf(hit.cover, directory));
  return hit.point;
}

const pointer = ({ element, init }: Spot, type: string, more: PointerEventInit = {}): boolean =>
  element.dispatchEvent(new PointerEvent(type, { ...init, pointerId: 1, pointerType: "mouse", isPrimary: true, ...more }));
const mouse = ({ element, init }: Spot, type: string, more: MouseEventInit = {}): boolean => element.dispatchEvent(new MouseEvent(type, { ...init, ...more }));

const INWARD = { bubbles: false, cancelable: false } as const;

function hover(spot: Spot): void {
  pointer(spot, "pointerover");
  pointer(spot, "pointerenter", INWARD);
  mouse(spot, "mouseover");
  mouse(spot, "mouseenter", INWARD);
  pointer(spot, "pointermove");
  mouse(spot, "mousemove");
}

function press(spot: Spot, name: Button, count: number, meant: Meant): void {
  const button = BUTTONS[name];
  const buttons = button === 0 ? 1 : button === 1 ? 4 : 2;
  hover(spot);
  meant.sure();
  for (let detail = 1; detail <= count; detail += 1) {
    const mouseAllowed = pointer(spot, "pointerdown", { button, buttons });
    const focusAllowed = mouseAllowed && mouse(spot, "mousedown", { button, buttons, detail });
    if (focusAllowed) focusAround(spot.element);
    pointer(spot, "pointerup", { button });
    if (mouseAllowed) mouse(spot, "mouseup", { button, detail });
    // It was held down already, so nobody can say that nothing happened.
    if (!meant.holds()) throw new Strayed();
    if (button === 0) mouse(spot, "click", { detail });
    else mouse(spot, button === 2 ? "contextmenu" : "auxclick", { button, detail });
  }
  if (count === 2 && button === 0) mouse(spot, "dblclick", { detail: 2 });
}

/** Pressing gives the focus to the nearest element that takes it. */
function focusAround(element: Element): void {
  for (let at: Element | null = element; at; at = at.parentElement) {
    takeFocus(at);
    if (at.matches(":focus-within")) return;
  }
}

function keyboard(element: Element, type: string, key: string, { alt, control, meta, shift }: Modifiers): boolean {
  const init = { bubbles: true, cancelable: true, composed: true, key, altKey: alt, ctrlKey: control, metaKey: meta, shiftKey: shift };
  return element.dispatchEvent(new KeyboardEvent(type, init));
}

function strike(element: Element, key: string, modifiers: Modifiers): void {
  if (keyboard(element, "keydown", key, modifiers) && [...key].length === 1) keyboard(element, "keypress", key, modifiers);
  keyboard(element, "keyup", key, modifiers);
}

function typeText(element: Element, text: string, clear: boolean, meant: Meant): Effect {
  if (text.length > KEYS_MAX || !(isWritten(element) || isContentEditable(element))) throw new Refused("unsupported");
  const read = (): string => isWritten(element) ? element.value : shownText(element);
  const wanted = isWritten(element) ? fitting(element, clear ? text : element.value + text) : (clear ? "" : shownText(element)) + text;
  if (read() === wanted) throw new Refused("already");
  takeFocus(element);
  meant.sure();
  if (isWritten(element)) {
    if (clear && element.value !== "") write(element, "", "");
  } else {
    markAll(element, clear);
    if (clear && text === "") edit(element, "");
  }
  let written = isWritten(element) ? element.value : "";
  for (const key of text) {
    written += key;
    typeKey(element, key, written);
  }
  if (isWritten(element)) commit(element);
  return { holds: () => read() === wanted };
}

function typeKey(element: Element, key: string, written: string): void {
  const allowed = keyboard(element, "keydown", key, NO_MODIFIERS) && keyboard(element, "keypress", key, NO_MODIFIERS);
  if (allowed && isWritten(element)) {
    // A number that is not finished yet ("7.") has no value to go on from.
    const value = (element as HTMLInputElement).type === "number" ? written : element.value + key;
    if (element.maxLength < 0 || value.length <= element.maxLength) write(element, value, key);
  } else if (allowed) {
    edit(element, key);
  }
  keyboard(element, "keyup", key, NO_MODIFIERS);
}

function drag(from: Spot, to: Spot): Effect {
  hover(from);
  pointer(from, "pointerdown", { button: 0, buttons: 1 });
  mouse(from, "mousedown", { button: 0, buttons: 1, detail: 1 });
  const dataTransfer = new DataTransfer();
  const send = ({ element, init }: Spot, type: string): boolean => element.dispatchEvent(new DragEvent(type, { ...init, dataTransfer }));
  if (from.element.closest("[draggable=true]") && send(from, "dragstart")) {
    send(to, "dragenter");
    const accepted = !send(to, "dragover");
    if (accepted) send(to, "drop");
    send(from, "dragend");
    return {};
  }
  for (const spot of [from, to]) {
    pointer(spot, "pointermove", { buttons: 1 });
    mouse(spot, "mousemove", { buttons: 1 });
  }
  pointer(to, "pointerup", { button: 0 });
  mouse(to, "mouseup", { button: 0 });
  return {};
}

function tap(spot: Spot): Effect {
  const { element, init } = spot;
  const touch = new Touch({ identifier: 1, target: element, clientX: init.clientX ?? 0, clientY: init.clientY ?? 0 });
  const base = { bubbles: true, cancelable: true, composed: true, view: init.view ?? null, changedTouches: [touch] };
  pointer(spot, "pointerdown", { pointerType: "touch", buttons: 1 });
  const started = element.dispatchEvent(new TouchEvent("touchstart", { ...base, touches: [touch], targetTouches: [touch] }));
  pointer(spot, "pointerup", { pointerType: "touch" });
  const ended = element.dispatchEvent(new TouchEvent("touchend", base));
  // Preventing the touch prevents the click that would follow it.
  if (started && ended) mouse(spot, "click", { detail: 1 });
  return {};
}
