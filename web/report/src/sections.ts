// The catalogs: routes, actions, what was held back, workflows, differences, evidence.

import type { DiscoveredAction, EvidenceRef, SuccessSignal } from "../../types/uiap.js";
import type { Data } from "./data.js";
import { relative, spaced } from "./data.js";
import { badge, folded, h, nothing, section } from "./dom.js";
import type { Filter } from "./filter.js";
import { meant } from "./state.js";

const RISKS: Record<string, string> = { safe: "good", confirm: "warn", blocked: "bad" };
const CHANGES: Record<string, string> = { vanished: "bad", meaning: "bad", stricter: "warn", looser: "warn", appeared: "good" };
/** Most records of evidence that are listed at once. */
const RECORDS_MAX = 2_000;

/** Pieces of evidence, each a way to what it is about. */
export function evidence(data: Data, refs: readonly EvidenceRef[], go: (id: string) => void): HTMLElement {
  const items = refs.map(({ source, refId, note }) => h("li", {}, badge(spaced(source)), " ", reference(data, refId, go), note === undefined ? "" : h("span", { class: "quiet" }, ` ${note}`)));
  return h("ul", { class: "plain evidence" }, ...items);
}

function reference(data: Data, id: string, go: (id: string) => void): HTMLElement {
  const record = data.records.get(id);
  const file = relative(record?.uri);
  const state = data.states.has(id) ? id : record?.stateId;
  if (state !== undefined && data.states.has(state)) {
    const way = h("button", { type: "button", class: "link", onclick: () => go(state) }, id);
    return file === undefined ? way : h("span", {}, way, " ", h("a", { href: file }, "file"));
  }
  return file === undefined ? h("code", {}, id) : h("a", { href: file }, id);
}

export function routes(data: Data, filter: Filter): HTMLElement {
  const all = data.package.routeCatalog.routes;
  const rows = all.map((route) => {
    const states = route.metadata?.["states"];
    const cells = [
      h("th", { scope: "row" }, h("code", {}, route.routeId)),
      h("td", {}, ...(route.urls ?? []).flatMap((url) => [h("code", { class: "quiet" }, path(url)), h("br")]).slice(0, -1)),
      h("td", {}, route.titles?.[0] ?? ""),
      h("td", {}, String(states ?? "")),
      h("td", {}, (route.entryActions ?? []).join(", ")),
      h("td", {}, badge(route.confidence)),
    ];
    return filter.row(h("tr", {}, ...cells), route.routeId, ...(route.urls ?? []), ...(route.titles ?? []));
  });
  const head = ["Route", "Address", "Title", "States", "Entered by", "Confidence"].map((word) => h("th", { scope: "col" }, word));
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
  return section("routes", "Routes", all.length, all.length > 0 ? h("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": "routes-title" }, table) : nothing("No route was found."));
}

function path(url: string): string {
  const behind = url.split("://")[1] ?? url;
  return behind.includes("/") ? behind.slice(behind.indexOf("/")) : "/";
}

export function actions(data: Data, filter: Filter, go: (id: string) => void): HTMLElement {
  const all = data.package.actionCatalog.actions;
  const own = all.filter(({ kind }) => kind !== "primitive");
  const primitive = all.filter(({ kind }) => kind === "primitive");
  const order = ["destructive", "irreversible", "billing_change", "security_change", "identity_change", "external_effect", "persistent_write", "reversible_write", "unknown", "draft", "local_ui", "navigation", "none"];
  const rank = ({ sideEffectClass }: DiscoveredAction): number => order.indexOf(sideEffectClass ?? "unknown");
  const cards = [...own].sort((one, other) => rank(one) - rank(other)).map((action) => card(data, action, filter, go));
  const rest = primitive.map((action) => h("li", {}, h("code", {}, action.id), h("span", { class: "quiet" }, ` on ${(action.targetPatterns ?? []).length} kinds of targets`)));
  return section(
    "actions",
    "Actions",
    own.length,
    own.length > 0 ? h("div", { class: "cards" }, ...cards) : nothing("Nothing looks like an action of the application."),
    folded([`Primitives that have targets here (${primitive.length})`], () => [h("ul", { class: "plain columns" }, ...rest)]),
  );
}

function card(data: Data, action: DiscoveredAction, filter: Filter, go: (id: string) => void): HTMLElement {
  const titles = action.metadata?.["titles"];
  const called = Array.isArray(titles) ? titles.filter((title) => typeof title === "string").join(", ") : "";
  const risk = action.risk?.level ?? "confirm";
  const summary = [
    h("span", { class: "title" }, h("code", {}, action.id), called === "" ? "" : h("span", { class: "quiet" }, ` ${called}`)),
    h("span", { class: "badges" }, badge(spaced(action.sideEffectClass ?? "unknown"), RISKS[risk] ?? "plain"), badge(risk, RISKS[risk] ?? "plain"), action.metadata?.["held"] === true && badge("held back", "warn"), badge(`${action.confidence} confidence`)),
  ];
  const args = (action.args ?? []).map((one) => h("li", {}, h("code", {}, one.name), `: ${one.type}${one.required === true ? ", must be given" : ""}${one.enum ? ` (${one.enum.join(", ")})` : ""}`));
  const details = folded(
    summary,
    () => [
      h("dl", {}, ...pairs([
        ["Kind", action.kind],
        ["Where", (action.routes ?? []).join(", ")],
        ["On", (action.targetPatterns ?? []).map(({ role, stableId, scopeId }) => [role, stableId, scopeId].filter(Boolean).join(" in ")).join("; ")],
        ["Why this risk", action.risk?.reason],
        ["Review", action.reviewState === undefined ? undefined : spaced(action.reviewState)],
        ["Succeeded when", (action.successSignals ?? []).map(signal).join("; ")],
      ])),
      args.length > 0 && h("div", {}, h("h4", {}, "Takes"), h("ul", { class: "plain" }, ...args)),
      h("h4", {}, "Evidence"),
      evidence(data, action.discoveredBy, go),
    ],
    { class: "card" },
  );
  return filter.row(details, action.id, called, action.sideEffectClass, risk, ...(action.routes ?? []));
}

