// One state: its picture, what is there, and what leads in and out.

import type { DiscoveryStateNode, DiscoveryTransition, TargetRef } from "../../types/uiap.js";
import type { Data } from "./data.js";
import { relative, spaced } from "./data.js";
import { badge, folded, h, nothing } from "./dom.js";

export function stateView(data: Data, state: DiscoveryStateNode, go: (id: string) => void): Node[] {
  const picture = state.screenshotRef === undefined ? undefined : data.pictures[state.screenshotRef];
  const file = relative(state.screenshotRef === undefined ? undefined : data.records.get(state.screenshotRef)?.uri);
  const graph = relative(state.pageGraphRef === undefined ? undefined : data.records.get(state.pageGraphRef)?.uri);
  const name = data.name(state);
  const elements = data.elements(state);
  const pattern = state.metadata?.["pattern"];
  return [
    h("h3", { tabindex: -1, id: "state-title" }, name),
    h("p", { class: "meta" }, h("code", {}, typeof pattern === "string" ? pattern : ""), " ", badge(state.confidence), " ", h("code", { class: "quiet" }, state.stateId)),
    picture !== undefined
      ? h("img", { src: picture, alt: `Picture of ${name}`, loading: "lazy" })
      : file !== undefined
        ? h("p", {}, h("a", { href: file }, "Open the picture"))
        : nothing("There is no picture of it."),
    ways("Leads to", data.out.get(state.stateId) ?? [], (edge) => edge.toStateId, data, go),
    ways("Comes from", data.into.get(state.stateId) ?? [], (edge) => edge.fromStateId, data, go),
    folded([`Elements (${elements.length})`], () => [
      h("ul", { class: "plain" }, ...elements.map((element) => h("li", {}, badge(element.role), " ", element.names?.[0] ?? h("em", {}, "no name"), element.stableId === undefined ? "" : h("code", { class: "quiet" }, ` ${element.stableId}`)))),
    ]),
    refused(state),
    ...(graph === undefined ? [] : [h("p", {}, h("a", { href: graph }, "Open the page graph"))]),
  ];
}

function ways(title: string, edges: readonly DiscoveryTransition[], end: (edge: DiscoveryTransition) => string, data: Data, go: (id: string) => void): HTMLElement {
  const items = edges.map((edge) => {
    const other = data.states.get(end(edge));
    const held = typeof edge.metadata?.["held"] === "number";
    return h(
      "li",
      {},
      h("button", { type: "button", class: "link", onclick: () => go(end(edge)) }, other ? data.name(other) : end(edge)),
      h("span", { class: "quiet" }, ` by ${edge.viaActionId}${edge.target ? ` on ${meant(edge.target)}` : ""}`),
      held && badge("held back", "warn"),
    );
  });
  return h("div", {}, h("h4", {}, `${title} (${edges.length})`), items.length > 0 ? h("ul", { class: "plain" }, ...items) : nothing("Nothing."));
}

/** A target in words. */
export function meant(target: TargetRef): string {
  if (target.by !== "semantic") return target.value;
  return target.name === undefined ? target.role : `${target.role} “${target.name}”`;
}

/** What was not done here, and why. */
function refused({ metadata }: DiscoveryStateNode): HTMLElement {
  const decisions = metadata?.["decisions"];
  const counted = typeof decisions === "object" && decisions !== null ? Object.entries(decisions) : [];
  const items = counted.map(([decision, count]) => h("li", {}, `${String(count)} × ${spaced(decision.replace(":", ": "))}`));
  return items.length === 0 ? h("div", {}) : h("div", {}, h("h4", {}, "Decided"), h("ul", { class: "plain quiet" }, ...items));
}
