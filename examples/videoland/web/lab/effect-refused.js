import { labRefusal } from "../api.js";

export default {
  id: "refused",
  texts: {
    de: { title: "Vorschnelle Anzeige", about: "Die Seite zeigt den Erfolg sofort, der Server lehnt ab.", like: "Gefällt mir", no: "Der Server hat abgelehnt." },
    en: { title: "Premature display", about: "The page shows success at once, the server refuses.", like: "Like", no: "The server refused." },
  },
  render({ t, button, result, note }) {
    const shown = result();
    const like = button("like", async () => {
      like.setAttribute("aria-pressed", "true");
      try {
        await labRefusal("refused");
      } catch (error) {
        if (error.status !== 409) throw error;
        note("refused");
        like.setAttribute("aria-pressed", "false");
        shown.textContent = t("no");
      }
    }, { "aria-pressed": "false" });
    return [like, shown];
  },
};
