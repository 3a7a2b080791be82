import { h } from "../ui/dom.js";

const PER_BATCH = 20;
const ENTRIES_MAX = 200;

export default {
  id: "infinite",
  texts: {
    de: { title: "Endlose Liste", about: "Am Ende wachsen zwanzig Einträge nach, bis zweihundert da sind.", entry: "Eintrag {number}" },
    en: { title: "Endless list", about: "Twenty entries are added at the end, until there are two hundred.", entry: "Entry {number}" },
  },
  render({ t, note, signal, uiap }) {
    const list = h("ul", { uiap: uiap("list") });
    const end = h("div", { "aria-hidden": "true" }, "…");
    const box = h("div", { class: "lab-scroll", tabindex: "0", role: "group", "aria-label": t("title") }, list, end);
    const grow = () => {
      const from = list.childElementCount;
      if (from >= ENTRIES_MAX) return;
      for (let number = from + 1; number <= from + PER_BATCH; number += 1) list.append(h("li", null, t("entry", { number })));
      note({ entries: list.childElementCount });
    };
    grow();
    const watcher = new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) grow(); }, { root: box });
    watcher.observe(end);
    signal.addEventListener("abort", () => watcher.disconnect());
    return box;
  },
};
