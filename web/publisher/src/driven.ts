// The publisher in a browser that is driven from outside: graphs travel packed, the driver may ask what it missed, and
// it alone sees who listens to what. A page that takes part by itself has no use for any of this.

import { Soiler } from "./dirt.js";
import { forget, getRootNode } from "./dom.js";
import type { Root } from "./dom.js";
import { HISTORY_CHARS_MAX, HISTORY_MAX } from "./limits.js";
import { Listeners } from "./listeners.js";
import type { ElementKind } from "./listeners.js";
import { openersIn } from "./openers.js";
import { Packer } from "./pack.js";
import { Publisher } from "./publisher.js";
import { forgetVisibility } from "./visibility.js";

interface Past {
  readonly base: string;
  readonly json: string;
}

/** What happened since a revision. */
export interface Changes {
  /** Deltas as JSON texts, the oldest first; `undefined` if that revision is not known any more. */
  readonly deltas: readonly string[] | undefined;
  readonly revision: string;
}

export class DrivenPublisher extends Publisher {
  readonly #listeners = new Listeners();
  readonly #packer = new Packer(this.starts);
  readonly #history: Past[] = [];
  #historyChars = 0;

  /** The JSON text of a graph, packed. */
  packed(optionsJson?: string): string {
    // What is looked at as it is followed comes again; other nodes are made for one look.
    const packer = this.isFollowed(optionsJson) ? this.#packer : new Packer(this.starts);
    return packer.pack(this.snapshot(optionsJson));
  }

  protected override rebuilt(): void {
    this.#packer.forget();
  }

  protected override told(base: string, json: string): void {
    this.#history.push({ base, json });
    this.#historyChars += json.length;
    while (this.#history.length > HISTORY_MAX || this.#historyChars > HISTORY_CHARS_MAX) this.#historyChars -= this.#history.shift()?.json.length ?? 0;
  }

  /** What changed since a revision that was published before. */
  changes(since: string): Changes {
    if (!this.isPublished) return { deltas: undefined, revision: this.revision };
    this.pull();
    const { revision } = this;
    if (since === revision) return { deltas: [], revision };
    const from = this.#history.findIndex(({ base }) => base === since);
    return { deltas: from < 0 ? undefined : this.#history.slice(from).map(({ json }) => json), revision };
  }

  /** Elements of the last look that open something when somebody points at them, by the style of the page alone. */
  openers(): string[] {
    forget();
    forgetVisibility();
    const nodeOf = (element: Element) => this.model.known(element)?.made?.node;
    const isPublished = (element: Element): boolean => nodeOf(element)?.state.visible === true;
    const found: string[] = [];
    for (const root of this.watcher.roots) for (const opener of openersIn(root, isPublished)) found.push(nodeOf(opener)?.instanceId ?? "");
    return found.filter((id) => id !== "");
  }

  /** Marks what may be a control by its listeners alone. */
  mark(kinds: readonly ElementKind[] | undefined): number {
    return this.#listeners.mark(this.watcher.roots, kinds);
  }

  /** What the marks showed; tells how many elements it concerns. */
  heard(press: readonly number[], keys: readonly number[], silent: readonly number[]): number {
    const concerned = this.#listeners.hear(press, keys, silent);
    const { dirt, roots } = this.watcher;
    const soiler = new Soiler(dirt, this.model);
    // Where we have not been, or may not look, there is nothing to look at again.
    for (const element of concerned) if (roots.has(getRootNode(element) as Root)) soiler.deep(element);
    if (!dirt.isEmpty) this.onDirt(false);
    return concerned.length;
  }
}
