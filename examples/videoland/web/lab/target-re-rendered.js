const EVERY_MS = 400;

export default {
  id: "re_rendered",
  texts: {
    de: { title: "Ziel, das neu entsteht", about: "Der Knopf wird ständig durch einen gleichen ersetzt.", press: "Bestätigen", done: "Bestätigt" },
    en: { title: "Target that is recreated", about: "The button is replaced by an equal one all the time.", press: "Confirm", done: "Confirmed" },
  },
  render({ t, button, effect, result, signal }) {
    const shown = result();
    const make = () => button("press", async () => {
      await effect();
      shown.textContent = t("done");
    });
    let current = make();
    const timer = setInterval(() => {
      // Never under somebody's fingers: a pressed or focused button stays.
      if (current.matches(":active, :focus")) return;
      const next = make();
      current.replaceWith(next);
      current = next;
    }, EVERY_MS);
    signal.addEventListener("abort", () => clearInterval(timer));
    return [current, shown];
  },
};
