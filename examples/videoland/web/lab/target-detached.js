import { h } from "../ui/dom.js";

export default {
  id: "detached",
  texts: {
    de: { title: "Ziel, das verschwindet", about: "Beim Niederdrücken wird der Knopf entfernt, noch vor dem Klick.", press: "Flüchtig", gone: "Der Knopf ist weg." },
    en: { title: "Target that vanishes", about: "The button is removed on pressing down, before the click.", press: "Fleeting", gone: "The button is gone." },
  },
  render({ t, button, effect, note }) {
    const box = h("div");
    box.append(button("press", () => effect(), {
      onpointerdown: (event) => {
        note("removed");
        event.currentTarget.remove();
        box.textContent = t("gone");
      },
    }));
    return box;
  },
};
