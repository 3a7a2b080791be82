// The page as the runtime sees it: the publisher, and what can be done from inside.
//
// Loaded when a client starts, so that an application pays for it only then.

import type { PageGraph, PresentationHints, SnapshotOptions, WebSignal, WebStateDelta } from "../../types/uiap.js";
import { listen } from "../../publisher/src/application.js";
import { check } from "../../publisher/src/check.js";
import type { Facts } from "../../publisher/src/check.js";
import type { Deed, Outcome } from "../../publisher/src/deed.js";
import { Pace } from "../../publisher/src/pace.js";
import { perform } from "../../publisher/src/perform.js";
import { Publisher } from "../../publisher/src/publisher.js";
import { semantic } from "../../publisher/src/semantic.js";
import { Frames } from "../../publisher/src/stability.js";
import type { ElementAdapter, FrameBridge, Joining, Overlay, RouteProvider } from "./api.js";
import { Misunderstood } from "./misunderstood.js";
import { CLOSED_DEPTH_MAX } from "./limits.js";

export type { Facts, Outcome };

/** Where the page went. */
export type Went = { went: "there" } | { went: "nowhere"; why: string } | { went: "unknown" };

/** Hears what happens on the page. */
export interface Ear {
  delta(delta: WebStateDelta): void;
  signal(signal: WebSignal): void;
  /** What was told is no longer enough; only another snapshot is. */
  resync(): void;
}

export class Page {
  readonly #top = document;
  readonly #frames = new Frames();
  readonly #pace = new Pace(() => { this.#publisher.flush(); });
  readonly #publisher: Publisher;
  readonly #adapters: ReadonlyMap<string, ElementAdapter>;
  readonly #joined: Joining | undefined;
  #isFollowed = false;

  constructor(ear: Ear, adapters: ReadonlyMap<string, ElementAdapter>, bridge: FrameBridge | undefined) {
    this.#adapters = adapters;
    const joined = bridge?.join((delta) => { ear.delta(delta); }, () => { if (this.#isFollowed) ear.resync(); });
    this.#joined = joined;
    const tell = (delta: string | undefined, signals: readonly WebSignal[]): void => {
      const changed = delta === undefined ? undefined : (JSON.parse(delta) as WebStateDelta);
      if (changed && joined) joined.outer(changed);
      else if (changed) ear.delta(changed);
      for (const signal of signals) ear.signal(joined?.signal(signal) ?? signal);
      this.#frames.restart();
    };
    this.#publisher = new Publisher(this.#top, performance.timeOrigin, ({ delta, signals }) => {
      if (this.#isFollowed) tell(delta, signals);
    }, (atOnce) => {
      if (this.#isFollowed) this.#pace.ask(atOnce);
    });
    listen(this.#top, (said) => { tell(undefined, [this.#publisher.hear(said)]); });
  }

  /** The page as it is now. */
  snapshot(options?: SnapshotOptions): PageGraph {
    const wanted = options && JSON.stringify(options);
    let graph = this.#publisher.snapshot(wanted);
    // A closed root may hold others.
    for (let depth = 0; depth < CLOSED_DEPTH_MAX && this.#admit(); depth += 1) graph = this.#publisher.snapshot(wanted);
    return graph;
  }

  /** The page as it is now, and from then on what changes. */
  async follow(): Promise<PageGraph> {
    this.#isFollowed = true;
    return this.#joined ? this.#joined.graph(() => this.snapshot(), (element) => this.#publisher.id(element)) : this.snapshot();
  }

  /** Nobody wants to know what changes any more. */
  unfollow(): void {
    this.#isFollowed = false;
  }

  catchUp(): void {
    this.#admit();
    this.#publisher.flush();
  }

  async rest(): Promise<boolean> {
    const isShown = await this.#frames.shown();
    this.#publisher.pull();
    return isShown;
  }

  async facts(target: string): Promise<Facts | null> {
    this.#refuseFrames(target);
    const facts = await check(this.#publisher, this.#top, target);
    // Whoever decides by the facts decides by the page as it was then.
    this.#publisher.flush();
    return facts ?? null;
  }

  async perform(deed: Deed): Promise<Outcome> {
    if (deed.target !== undefined) this.#refuseFrames(deed.target);
    const outcome = await perform(deed, this.#publisher, this.#top, semantic);
    this.#frames.restart();
    return outcome;
  }

  async go(to: string, provider: RouteProvider | undefined): Promise<Went> {
    if (!provider?.navigate) return { went: "nowhere", why: "the application says no way to go somewhere; press a link instead" };
    const address = URL.canParse(to, location.href) ? new URL(to, location.href) : undefined;
    if (address?.origin !== location.origin) return { went: "nowhere", why: "this is no place of the application" };
    try {
      await provider.navigate(address.pathname + address.search + address.hash);
    } catch {
      return { went: "unknown" };
    }
    this.#publisher.pull();
    return { went: "there" };
  }

  provideRoute(provider: RouteProvider | undefined): void {
    this.#publisher.provideRoute(provider && (() => provider.routeId()));
  }

  annotate(prefix: string): string {
    return this.#publisher.annotate(prefix) ? "" : "not a beginning such as data-acme-";
  }

  bind(bindings: unknown): string {
    return this.#publisher.bind(JSON.stringify(bindings));
  }

  async present(hints: PresentationHints, target: string | undefined, overlay: Overlay): Promise<void> {
    const element = target === undefined ? undefined : this.#publisher.node(target);
    await overlay.show(hints, element?.getBoundingClientRect());
  }

  /** Frames are looked at and not acted on. */
  #refuseFrames(target: string): void {
    if (this.#joined?.isInside(target)) throw new Misunderstood("the element is in a frame of another origin, which can be looked at but not acted in");
  }

  /** Hands the closed roots over that adapters open; says whether there were any. */
  #admit(): boolean {
    let admitted = false;
    for (const { selector, root } of this.#adapters.values()) {
      for (const host of this.#publisher.hosts(selector)) {
        const opened = root(host);
        if (!opened) continue;
        this.#publisher.admit(host, opened);
        admitted = true;
      }
    }
    return admitted;
  }
}
