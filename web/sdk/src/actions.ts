// The actions that the application offers, and their handlers.

import { idOf, returned, spoken, told } from "../../publisher/src/outcomes.js";
import { toJson } from "../../publisher/src/json.js";
import { ACTIONS_MAX } from "../../publisher/src/registered.js";
import type { ActionDescriptor, ActionHandler, JsonObject, Unsubscribe } from "./api.js";
import { HANDLER_WAIT_MS_MAX } from "./limits.js";

export interface Invocation {
  actionId: string;
  args: JsonObject;
  actionHandle: string;
  timeoutMs: number;
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

  /** The JSON text of what is offered. */
  list(): string {
    const all = [...this.#offered.values()];
    const actions = all.slice(0, ACTIONS_MAX).map(({ descriptor }) => told(idOf(descriptor), descriptor));
    return toJson({ actions, leftOut: all.length - actions.length });
  }

  /** Runs a handler, once, and tells as JSON what came of it. */
  async invoke({ actionId, args, actionHandle, timeoutMs }: Invocation, stopped: AbortSignal): Promise<string> {
    const handler = this.#offered.get(actionId)?.handler;
    if (!handler) return '{"outcome":"unregistered"}';
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(Math.min(timeoutMs, HANDLER_WAIT_MS_MAX))]);
    try {
      const result = await handler({ actionHandle, actionId, args, signal });
      return returned(result?.returnValue);
    } catch (error) {
      return toJson({ outcome: "threw", message: spoken(error) });
    }
  }
}
