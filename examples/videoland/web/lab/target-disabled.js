export default {
  id: "disabled",
  texts: {
    de: { title: "Gesperrtes Ziel", about: "Einmal echt gesperrt, einmal nur so bezeichnet.", real: "Gesperrt", aria: "Als gesperrt bezeichnet" },
    en: { title: "Disabled target", about: "Once really disabled, once only called so.", real: "Disabled", aria: "Called disabled" },
  },
  render: ({ button, effect }) => [
    button("real", () => effect({ clicked: "real" }), { disabled: true }),
    button("aria", () => effect({ clicked: "aria" }), { "aria-disabled": "true" }),
  ],
};
