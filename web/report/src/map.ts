// The map: states and what leads from one to another, to be moved, enlarged and walked through with the keyboard.

import type { DiscoveryStateNode } from "../../types/uiap.js";
import { Data } from "./data.js";
import { h, svg } from "./dom.js";
import { HEIGHT, WIDTH, line, plan } from "./layout.js";
import type { Plan, Spot } from "./layout.js";

const MARGIN = 24;
const ZOOM_STEP = 1.25;
/** How many times the map may be enlarged or reduced beyond its size. */
const ZOOM_MAX = 4;
const LABEL_CHARS_MAX = 23;
/** How much of the map can be read at once: units of the map for a pixel, and never less than these. */
const READABLE_SCALE = 1.2;
const READABLE_MIN = 420;

const ARROWS: Record<string, readonly [number, number]> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export class Map_ {
  readonly element: HTMLElement;
  readonly #nodes = new Map<string, SVGGElement>();
  readonly #edges: { from: string; to: string; path: SVGPathElement }[] = [];
  readonly #plan: Plan;
  readonly #drawing: SVGSVGElement;
  #view: { x: number; y: number; width: number; height: number };
  #chosen: string | undefined;

  constructor(
    readonly data: Data,
    readonly choose: (state: DiscoveryStateNode) => void,
  ) {
    const { states, edges } = data.package.transitionGraph;
    const deepest = Math.max(0, ...states.map(({ metadata }) => Data.number(metadata, "depth") ?? 0));
    this.#plan = plan(
      states.map((state) => [state.stateId, Data.number(state.metadata, "depth") ?? deepest + 1] as const),
      edges.map(({ fromStateId, toStateId }) => [fromStateId, toStateId] as const),
    );
    this.#view = this.#whole();
    const lines = svg("g", { class: "lines", "aria-hidden": "true" });
    const drawn = new Set<string>();
    for (const { fromStateId, toStateId } of edges) {
      const [from, to] = [this.#plan.spots.get(fromStateId), this.#plan.spots.get(toStateId)];
      // Between two states one line says it, however many things lead there.
      if (!from || !to || fromStateId === toStateId || drawn.has(`${fromStateId} ${toStateId}`)) continue;
      drawn.add(`${fromStateId} ${toStateId}`);
      const path = svg("path", { d: line(from, to) });
      lines.append(path);
      this.#edges.push({ from: fromStateId, to: toStateId, path });
    }
    const boxes = svg("g", {});
    for (const state of states) boxes.append(this.#box(state));
    this.#drawing = svg("svg", { class: "map", role: "group", "aria-label": `Map of ${states.length} states. Arrow keys go from one to the next, Enter shows one.` }, lines, boxes);
    this.#first()?.setAttribute("tabindex", "0");
    this.#show();
    this.#listen();
    const button = (name: string, sign: string, act: () => void): HTMLElement => h("button", { type: "button", "aria-label": name, title: name, onclick: act }, sign);
    const controls = h(
      "div",
      { class: "controls", role: "group", "aria-label": "Size of the map" },
      button("Enlarge", "+", () => this.#zoom(1 / ZOOM_STEP)),
      button("Reduce", "−", () => this.#zoom(ZOOM_STEP)),
      button("Show all", "⤢", () => {
        this.#view = this.#whole();
        this.#show();
      }),
    );
    this.element = h("div", { class: "canvas" }, this.#drawing, controls);
  }

  /** Begins with what can be read, once it is known how much room there is. */
  begin(): void {
    this.#view = this.#beginning();
    this.#show();
  }

  /** Shows a state as the chosen one, with what leads there and on. */
  mark(id: string): void {
    this.#chosen = id;
    for (const [own, node] of this.#nodes) {
      node.setAttribute("aria-pressed", String(own === id));
      node.setAttribute("tabindex", own === id ? "0" : "-1");
    }
    for (const { from, to, path } of this.#edges) path.setAttribute("class", from === id ? "on" : to === id ? "in" : "");
    const spot = this.#plan.spots.get(id);
    if (spot) this.#reveal(spot);
  }

  /** Dims everything but some states; all of them count if nothing is said. */
  dim(kept: ReadonlySet<string> | undefined): void {
    for (const [id, node] of this.#nodes) node.classList.toggle("dim", kept !== undefined && !kept.has(id));
  }

  #box(state: DiscoveryStateNode): SVGGElement {
    const { x, y } = this.#plan.spots.get(state.stateId) as Spot;
    const dialog = this.data.dialog(state);
    const held = (this.data.out.get(state.stateId) ?? []).some(({ metadata }) => (Data.number(metadata, "held") ?? 0) > 0);
    const opaque = (Data.number(state.metadata, "opaqueRegions") ?? 0) > 0;
    const seed = state.metadata?.["seed"] === true;
    const told = [this.data.name(state), seed && "seed", held && "something was held back", opaque && "parts cannot be looked into"].filter(Boolean).join(", ");
    const below = dialog ?? (typeof state.metadata?.["pattern"] === "string" ? state.metadata["pattern"] : "");
    const node = svg(
      "g",
      { role: "button", tabindex: -1, "aria-pressed": "false", "aria-label": told, class: `state${seed ? " seed" : ""}${dialog ? " modal" : ""}`, transform: `translate(${x} ${y})`, onclick: () => this.choose(state) },
      svg("title", {}, told),
      svg("rect", { width: WIDTH, height: HEIGHT, rx: 9 }),
      svg("text", { x: 12, y: 19 }, cut(state.routeId ?? state.stateId)),
      svg("text", { x: 12, y: 34, class: "below" }, cut(dialog ? `▣ ${below}` : below)),
      held && svg("circle", { class: "held", cx: WIDTH - 14, cy: 14, r: 4.5 }),
      opaque && svg("rect", { class: "opaque", x: WIDTH - 18, y: 26, width: 9, height: 9, rx: 2 }),
    );
    this.#nodes.set(state.stateId, node);
    return node;
  }

  #first(): SVGGElement | undefined {
    return this.#nodes.values().next().value;
  }

  #whole(): { x: number; y: number; width: number; height: number } {
    return { x: -MARGIN, y: -MARGIN, width: this.#plan.width + 2 * MARGIN, height: this.#plan.height + 2 * MARGIN };
  }

  /** As much around the beginning as can be read; all of it, if that is not more. */
  #beginning(): { x: number; y: number; width: number; height: number } {
    const whole = this.#whole();
    const readable = Math.max(READABLE_MIN, this.#drawing.clientWidth * READABLE_SCALE);
    if (whole.width <= readable) return whole;
    const seed = this.data.package.transitionGraph.states.find(({ metadata }) => metadata?.["seed"] === true);
    const spot = seed && this.#plan.spots.get(seed.stateId);
    const height = Math.min(whole.height, readable * 0.7);
    const middle = (spot?.y ?? this.#plan.height / 2) + HEIGHT / 2;
    return { x: -MARGIN, y: middle - height / 2, width: readable, height };
  }

  #show(): void {
    const { x, y, width, height } = this.#view;
    this.#drawing.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }

  /** Enlarges or reduces around a point of the map, its middle if none is said. */
  #zoom(factor: number, at?: { x: number; y: number }): void {
    const whole = this.#whole();
    const width = Math.min(whole.width * ZOOM_MAX, Math.max(WIDTH * 2, this.#view.width * factor));
    const scale = width / this.#view.width;
    const point = at ?? { x: this.#view.x + this.#view.width / 2, y: this.#view.y + this.#view.height / 2 };
    this.#view = {
      x: point.x - (point.x - this.#view.x) * scale,
      y: point.y - (point.y - this.#view.y) * scale,
      width,
      height: this.#view.height * scale,
    };
    this.#show();
  }

  /** Moves the map so that a state can be seen. */
  #reveal({ x, y }: Spot): void {
    const view = this.#view;
    if (x < view.x || x + WIDTH > view.x + view.width) view.x = x + WIDTH / 2 - view.width / 2;
    if (y < view.y || y + HEIGHT > view.y + view.height) view.y = y + HEIGHT / 2 - view.height / 2;
    this.#show();
  }

  #listen(): void {
    const drawing = this.#drawing;
    const at = (event: MouseEvent): { x: number; y: number } => {
      const matrix = drawing.getScreenCTM()?.inverse();
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
      return { x: point.x, y: point.y };
    };
    // A wheel alone scrolls the page; with a key it is meant for the map.
    drawing.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.#zoom(event.deltaY > 0 ? ZOOM_STEP : 1 / ZOOM_STEP, at(event));
    }, { passive: false });
    let grip: { x: number; y: number } | undefined;
    drawing.addEventListener("pointerdown", (event) => {
      if (event.target === drawing) grip = at(event);
      if (grip) drawing.setPointerCapture(event.pointerId);
    });
    drawing.addEventListener("pointermove", (event) => {
      if (!grip) return;
      const now = at(event);
      this.#view = { ...this.#view, x: this.#view.x + grip.x - now.x, y: this.#view.y + grip.y - now.y };
      this.#show();
    });
    const release = (): void => {
      grip = undefined;
    };
    drawing.addEventListener("pointerup", release);
    drawing.addEventListener("pointercancel", release);
    drawing.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event: KeyboardEvent): void {
    const here = [...this.#nodes].find(([, node]) => node === document.activeElement)?.[0];
    const arrow = ARROWS[event.key];
    if (here !== undefined && arrow) {
      event.preventDefault();
      const next = this.#towards(here, arrow);
      if (next) this.#focus(next);
    } else if (here !== undefined && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      const state = this.data.states.get(here);
      if (state) this.choose(state);
    } else if (event.key === "+" || event.key === "=") this.#zoom(1 / ZOOM_STEP);
    else if (event.key === "-") this.#zoom(ZOOM_STEP);
    else if (event.key === "0") {
      this.#view = this.#whole();
      this.#show();
    }
  }

  /** The nearest state in a direction. */
  #towards(id: string, [dx, dy]: readonly [number, number]): string | undefined {
    const here = this.#plan.spots.get(id) as Spot;
    const found = [...this.#plan.spots.values()]
      .map((spot) => ({ id: spot.id, along: (spot.x - here.x) * dx + (spot.y - here.y) * dy, aside: Math.abs((spot.x - here.x) * dy) + Math.abs((spot.y - here.y) * dx) }))
      .filter(({ along }) => along > 1)
      .sort((one, other) => one.along + 2 * one.aside - (other.along + 2 * other.aside));
    return found[0]?.id;
  }

  #focus(id: string): void {
    for (const [own, node] of this.#nodes) node.setAttribute("tabindex", own === id ? "0" : "-1");
    this.#nodes.get(id)?.focus();
    this.#reveal(this.#plan.spots.get(id) as Spot);
  }
}

const cut = (text: string): string => (text.length > LABEL_CHARS_MAX ? `${text.slice(0, LABEL_CHARS_MAX - 1)}…` : text);
