// The actions that the application offers, and their handlers.

import { idOf, returned, spoken, told } from "../../publisher/src/outcomes.js";
import { toJson } from "../../publisher/src/json.js";
import { ACTIONS_MAX } from "../../publisher/src/registered.js";
import type { ActionContext, ActionDescriptor, ActionHandler, JsonObject, ResolvedTarget, Unsubscribe } from "./api.js";
import { HANDLER_WAIT_MS_MAX } from "./limits.js";

export interface Invocation {
  actionId: string;
  args: JsonObject;
  actionHandle: string;
  timeoutMs: number;
  target: ResolvedTarget | undefined;
}

/** What a handler gets beside its arguments. */
export type Company = Pick<ActionContext, "principal"> & Voice;

/** How a handler speaks to people while it works. */
export interface Voice {
  progress(note: string): void;
  waitForUser(note: string, signal: AbortSignal): Promise<void>;
}

export class Actions {
  readonly #offered = new Map<string, { descriptor: ActionDescriptor; handler: ActionHandler }>();

  register(descriptor: ActionDescriptor, handler: ActionHandler): Unsubscribe {
    const id = idOf(descriptor);
    if (id === "") throw new TypeError("an action needs an id, such as video.create");
    const offer = { descriptor, handler };
    this.#offered.set(id, offer);
    // What has been registered anew meanwhile stays.
    return () => { if (this.#offered.get(id) === offer) this.#offered.delete(id); };
  }

  unregister(id: string): void {
    this.#offered.delete(id);
  }

  /** What is offered under an id. */
  descriptor(id: string): ActionDescriptor | undefined {
    return this.#offered.get(id)?.descriptor;
  }

  descriptors(): ActionDescriptor[] {
    return [...this.#offered.values()].slice(0, ACTIONS_MAX).map(({ descriptor }) => descriptor);
  }

  /** The JSON text of what is offered. */
  list(): string {
    const all = [...this.#offered.values()];
    const actions = all.slice(0, ACTIONS_MAX).map(({ descriptor }) => told(idOf(descriptor), descriptor));
    return toJson({ actions, leftOut: all.length - actions.length });
  }

  /** Runs a handler, once, and tells as JSON what came of it. */
  async invoke({ actionId, args, actionHandle, timeoutMs, target }: Invocation, stopped: AbortSignal, { principal, progress, waitForUser }: Company): Promise<string> {
    const handler = this.#offered.get(actionId)?.handler;
    if (!handler) return '{"outcome":"unregistered"}';
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(Math.min(timeoutMs, HANDLER_WAIT_MS_MAX))]);
    try {
      const result = await handler({
        actionHandle, actionId, args, signal, progress, waitForUser: (note) => waitForUser(note, signal), ...(target && { target }), ...(principal && { principal }),
      });
      if (result?.sideEffectState === "none") return '{"outcome":"idle"}';
      if (result?.sideEffectState === "unknown") return toJson({ outcome: "threw", message: "the application cannot say what was done" });
      return returned(result?.returnValue);
    } catch (error) {
      return toJson({ outcome: "threw", message: spoken(error) });
    }
  }
}
