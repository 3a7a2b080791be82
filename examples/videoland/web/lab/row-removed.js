import { h } from "../ui/dom.js";

const AFTER_MS = 60;

export default {
  id: "row_removed",
  texts: {
    de: { title: "Zeile, die wegrutscht", about: "Sobald der Zeiger auf der Liste ist, verschwindet die erste Zeile und alles rückt auf.", archive: "Archivieren" },
    en: { title: "Row that slips away", about: "As soon as the pointer is on the list, the first row vanishes and all move up.", archive: "Archive" },
  },
  render({ t, effect, note }) {
    const list = h("ul", { class: "lab-list" }, ["Anna", "Bela", "Carl", "Dora"].map((name) => h("li", null, name,
      h("button", { type: "button", onclick: () => effect({ archived: name }) }, t("archive")))));
    list.addEventListener("pointerenter", () => setTimeout(() => {
      note("first row removed");
      list.firstElementChild.remove();
    }, AFTER_MS), { once: true });
    return list;
  },
};
