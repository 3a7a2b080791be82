// The actions that every page knows, as far as a decision needs to tell them apart.

/** They point, scroll, move or open. */
export const HARMLESS: readonly string[] = [
  "ui.focus", "ui.highlight", "ui.hover", "ui.expand", "ui.collapse", "ui.open", "ui.close", "ui.scrollIntoView", "ui.scroll", "nav.navigate",
];

export const PRIMITIVES: readonly string[] = [
  ...HARMLESS, "ui.read", "ui.activate", "ui.enterText", "ui.clearText", "ui.setValue", "ui.choose", "ui.toggle", "ui.submit", "ui.upload", "app.invoke",
];

/** Side effects that stay in the user interface. */
export const QUIET: readonly string[] = ["none", "navigation", "local_ui"];

const DRAFTS: readonly string[] = ["ui.enterText", "ui.clearText", "ui.setValue", "ui.upload"];

/** What an action changes where nobody said it. */
export function usualEffect(actionId: string): string {
  if (actionId === "ui.read" || actionId === "ui.highlight") return "none";
  if (actionId === "nav.navigate") return "navigation";
  if (HARMLESS.includes(actionId)) return "local_ui";
  if (DRAFTS.includes(actionId)) return "draft";
  return actionId === "ui.choose" || actionId === "ui.toggle" ? "reversible_write" : "unknown";
}

/** Under which action a deed of the runtime goes. */
export function primitiveOf(act: string, isOpen: boolean | undefined): string {
  switch (act) {
    case "reveal": return "ui.scrollIntoView";
    case "press": case "press_at": return "ui.activate";
    case "enter_text": return "ui.enterText";
    case "set_value": return "ui.setValue";
    case "disclose": return isOpen ? "ui.expand" : "ui.collapse";
    default: return `ui.${act}`;
  }
}
