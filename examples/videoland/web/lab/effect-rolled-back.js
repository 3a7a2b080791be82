const SHOWN_MS = 700;

export default {
  id: "rolled_back",
  texts: {
    de: { title: "Zurückgenommene Wirkung", about: "Der Eintrag erscheint und verschwindet kurz darauf wieder.", add: "Eintrag hinzufügen", entry: "Neuer Eintrag" },
    en: { title: "Effect taken back", about: "The entry appears and disappears shortly afterwards.", add: "Add entry", entry: "New entry" },
  },
  render({ t, button, note, uiap }) {
    const list = document.createElement("ul");
    list.dataset.uiapId = uiap("list").id;
    const add = () => {
      const entry = document.createElement("li");
      entry.textContent = t("entry");
      list.append(entry);
      note("added");
      setTimeout(() => {
        entry.remove();
        note("removed");
      }, SHOWN_MS);
    };
    return [button("add", add), list];
  },
};
