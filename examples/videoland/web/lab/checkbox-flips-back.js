import { h } from "../ui/dom.js";

const FLIP_MS = 400;

export default {
  id: "flips_back",
  texts: {
    de: { title: "Kästchen, das zurückspringt", about: "Der Haken verschwindet nach kurzer Zeit von selbst.", label: "Newsletter" },
    en: { title: "Checkbox that flips back", about: "The tick vanishes by itself after a moment.", label: "Newsletter" },
  },
  render({ t, note, uiap }) {
    const box = h("input", { type: "checkbox", uiap: uiap("box") });
    box.addEventListener("change", () => {
      note({ checked: box.checked });
      setTimeout(() => {
        box.checked = false;
        note({ checked: false, by: "page" });
      }, FLIP_MS);
    });
    return h("label", { class: "choice" }, box, h("span", null, t("label")));
  },
};
