import { h } from "../ui/dom.js";
import { field } from "../ui/form.js";

export default {
  id: "field_strips",
  texts: {
    de: { title: "Feld, das streicht", about: "Alles außer Ziffern verschwindet beim Tippen.", label: "Telefon" },
    en: { title: "Field that strips", about: "Everything but digits vanishes while typing.", label: "Phone" },
  },
  render({ t, note, uiap }) {
    const input = h("input", { type: "text", autocomplete: "off", uiap: uiap("input") });
    input.addEventListener("input", () => {
      const typed = input.value;
      input.value = typed.replace(/\D/g, "");
      note({ typed, kept: input.value });
    });
    return field({ name: "field_strips", label: t("label"), control: input });
  },
};
