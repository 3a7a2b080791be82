import { h } from "../ui/dom.js";
import { field } from "../ui/form.js";

export default {
  id: "field_upper_cases",
  texts: {
    de: { title: "Feld, das großschreibt", about: "Beim Verlassen wird der Wert zu Großbuchstaben.", label: "Kennzeichen" },
    en: { title: "Field that upper-cases", about: "On leaving, the value becomes upper case.", label: "Licence plate" },
  },
  render({ t, note, uiap }) {
    const input = h("input", { type: "text", autocomplete: "off", uiap: uiap("input") });
    input.addEventListener("change", () => {
      input.value = input.value.toUpperCase();
      note({ kept: input.value });
    });
    return field({ name: "field_upper_cases", label: t("label"), control: input });
  },
};
