import { h } from "../ui/dom.js";

export default {
  id: "equal_names",
  texts: {
    de: { title: "Gleiche Namen", about: "Zweimal „Speichern“ und dreimal „Löschen“; nur die Zeile unterscheidet sie.", save: "Speichern", remove: "Löschen" },
    en: { title: "Equal names", about: "“Save” twice and “Delete” three times; only the row tells them apart.", save: "Save", remove: "Delete" },
  },
  // No ids here on purpose: with ids there would be no question.
  render({ t, effect }) {
    const button = (name, which) => h("button", { type: "button", onclick: () => effect({ which }) }, name);
    return [
      h("div", { class: "toolbar" }, button(t("save"), "save 1"), button(t("save"), "save 2")),
      h("ul", { class: "lab-list" }, ["Berg", "Meer", "Wald"].map((name) => h("li", null, name, button(t("remove"), `delete ${name}`)))),
    ];
  },
};
