import { h } from "../ui/dom.js";

export default {
  id: "moving",
  texts: {
    de: { title: "Bewegtes Ziel", about: "Der Knopf wandert ohne Pause hin und her.", catch: "Fang mich", done: "Gefangen" },
    en: { title: "Moving target", about: "The button wanders to and fro without a pause.", catch: "Catch me", done: "Caught" },
  },
  render({ t, button, effect, result }) {
    const shown = result();
    const caught = async () => {
      await effect();
      shown.textContent = t("done");
    };
    return [h("div", { class: "lab-lane" }, button("catch", caught, { class: "lab-moving" })), shown];
  },
};
