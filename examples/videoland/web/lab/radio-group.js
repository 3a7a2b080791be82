import { radioGroup } from "../ui/form.js";

export default {
  id: "radio",
  texts: {
    de: { title: "Auswahl, die sich nicht abwählen lässt", about: "Ein Knopf der Gruppe ist gesperrt, und ein zweiter Klick ändert nichts.", legend: "Größe", small: "Klein", medium: "Mittel", large: "Groß" },
    en: { title: "Choice that cannot be undone", about: "One button of the group is disabled, and a second click changes nothing.", legend: "Size", small: "Small", medium: "Medium", large: "Large" },
  },
  render({ t, note }) {
    const group = radioGroup({
      name: "lab_radio", legend: t("legend"), uiapPrefix: "lab.radio", onchange: (event) => note(event.target.value),
      options: ["small", "medium", "large"].map((size) => [size, t(size)]),
    });
    group.querySelector("[value=large]").disabled = true;
    return group;
  },
};
