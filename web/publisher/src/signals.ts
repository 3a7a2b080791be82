// What happened, told from what changed: messages, dialogs, validation, focus, route.

import type { ValidationError, WebSignal } from "../../types/uiap.js";
import type { Head } from "./delta.js";
import { closest, isConnected, nodeType, parentNode, queryAll, textContent } from "./dom.js";
import { MESSAGES_MAX, TEXT_CHARS_MAX } from "./limits.js";
import type { Model } from "./model.js";
import type { Made, Record } from "./records.js";
import { isToast } from "./roles.js";
import { said } from "./text.js";
import { isVolatile, sameButNumbers } from "./ticks.js";
import { isVisible } from "./visibility.js";

/** A signal that has no id and no time yet. */
export type Happening = WebSignal extends infer One ? (One extends WebSignal ? Omit<One, "id" | "at" | "revision"> & { kind: string } : never) : never;

const LIVE = "[role=status],[role=alert],[role=log],[aria-live=polite],[aria-live=assertive],output";
const SPEAKING = new Set(["toast", "status", "alert"]);
const DIALOGS = new Set(["dialog", "drawer"]);

/**
 * Messages that were there when the browser told of them. One that is gone again before anybody looks, such as a
 * toast shown for a single frame, was shown all the same.
 */
export class Messages {
  #heard: { text: string; toast: boolean }[] = [];

  /** Sees every batch of mutations at once, before the page goes on. */
  hear(records: readonly MutationRecord[]): void {
    for (const { type, target, addedNodes } of records) {
      if (type === "attributes" || this.#heard.length >= MESSAGES_MAX) continue;
      const parent = nodeType(target) === 1 ? (target as Element) : (parentNode(target) as Element | null);
      // A clock says nothing.
      if (parent && nodeType(parent) === 1 && isVolatile(parent)) continue;
      const around = parent && nodeType(parent) === 1 ? closest(parent, LIVE) : null;
      if (around) this.#note(around);
      else for (let at = 0; at < addedNodes.length; at += 1) if (nodeType(addedNodes[at] as Node) === 1) this.#within(addedNodes[at] as Element);
    }
  }

  #within(added: Element): void {
    if (closest(added, LIVE) === added) this.#note(added);
    const inner = queryAll(added, LIVE);
    for (let at = 0; at < inner.length && at < MESSAGES_MAX; at += 1) this.#note(inner[at] as Element);
  }

  #note(region: Element): void {
    if (!isConnected(region)) return;
    const text = said(textContent(region), TEXT_CHARS_MAX);
    if (text !== undefined && isVisible(region)) this.#heard.push({ text, toast: isToast(region) });
  }

  /** What was heard and is not among the texts that are told anyway. */
  take(told: ReadonlySet<string>): Happening[] {
    // What is told is as it is drawn, what was heard as it is written.
    const known = [...told].map((one) => one.toLowerCase());
    const missed = this.#heard.filter(({ text }) => !known.some((one) => one.includes(text.toLowerCase()) || text.toLowerCase().includes(one)));
    this.#heard = [];
    const texts = new Set<string>();
    return missed.filter(({ text }) => !texts.has(text) && texts.add(text)).map(({ text, toast }) => ({ kind: toast ? "toast.shown" : "status.changed", text }));
  }
}

/** What the changes of a model say, with what was heard in between. */
export function happenings(model: Model, before: Head | undefined, now: Head, messages: Messages): Happening[] {
  const found: Happening[] = [];
  const told = new Set<string>();
  const unsettled = new Set<string>();
  for (const record of model.changes) {
    const made = record.listed ? record.made : undefined;
    const text = messageOf(made);
    if (text !== undefined && made?.node.volatile && sameButNumbers(text, messageOf(record.was))) told.add(text);
    else if (text !== undefined && text !== messageOf(record.was)) {
      told.add(text);
      found.push({ kind: made?.node.role === "toast" ? "toast.shown" : "status.changed", text, target: record.instanceId });
    }
    dialog(record.was, made, found);
    // An empty form is not wrong before anybody touched it.
    if (before && invalidity(made) !== invalidity(record.was)) unsettled.add((made ?? record.was)?.node.scopeId ?? "");
  }
  for (const scopeId of unsettled) found.push({ kind: "validation.changed", scopeId, errors: errorsIn(scopeId, model) });
  found.unshift(...messages.take(told));
  if (before && JSON.stringify(before.route) !== JSON.stringify(now.route)) found.push({ kind: "route.changed", from: before.route, to: now.route });
  if (before && before.focus?.target !== now.focus?.target) found.push(now.focus?.target === undefined ? { kind: "focus.changed" } : { kind: "focus.changed", target: now.focus.target });
  return found;
}

function messageOf(made: Made | undefined): string | undefined {
  if (!made || !SPEAKING.has(made.node.role)) return undefined;
  return made.node.state.textValue ?? made.node.name;
}

const openDialog = (made: Made | undefined): string | undefined =>
  made?.scope && DIALOGS.has(made.scope.kind) && made.node.state.open === true && made.node.state.visible === true ? made.scope.id : undefined;

function dialog(was: Made | undefined, made: Made | undefined, found: Happening[]): void {
  const before = openDialog(was);
  const now = openDialog(made);
  if (before === now) return;
  if (before !== undefined) found.push({ kind: "dialog.closed", scopeId: before });
  if (now !== undefined) found.push({ kind: "dialog.opened", scopeId: now });
}

const invalidity = (made: Made | undefined): string => (made?.node.validation ? `!${made.node.validation.message ?? ""}` : "");

function errorsIn(scopeId: string, { list }: Model): ValidationError[] {
  const errors: ValidationError[] = [];
  for (let record: Record | undefined = list.first; record; record = record.next) {
    const node = record.made?.node;
    if (node?.validation?.invalid && node.scopeId === scopeId) errors.push({ target: node.instanceId, message: node.validation.message ?? "" });
  }
  return errors;
}
