// The page as the runtime sees it: the publisher, and what can be done from inside.
//
// Loaded when a client starts, so that an application pays for it only then.

import type { PageGraph, PresentationHints, SnapshotOptions, WebSignal, WebStateDelta } from "../../types/uiap.js";
import { listen } from "../../publisher/src/application.js";
import type { Facts } from "../../publisher/src/check.js";
import type { Deed, Outcome } from "../../publisher/src/deed.js";
import { Pace } from "../../publisher/src/pace.js";
import { Publisher } from "../../publisher/src/publisher.js";
import { Frames } from "../../publisher/src/stability.js";
import type { ElementAdapter, FrameBridge, Inside, Joining, ObserveConfig, Outside, Overlay, RouteProvider } from "./api.js";
import { act, check, framed, isOpen, outsideOf } from "./acting.js";
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

/** What an application wants of the publisher. */
export interface Settings {
  readonly frames?: FrameBridge | undefined;
  readonly observe?: ObserveConfig | undefined;
}

export class Page {
  readonly #top = document;
  readonly #frames = new Frames();
  readonly #pace: Pace;
  readonly #publisher: Publisher;
  readonly #adapters: ReadonlyMap<string, ElementAdapter>;
  readonly #joined: Joining | undefined;
  #isFollowed = false;

  constructor(ear: Ear, adapters: ReadonlyMap<string, ElementAdapter>, { frames, observe = {} }: Settings = {}) {
    const { mutations = true, debounceMs = 0, maxElements, signals: told } = observe;
    this.#adapters = adapters;
    this.#pace = new Pace(() => { this.#publisher.flush(); }, debounceMs);
    const say = (signal: WebSignal): void => { if (!told || told.includes(signal.kind)) ear.signal(signal); };
    const joined = frames?.join({ tell: (delta) => { ear.delta(delta); }, say, lose: () => { if (this.#isFollowed) ear.resync(); } });
    this.#joined = joined;
    const tell = (delta: string | undefined, signals: readonly WebSignal[]): void => {
      const changed = delta === undefined ? undefined : (JSON.parse(delta) as WebStateDelta);
      if (changed && joined) joined.outer(changed);
      else if (changed) ear.delta(changed);
      for (const signal of signals) say(joined?.signal(signal) ?? signal);
      this.#frames.restart();
    };
    this.#publisher = new Publisher(this.#top, performance.timeOrigin, ({ delta, signals }) => {
      if (this.#isFollowed) tell(delta, signals);
    }, (atOnce) => {
      if (this.#isFollowed && mutations) this.#pace.ask(atOnce);
    });
    if (maxElements !== undefined) this.#publisher.limit(maxElements);
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
    const inside = this.#inside(target);
    const facts = inside ? await this.#framedFacts(inside) : await check(this.#publisher, this.#top, target);
    // Whoever decides by the facts decides by the page as it was then.
    this.#publisher.flush();
    return facts ?? null;
  }

  async #framedFacts(inside: Inside): Promise<Facts | undefined> {
    const inner = JSON.parse(await inside.facts()) as Facts | { refused: string } | null;
    if (inner && "refused" in inner) throw new Misunderstood(inner.refused);
    return inner ? framed(inside.frame, inner, this.#publisher, this.#top) : undefined;
  }

  /** Does something; `outside` is what stands around this page where it is shown in a frame. */
  async perform(deed: Deed, outside?: Outside): Promise<Outcome> {
    const inside = deed.target === undefined ? undefined : this.#inside(deed.target);
    const outcome = inside ? await this.#framedDeed(inside, deed) : await act(deed, this.#publisher, this.#top, outside);
    this.#frames.restart();
    return outcome;
  }

  async #framedDeed(inside: Inside, deed: Deed): Promise<Outcome> {
    const around = this.#publisher.described(this.#publisher.id(inside.frame) ?? "");
    if (!around) return { delivery: "none", why: "gone" };
    if (!isOpen(inside.frame)) return { delivery: "none", why: "blocked" };
    const outcome = JSON.parse(await inside.perform(deed, outsideOf(around))) as Outcome | { refused: string };
    if ("refused" in outcome) throw new Misunderstood(outcome.refused);
    this.#publisher.pull();
    return outcome;
  }

  /** On which route the page is, as its application or its markup says. */
  routeId(): string | undefined {
    return this.#publisher.routeId;
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

  async bind(bindings: unknown): Promise<string> {
    const { bindingsOf } = await import("./bundle.js").catch((error: unknown) => {
      throw new Misunderstood(`what a bundle takes could not be loaded: ${String(error)}`);
    });
    return this.#publisher.bind(bindingsOf(JSON.stringify(bindings)));
  }

  async present(hints: PresentationHints, target: string | undefined, overlay: Overlay): Promise<void> {
    const element = target === undefined ? undefined : this.#publisher.node(target);
    await overlay.show(hints, element?.getBoundingClientRect());
  }

  /** The frame that an element is in, if it is in one of another origin. */
  #inside(target: string): Inside | undefined {
    const inside = this.#joined?.inside(target);
    if (!inside && this.#joined?.isInside(target)) throw new Misunderstood("the frame of the element does not take part any more");
    return inside;
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
