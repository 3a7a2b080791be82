import { h } from "../ui/dom.js";

const ORDER = ["false", "mixed", "true"];

export default {
  id: "tri_state",
  texts: {
    de: { title: "Drei Zustände", about: "Aus, teilweise, an – jeder Klick geht einen weiter.", label: "Alle Rechte" },
    en: { title: "Three states", about: "Off, partly, on – every click goes one further.", label: "All rights" },
  },
  render({ t, note, uiap }) {
    const marks = { false: "☐", mixed: "◪", true: "☑" };
    const mark = h("span", { "aria-hidden": "true" }, marks.false);
    const box = h("button", {
      type: "button", role: "checkbox", "aria-checked": "false", uiap: uiap("box"),
      onclick: () => {
        const next = ORDER[(ORDER.indexOf(box.getAttribute("aria-checked")) + 1) % ORDER.length];
        box.setAttribute("aria-checked", next);
        mark.textContent = marks[next];
        note(next);
      },
    }, mark, t("label"));
    return box;
  },
};
