// Hears what happens on a page: mutations, and the events of what changes without one.

import { Dirt, Soiler } from "./dirt.js";
import { isShadowRoot, localName, nodeType } from "./dom.js";
import type { Root } from "./dom.js";
import type { Model } from "./model.js";
import { isFrame } from "./tree.js";

const CHANGES: MutationObserverInit = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true, characterDataOldValue: true };
const LISTEN: AddEventListenerOptions = { capture: true, passive: true };
const SHOWING = new Set(["visibility", "display", "content-visibility"]);

export class Watcher {
  dirt = new Dirt();
  /** When something last moved or changed, whether or not it matters to the graph. */
  stirredAtMs = performance.now();
  /** Everything that is observed, so that nothing is observed twice. */
  readonly roots = new Set<Root>();
  readonly #model: Model;
  readonly #observer: MutationObserver;
  readonly #acted: () => void;
  readonly #notify: (atOnce: boolean) => void;
  readonly #heard: (records: MutationRecord[]) => void;

  /**
   * `heard` sees every batch of mutations at once; `acted` hears when somebody does something; `notify` says that there
   * is something to look at, and whether that may be done at once: no script is running, and what changed is light.
   */
  constructor(model: Model, heard: (records: MutationRecord[]) => void, acted: () => void, notify: (atOnce: boolean) => void) {
    this.#model = model;
    this.#heard = heard;
    this.#acted = acted;
    this.#notify = notify;
    this.#observer = new MutationObserver((records) => {
      this.#soil(records);
      if (!this.dirt.isEmpty) this.#notify(this.dirt.isLight);
    });
    addEventListener("resize", this.#all, LISTEN);
    addEventListener("scroll", this.#stirred, LISTEN);
    for (const name of ["popstate", "hashchange"]) addEventListener(name, this.moved, LISTEN);
    // Tells of `pushState`, which no event does.
    (globalThis as { navigation?: EventTarget }).navigation?.addEventListener("currententrychange", this.moved);
  }

  observe(root: Root): void {
    if (this.roots.has(root)) return;
    this.roots.add(root);
    this.#observer.observe(root, CHANGES);
    for (const [name, hear] of Object.entries(this.#events)) root.addEventListener(name, hear, LISTEN);
  }

  /** Mutations that nobody has been told of yet. */
  catchUp(): void {
    this.#soil(this.#observer.takeRecords());
    for (const root of this.roots) if (isShadowRoot(root) && !root.isConnected) this.#leave(root);
  }

  /** What must be looked at; from now on a new heap. */
  take(): Dirt {
    const { dirt } = this;
    this.dirt = new Dirt();
    return dirt;
  }

  #leave(root: ShadowRoot): void {
    // Its observer stays: it may come back. Only its place in the list of areas goes.
    this.roots.delete(root);
    for (const [name, hear] of Object.entries(this.#events)) root.removeEventListener(name, hear, LISTEN);
  }

  #soiler(): Soiler {
    return new Soiler(this.dirt, this.#model);
  }

  #soil(records: MutationRecord[]): void {
    if (records.length === 0) return;
    this.#stirred();
    this.#heard(records);
    const soiler = this.#soiler();
    for (const record of records) soiler.mutation(record);
  }

  #tell(): void {
    if (!this.dirt.isEmpty) this.#notify(false);
  }

  #stirred = (): void => {
    this.stirredAtMs = performance.now();
  };

  #all = (): void => {
    this.#stirred();
    this.dirt.all = true;
    this.#tell();
  };

  /** The page may be at another route. */
  moved = (): void => {
    this.dirt.triggers.add("route");
    this.#tell();
  };

  #on(event: Event, soil: (soiler: Soiler, element: Element) => void): void {
    const target = event.composedPath()[0] as Node | undefined;
    if (target && nodeType(target) === 1) soil(this.#soiler(), target as Element);
    this.#tell();
  }

  #shown = (event: Event): void => {
    this.#on(event, (soiler, element) => { soiler.deep(element); });
  };

  #value = (event: Event): void => {
    this.#acted();
    this.dirt.values = true;
    this.dirt.triggers.add("form");
    this.#on(event, (soiler, element) => { soiler.shallow(element); });
  };

  #focus = (): void => {
    this.dirt.triggers.add("focus");
    this.#tell();
  };

  #values = (): void => {
    this.#acted();
    this.dirt.values = true;
    this.#tell();
  };

  readonly #events: Readonly<Record<string, (event: Event) => void>> = {
    input: this.#value, change: this.#value, invalid: this.#value, click: this.#values, reset: this.#values,
    keydown: () => { this.#acted(); },
    focusin: this.#focus, focusout: this.#focus, toggle: this.#shown, close: this.#shown, slotchange: this.#shown,
    animationstart: this.#shown, animationend: this.#shown, animationcancel: this.#shown,
    transitionend: (event) => {
      if (SHOWING.has((event as TransitionEvent).propertyName)) this.#shown(event);
    },
    transitioncancel: (event) => {
      if (SHOWING.has((event as TransitionEvent).propertyName)) this.#shown(event);
    },
    pointerover: () => {
      for (const root of this.roots) {
        if (this.#model.maker.knownArea(root)?.names.hints.watches("hover")) this.dirt.triggers.add("hover");
      }
      this.#tell();
    },
    load: (event) => {
      this.#stirred();
      this.#on(event, (soiler, element) => {
        const tag = localName(element);
        if (isFrame(tag)) soiler.deep(element);
        else if (tag === "link" || tag === "style") soiler.dirt.all = true;
      });
    },
  };
}
