// What people should look at, the most urgent first, each with something to paste.

import type { ReviewItem } from "../../types/uiap.js";
import type { Data } from "./data.js";
import { spaced } from "./data.js";
import { badge, folded, h, nothing, section, snippet } from "./dom.js";
import type { Filter } from "./filter.js";
import { evidence } from "./sections.js";

const LEVELS: readonly (readonly [ReviewItem["severity"], string, string])[] = [
  ["high", "High", "bad"],
  ["medium", "Medium", "warn"],
  ["low", "Low", "plain"],
];

export function review(data: Data, filter: Filter, go: (id: string) => void): HTMLElement {
  const all = data.package.reviewQueue.items;
  const groups = LEVELS.map(([severity, title, tone]) => {
    const own = all.filter((item) => item.severity === severity);
    if (own.length === 0) return undefined;
    const cards = own.map((item) => filter.row(card(data, item, tone, go), item.description, item.kind, item.routeId, item.stableId, severity));
    return h("div", { class: "group" }, h("h3", {}, title, h("span", { class: "count" }, own.length)), h("div", { class: "cards" }, ...cards));
  });
  return section("review", "Review queue", all.length, ...(all.length > 0 ? groups : [nothing("Nothing is left to be asked.")]));
}

function card(data: Data, item: ReviewItem, tone: string, go: (id: string) => void): HTMLElement {
  const summary = [h("span", { class: "title" }, item.description), h("span", { class: "badges" }, badge(spaced(item.kind), tone), item.routeId === undefined ? "" : badge(item.routeId))];
  return folded(
    summary,
    () => [
      item.remediation === undefined ? undefined : h("div", {}, h("h4", {}, "What would help"), snippet(item.remediation)),
      h("h4", {}, "Evidence"),
      item.evidence.length > 0 ? evidence(data, item.evidence, go) : nothing("None."),
      h("p", { class: "quiet" }, `Question ${item.id}`),
    ],
    { class: "card" },
  );
}
