import { h } from "../ui/dom.js";
import { field } from "../ui/form.js";

export default {
  id: "field_rejects",
  texts: {
    de: { title: "Feld, das ablehnt", about: "Nach dem Verlassen steht wieder der alte Wert da, ohne ein Wort.", label: "Kostenstelle" },
    en: { title: "Field that rejects", about: "After leaving, the old value is back without a word.", label: "Cost centre" },
  },
  render({ t, note, uiap }) {
    const old = "4711";
    const input = h("input", { type: "text", autocomplete: "off", value: old, uiap: uiap("input") });
    input.addEventListener("change", () => {
      note({ rejected: input.value });
      input.value = old;
    });
    return field({ name: "field_rejects", label: t("label"), control: input });
  },
};
