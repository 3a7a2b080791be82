import { h } from "../ui/dom.js";
import { field } from "../ui/form.js";

const PAUSE_MS = 600;
const WORDS = ["Apfel", "Birne", "Kirsche", "Pflaume", "Quitte"];

export default {
  id: "debounced",
  texts: {
    de: { title: "Suche mit Verzögerung", about: "Die Treffer folgen erst 0,6 Sekunden nach dem letzten Zeichen.", label: "Obst suchen", count: "{count} Treffer" },
    en: { title: "Debounced search", about: "The hits follow 0.6 seconds after the last character.", label: "Search fruit", count: "{count} hits" },
  },
  render({ t, result, note, uiap }) {
    const shown = result();
    const list = h("ul");
    let timer;
    const find = () => {
      const hits = WORDS.filter((word) => word.toLowerCase().includes(input.value.toLowerCase()));
      list.replaceChildren(...hits.map((word) => h("li", null, word)));
      shown.textContent = t("count", { count: hits.length });
      note({ searched: input.value, hits: hits.length });
    };
    const input = h("input", {
      type: "search", uiap: uiap("input"),
      oninput: () => {
        clearTimeout(timer);
        timer = setTimeout(find, PAUSE_MS);
      },
    });
    return [field({ name: "debounced", label: t("label"), control: input }), shown, list];
  },
};
