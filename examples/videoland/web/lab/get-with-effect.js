import { h } from "../ui/dom.js";
import { field } from "../ui/form.js";

export default {
  id: "get_effect",
  texts: {
    de: { title: "Lesen, das schreibt", about: "Ein Formular mit GET bucht, und ein Link löscht. Als Schreiben zählt beides nicht.", seats: "Plätze", book: "Buchen", remove: "Alte Buchungen löschen" },
    en: { title: "Reading that writes", about: "A GET form books, and a link deletes. Neither counts as a write.", seats: "Seats", book: "Book", remove: "Delete old bookings" },
  },
  // Both answer in the frame below, so that the Lab stays where it is.
  render({ t, uiap }) {
    const seats = h("input", { type: "number", name: "seats", min: "1", value: "1", uiap: uiap("seats") });
    return [
      h("form", { method: "get", action: "/api/lab/links/get_effect", target: "get_effect_answer", class: "inline-form" },
        field({ name: "seats", label: t("seats"), control: seats }),
        h("button", { type: "submit", uiap: uiap("book") }, t("book"))),
      h("a", { href: "/api/lab/links/get_effect?delete=old", target: "get_effect_answer", uiap: uiap("remove") }, t("remove")),
      h("iframe", { name: "get_effect_answer", title: t("title"), class: "lab-answer" }),
    ];
  },
};
