// The report of a discovery run: one page that needs nobody else. Start here.
//
// The data stands in the page as JSON. It comes from pages that nobody trusts, so it only ever becomes text.

import type { DiscoveryStateNode } from "../../types/uiap.js";
import { Data } from "./data.js";
import type { Enclosed } from "./data.js";
import { h, section } from "./dom.js";
import { Filter, matches } from "./filter.js";
import { Map_ } from "./map.js";
import { overview } from "./overview.js";
import { review } from "./review.js";
import { actions, differences, held, records, routes, workflows } from "./sections.js";
import { stateView } from "./state.js";

const data = new Data(JSON.parse(document.getElementById("data")?.textContent ?? "{}") as Enclosed);
const found = data.package;

const panel = h("aside", { class: "panel", "aria-labelledby": "state-title", tabindex: -1 });
const map = new Map_(data, (state) => show(state, true));
const filter = new Filter((words) => {
  const kept = found.transitionGraph.states.filter((state) => matches(`${data.name(state)} ${state.stateId} ${String(state.metadata?.["pattern"] ?? "")}`, words));
  map.dim(words.length === 0 ? undefined : new Set(kept.map(({ stateId }) => stateId)));
});

function show(state: DiscoveryStateNode, stay: boolean): void {
  map.mark(state.stateId);
  panel.replaceChildren(...stateView(data, state, go));
  if (stay) return;
  panel.scrollIntoView({ block: "nearest" });
  panel.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });
}

function go(id: string): void {
  const state = data.states.get(id);
  if (!state) return;
  document.getElementById("map")?.scrollIntoView();
  show(state, false);
}

const legend = h(
  "p",
  { class: "legend quiet" },
  ...([["seed", "where it began"], ["modal", "a dialog is open"], ["held", "something was held back"], ["opaque", "parts cannot be looked into"]] as const).map(([sign, text]) =>
    h("span", { class: "entry" }, h("span", { class: `sign ${sign}` }), text),
  ),
  h("span", {}, "Drag to move, Ctrl and wheel to enlarge."),
);
const whole = section("map", "Map", found.transitionGraph.states.length, legend, h("div", { class: "atlas" }, map.element, panel));

const told = differences(data, filter);
const parts = [overview(data), whole, review(data, filter, go), actions(data, filter, go), held(data, filter, go), routes(data, filter), workflows(data, filter), ...(told ? [told] : []), records(data)];

const host = ((): string => {
  try {
    return new URL(found.environment.baseUrl).host;
  } catch {
    return found.environment.baseUrl;
  }
})();
document.title = `${host}: discovery report`;

const links = parts.map((part) => h("a", { href: `#${part.id}` }, part.querySelector("h2")?.firstChild?.textContent ?? part.id));
const theme = h("button", { type: "button", class: "theme", "aria-label": "Change between light and dark", title: "Light or dark", onclick: () => turn() }, "◐");

function turn(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset["theme"] ?? (dark ? "dark" : "light");
  document.documentElement.dataset["theme"] = now === "dark" ? "light" : "dark";
}

document.body.replaceChildren(
  h("a", { class: "skip", href: "#overview" }, "Go to the content"),
  h(
    "header",
    {},
    h("div", { class: "name" }, h("h1", {}, host), h("p", { class: "quiet" }, `Discovery of ${found.run.environmentId}, run ${found.run.runId}, ${found.run.status}`)),
    filter.element,
    theme,
    h("nav", { "aria-label": "Parts of the report" }, ...links),
  ),
  h("main", {}, ...parts),
  h("footer", { class: "quiet" }, "Made by UIAP. Nothing here was judged by a model, and nothing leaves this page."),
);

map.begin();
const [first] = found.transitionGraph.states.filter(({ metadata }) => metadata?.["seed"] === true);
const start = first ?? found.transitionGraph.states[0];
if (start) show(start, true);
