import { h } from "../ui/dom.js";

export default {
  id: "covered",
  texts: {
    de: { title: "Verdecktes Ziel", about: "Über dem Knopf liegt etwas anderes, das Klicks annimmt.", pay: "Bezahlen", cover: "Werbung" },
    en: { title: "Covered target", about: "Something else lies above the button and takes the clicks.", pay: "Pay", cover: "Advert" },
  },
  render({ t, button, effect, note }) {
    const cover = h("div", { class: "lab-cover", onclick: () => note("cover clicked") }, t("cover"));
    return h("div", { class: "lab-cover-box" }, button("pay", () => effect({ clicked: "pay" })), cover);
  },
};
