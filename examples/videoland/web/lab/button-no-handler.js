export default {
  id: "no_handler",
  texts: {
    de: { title: "Knopf ohne Wirkung", about: "Hier hängt kein Programm am Knopf.", press: "Exportieren" },
    en: { title: "Button without effect", about: "No code is attached to this button.", press: "Export" },
  },
  render: ({ button }) => button("press", undefined),
};
