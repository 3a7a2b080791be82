// Tabs: one is in the Tab order, arrow keys move between them and show what they reach.
import { freshId, h } from "./dom.js";

/** `tabs` is a list of { id, label, panel }. */
export function tabs({ label, tabs: entries, scope }) {
  const buttons = [];
  const panels = [];
  const select = (at, focus) => {
    for (const [position, button] of buttons.entries()) {
      button.setAttribute("aria-selected", String(position === at));
      button.tabIndex = position === at ? 0 : -1;
      panels[position].hidden = position !== at;
    }
    if (focus) buttons[at].focus();
  };
  for (const [at, { id, label: text, panel }] of entries.entries()) {
    const tabId = freshId("tab");
    const panelId = freshId("panel");
    buttons.push(h("button", {
      type: "button", role: "tab", id: tabId, "aria-controls": panelId, uiap: { id: `${scope}.${id}` },
      onclick: () => select(at, false),
    }, text));
    panels.push(h("div", {
      role: "tabpanel", id: panelId, "aria-labelledby": tabId, tabindex: "0", class: "tabpanel",
      uiap: { scope: `${scope}.${id}.panel`, scopeKind: "tabpanel" },
    }, panel));
  }
  const list = h("div", { role: "tablist", "aria-label": label, class: "tablist" }, buttons);
  list.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement);
    const last = buttons.length - 1;
    const goTo = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (goTo === undefined) return;
    event.preventDefault();
    select(goTo, true);
  });
  select(0, false);
  return h("div", { class: "tabs" }, list, panels);
}

/** Sections that open and close one by one. */
export function accordion(entries) {
  return h("div", { class: "accordion" }, entries.map(({ title, content, open = false }) => {
    const panelId = freshId("section");
    const panel = h("div", { id: panelId, class: "accordion-panel", hidden: !open }, content);
    const button = h("button", {
      type: "button", "aria-expanded": String(open), "aria-controls": panelId,
      onclick: () => {
        panel.hidden = !panel.hidden;
        button.setAttribute("aria-expanded", String(!panel.hidden));
      },
    }, title);
    return h("div", { class: "accordion-item" }, h("h3", null, button), panel);
  }));
}