function pairs(all: readonly (readonly [string, string | undefined])[]): HTMLElement[] {
  return all.flatMap(([name, value]) => (value ? [h("dt", {}, name), h("dd", {}, value)] : []));
}

/** A success signal in words. */
export function signal(one: SuccessSignal): string {
  const { kind, ...rest } = one;
  const told = Object.values(rest).map((value) => (typeof value === "object" && value !== null && "by" in value ? meant(value as Parameters<typeof meant>[0]) : String(value)));
  return `${kind} ${told.join(" ")}`.trim();
}

export function held(data: Data, filter: Filter, go: (id: string) => void): HTMLElement {
  const all = data.held;
  const rows = all.map((record) => {
    const [method, url, why] = ["method", "url", "held"].map((name) => String(record.data?.[name] ?? ""));
    const edge = data.package.transitionGraph.edges.find(({ transitionId }) => transitionId === record.transitionId);
    const by = edge ? `${edge.viaActionId}${edge.target ? ` on ${meant(edge.target)}` : ""}` : "nobody: the page itself";
    const state = record.stateId;
    const place = state !== undefined && data.states.has(state) ? h("button", { type: "button", class: "link", onclick: () => go(state) }, by) : h("span", {}, by);
    return filter.row(h("tr", {}, h("th", { scope: "row" }, badge(method ?? "", "warn")), h("td", {}, h("code", {}, url)), h("td", {}, place), h("td", { class: "quiet" }, why)), method, url, why, by);
  });
  const head = ["Request", "To", "Asked for by", "Why it was held back"].map((word) => h("th", { scope: "col" }, word));
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
  return section("held", "Held back", all.length, all.length > 0 ? h("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": "held-title" }, table) : nothing("Nothing tried to write."));
}

export function workflows(data: Data, filter: Filter): HTMLElement {
  const all = data.package.workflowCandidates?.workflows ?? [];
  const cards = all.map((one) => {
    const steps = one.stepSkeleton.map((step) => {
      const what = step.actionId ?? spaced(step.type);
      const on = step.target ? ` on ${meant(step.target)}` : "";
      return h("li", {}, h("code", {}, what), h("span", { class: "quiet" }, `${on}${step.parameterNames?.length ? ` with ${step.parameterNames.join(", ")}` : ""}`));
    });
    const summary = [h("span", { class: "title" }, one.title ?? one.id, h("span", { class: "quiet" }, ` ${(one.routeIds ?? []).join(" → ")}`)), h("span", { class: "badges" }, badge(one.category ?? "task"), badge(`${one.confidence} confidence`))];
    const details = folded(summary, () => [
      h("h4", {}, "Steps"),
      h("ol", { class: "steps" }, ...steps),
      h("dl", {}, ...pairs([["Succeeded when", (one.successSignals ?? []).map(signal).join("; ") || "nobody knows"], ["Id", one.id]])),
    ], { class: "card" });
    return filter.row(details, one.id, one.title, ...(one.routeIds ?? []));
  });
  return section("workflows", "Workflow candidates", all.length, all.length > 0 ? h("div", { class: "cards" }, ...cards) : nothing("No workflow could be made out."));
}

export function differences(data: Data, filter: Filter): HTMLElement | undefined {
  if (data.differences.length === 0) return undefined;
  const all = data.differences.map(({ title, changes }) => {
    const items = changes.map((change) => filter.row(h("li", {}, badge(change.class, CHANGES[change.class] ?? "plain"), " ", change.message), change.message, change.class));
    return h("div", {}, h("h3", {}, title), items.length > 0 ? h("ul", { class: "plain" }, ...items) : nothing("They found the same."));
  });
  return section("differences", "Differences", undefined, ...all);
}

export function records(data: Data): HTMLElement {
  const all = [...data.records.values()];
  const list = (): HTMLElement[] => [
    h("ul", { class: "plain evidence" }, ...all.slice(0, RECORDS_MAX).map((record) => {
      const file = relative(record.uri);
      return h("li", {}, badge(spaced(record.source)), " ", file === undefined ? h("code", {}, record.refId) : h("a", { href: file }, record.refId), h("span", { class: "quiet" }, ` ${record.kind === undefined ? "" : spaced(record.kind)} ${record.stateId ?? ""}`));
    })),
    all.length > RECORDS_MAX ? nothing(`${all.length - RECORDS_MAX} more are in the package itself.`) : h("span", {}),
  ];
  return section("evidence", "Evidence", all.length, folded([`All ${all.length} records`], list));
}
