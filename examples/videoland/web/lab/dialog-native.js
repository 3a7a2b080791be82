export default {
  id: "native_dialog",
  texts: {
    de: { title: "Fenster des Browsers", about: "Ein alert hält die Seite an, ein confirm verlangt eine Antwort.", alert: "Hinweis zeigen", confirm: "Leeren", hint: "Das ist ein Hinweis.", sure: "Wirklich alles leeren?" },
    en: { title: "Windows of the browser", about: "An alert stops the page, a confirm wants an answer.", alert: "Show a hint", confirm: "Clear", hint: "This is a hint.", sure: "Really clear everything?" },
  },
  render: ({ t, button, effect, note }) => [
    button("alert", () => {
      alert(t("hint"));
      note("alert closed");
    }),
    button("confirm", () => (confirm(t("sure")) ? effect({ cleared: true }) : note("declined"))),
  ],
};
