// What the application registers, as far as it keeps a queue for it: `(globalThis.uiap ??= []).push([...])`.
//
// Runs in the page's own world, and only when somebody asks. The page can replace everything here, so nothing of what
// comes out is believed; whoever asks reads it as data. A page without a queue gets no global and no change.

import { toJson } from "./json.js";
import { idOf, returned, spoken, told } from "./outcomes.js";
import type { Told } from "./outcomes.js";
import { ACTIONS_MAX, ENTRIES_MAX, SIGNAL_CHARS_MAX, SIGNAL_EVENT } from "./registered.js";

type Handler = (args: unknown, context: { idempotencyKey?: string }) => unknown;

interface Registered {
  readonly descriptor: unknown;
  readonly handler: unknown;
}

export class Registry {
  #taken: unknown[] | undefined;

  /** The JSON text of every registered action. */
  list(): string {
    const actions: Told[] = [];
    const registered = this.#registered();
    for (const { descriptor } of registered.values()) if (actions.length < ACTIONS_MAX) actions.push(told(idOf(descriptor), descriptor));
    return toJson({ actions, leftOut: registered.size - actions.length });
  }

  /** Calls the handler of an action and says, as JSON, what came of it. */
  async invoke(id: string, argsJson: string, idempotencyKey?: string): Promise<string> {
    const handler = this.#registered().get(id)?.handler;
    if (typeof handler !== "function") return '{"outcome":"unregistered"}';
    const args: unknown = JSON.parse(argsJson);
    try {
      return returned(await (handler as Handler)(args, idempotencyKey === undefined ? {} : { idempotencyKey }));
    } catch (error) {
      return toJson({ outcome: "threw", message: spoken(error) });
    }
  }

  /** Actions by id, or by place if they have none. One that is registered again replaces the former. */
  #registered(): Map<string, Registered> {
    const found = new Map<string, Registered>();
    const queue = this.#attend();
    for (let at = 0; at < queue.length && at < ENTRIES_MAX; at += 1) {
      const [word, what, handler] = parts(queue[at]);
      if (word === "registerAction") found.set(idOf(what) || `#${at}`, { descriptor: what, handler });
      else if (word === "unregisterAction") found.delete(String(what));
    }
    return found;
  }

  /** The queue of the page as it is now. What the application says in it is passed on from then on. */
  #attend(): unknown[] {
    const { uiap: queue } = Object.hasOwn(globalThis, "uiap") ? (globalThis as { uiap?: unknown }) : {};
    if (!Array.isArray(queue)) return [];
    if (queue === this.#taken) return queue;
    this.#taken = queue;
    // A queue that cannot be changed is read as it is.
    if (!Object.isExtensible(queue)) return queue;
    const { push } = queue;
    const waiting = queue.splice(0);
    const take = (...entries: unknown[]): number => {
      for (const entry of entries) {
        const [word, what] = parts(entry);
        // Actions stay, so that whoever comes after us finds them too; what was said once is over.
        if (word === "signal") pass(what);
        else {
          if (word === "registerAction") drop(queue, idOf(what));
          push.call(queue, entry);
        }
      }
      return queue.length;
    };
    take(...waiting.slice(0, ENTRIES_MAX));
    Object.defineProperty(queue, "push", { value: take, enumerable: false, configurable: true, writable: true });
    return queue;
  }
}

const parts = (entry: unknown): unknown[] => (Array.isArray(entry) ? entry : []);

/** An application that registers with every rendering must not fill its queue. */
function drop(queue: unknown[], id: string): void {
  const at = queue.findIndex((entry) => {
    const [word, what] = parts(entry);
    return word === "registerAction" && idOf(what) === id;
  });
  if (id !== "" && at >= 0) queue.splice(at, 1);
}

/** Passes on what the application says. What cannot be passed on is noticed by its emptiness. */
function pass(signal: unknown): void {
  let json = "";
  try {
    const written: unknown = toJson(signal);
    if (typeof written === "string" && written.length <= SIGNAL_CHARS_MAX) json = written;
  } catch {
    // It was said all the same.
  }
  document.dispatchEvent(new CustomEvent(SIGNAL_EVENT, { detail: json }));
}
