// How what a bundle says about an element and what the page says about it become one.
//
// The bundle was reviewed, the page may hold what strangers wrote: so the page can add risk and classes of data,
// and take none away.

import type { DataClass, ElementBinding, ElementNode, RiskDescriptor, RiskLevel } from "../../types/uiap.js";

const LEVELS: readonly RiskLevel[] = ["safe", "confirm", "blocked"];
const PRIMITIVE = /^(ui|nav)\./;

/** The stricter level with the tags and the reason of what the page said. */
export function strictest(bundle: RiskLevel | undefined, page: RiskDescriptor | undefined): RiskDescriptor | undefined {
  if (!bundle) return page;
  if (!page) return { level: bundle };
  return { ...page, level: LEVELS.indexOf(bundle) > LEVELS.indexOf(page.level) ? bundle : page.level };
}

export function union<T>(one: readonly T[] | undefined, other: readonly T[] | undefined): T[] | undefined {
  const all = [...new Set([...(one ?? []), ...(other ?? [])])];
  return all.length > 0 ? all : undefined;
}

/** Adds what the bundle says, except for identity. */
export function merge(node: ElementNode, { role, meaning, risk, dataClasses, defaultAction, success }: ElementBinding): void {
  // Raw semantics win: only what has none of its own is what the bundle calls it.
  if (role && node.role === "custom") node.role = role;
  if (meaning !== undefined) node.meaning = meaning;
  const level = strictest(risk, node.risk);
  if (level) node.risk = level;
  const classes = union<DataClass>(node.dataClasses, dataClasses);
  if (classes) node.dataClasses = classes;
  if (success) node.success = success;
  if (defaultAction === undefined) return;
  node.defaultAction = defaultAction;
  if (PRIMITIVE.test(defaultAction)) return;
  node.supportedActions = union(node.supportedActions, [defaultAction]) as string[];
  node.affordances = union(node.affordances, ["invoke"]) as NonNullable<ElementNode["affordances"]>;
}
