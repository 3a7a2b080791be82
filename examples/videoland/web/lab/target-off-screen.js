import { h } from "../ui/dom.js";

export default {
  id: "off_screen",
  texts: {
    de: { title: "Ziel außer Sicht", about: "Der Knopf steht weit unten in einem eigenen Rollbereich.", press: "Ganz unten", top: "Nach unten rollen …", done: "Erreicht" },
    en: { title: "Target out of sight", about: "The button is far down in a scrolling box of its own.", press: "At the bottom", top: "Scroll down …", done: "Reached" },
  },
  render({ t, button, effect, result }) {
    const shown = result();
    const press = async () => {
      await effect();
      shown.textContent = t("done");
    };
    return [h("div", { class: "lab-scroll", tabindex: "0", role: "group", "aria-label": t("title") },
      h("p", null, t("top")), h("div", { class: "lab-spacer" }), button("press", press)), shown];
  },
};
