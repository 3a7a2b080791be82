// The run in one look: what was found, how much of the budget it took, how careful it was, and how sure it all is.

import { Data, spaced } from "./data.js";
import { badge, h, section } from "./dom.js";

export function overview(data: Data): HTMLElement {
  const found = data.package;
  const own = found.actionCatalog.actions.filter(({ kind }) => kind !== "primitive").length;
  const urgent = found.reviewQueue.items.filter(({ severity }) => severity === "high").length;
  const tiles: [string, number, string, string?][] = [
    ["Routes", found.routeCatalog.routes.length, "#routes"],
    ["States", found.transitionGraph.states.length, "#map"],
    ["Transitions", found.transitionGraph.edges.length, "#map"],
    ["Actions", own, "#actions"],
    ["Workflow candidates", found.workflowCandidates?.workflows.length ?? 0, "#workflows"],
    ["Held back", data.held.length, "#held", data.held.length > 0 ? "warn" : undefined],
    ["To review", found.reviewQueue.items.length, "#review", urgent > 0 ? "bad" : undefined],
    ["Elements", found.elementCatalog.elements.length, "#map"],
  ].map((tile) => tile as [string, number, string, string?]);
  const list = tiles.map(([name, count, href, tone]) => h("a", { class: `tile ${tone ?? ""}`, href }, h("strong", {}, count.toLocaleString("en")), h("span", {}, name)));
  return section("overview", "Overview", undefined, h("div", { class: "tiles" }, ...list), h("div", { class: "facts" }, run(data), budget(data), sure(data)));
}

function fact(title: string, ...children: (Node | string)[]): HTMLElement {
  return h("div", { class: "fact" }, h("h3", {}, title), ...children);
}

/** A part of a whole, as a bar. */
function meter(name: string, value: number, max: number): HTMLElement {
  const filled = h("span", {});
  filled.style.width = `${Math.min(100, (100 * value) / Math.max(1, max))}%`;
  return h("div", { class: "meter", role: "meter", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": max, "aria-valuenow": Math.min(value, max) }, filled);
}

function run({ package: { run: own, environment, coverage, metadata } }: Data): HTMLElement {
  const why = metadata?.["authorisation"] as { basis?: string; note?: string } | undefined;
  const mode = environment.safety?.defaultMode ?? "observe_only";
  const rows: [string, Node | string][] = [
    ["Mode", badge(spaced(mode), mode === "sandbox_write" ? "warn" : "good")],
    ["Allowed by", [why?.basis === undefined ? "nobody said" : spaced(why.basis), why?.note].filter(Boolean).join(": ")],
    ["As", own.profile ?? "nobody in particular"],
    ["Seeds", `${coverage.seedsVisited} of ${coverage.seedsTotal} led somewhere`],
    ["Closed to us", `${coverage.opaqueRegions} areas`],
    ["Led nowhere", `${coverage.unresolvedTransitions} transitions`],
    ["Began", own.startedAt],
    ["Ended", own.finishedAt ?? "not yet"],
  ];
  const notes = (own.notes ?? []).map((note) => h("li", {}, note));
  return fact("The run", h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])), ...(notes.length > 0 ? [h("ul", { class: "plain quiet" }, ...notes)] : []));
}

function budget({ package: { environment, metadata } }: Data): HTMLElement {
  const used = metadata?.["observed"] as Record<string, unknown> | undefined;
  const minutes = (ms: number | undefined): string => (ms === undefined ? "?" : ms >= 60_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 1_000).toFixed(1)} s`);
  const rows = [
    ["States", Data.number(used, "states"), environment.budgets?.maxStates, String] as const,
    ["Transitions", Data.number(used, "transitions"), environment.budgets?.maxTransitions, String] as const,
    ["Time", Data.number(used, "usedMs"), environment.budgets?.maxRuntimeMs, minutes] as const,
  ];
  const bars = rows.map(([name, now, max, told]) =>
    h("div", { class: "bar" }, h("span", {}, name), meter(`${name} of the budget`, now ?? 0, max ?? 1), h("span", { class: "quiet" }, `${told(now ?? 0)} of ${told(max ?? 0)}`)),
  );
  return fact("Budget", ...bars);
}

function sure({ package: { coverage } }: Data): HTMLElement {
  const { high = 0, medium = 0, low = 0 } = coverage.confidenceSummary ?? {};
  const all = Math.max(1, high + medium + low);
  const bars = ([["High", high], ["Medium", medium], ["Low", low]] as const).map(([name, count]) =>
    h("div", { class: "bar" }, h("span", {}, name), meter(`${name} confidence`, count, all), h("span", { class: "quiet" }, `${count} (${Math.round((100 * count) / all)} %)`)),
  );
  return fact("How sure it is", ...bars, h("p", { class: "quiet" }, "High: the application says so, or it was seen repeatedly. Low: it is guessed. Everything here is a proposal until somebody has looked at it."));
}
