const FAST_MS = 50;
const SLOW_MS = 2500;

export default {
  id: "delayed",
  texts: {
    de: { title: "Späte Wirkung", about: "Nach 50 ms, nach 2,5 s oder nie.", fast: "Nach 50 ms", slow: "Nach 2,5 s", never: "Nie", done: "Fertig: {which}" },
    en: { title: "Late effect", about: "After 50 ms, after 2.5 s, or never.", fast: "After 50 ms", slow: "After 2.5 s", never: "Never", done: "Done: {which}" },
  },
  render({ t, button, effect, result, signal }) {
    const shown = result();
    const later = (which, ms) => () => {
      const timer = setTimeout(async () => {
        await effect({ which });
        shown.textContent = t("done", { which: t(which) });
      }, ms);
      signal.addEventListener("abort", () => clearTimeout(timer));
    };
    const wait = (event) => event.target.setAttribute("aria-busy", "true");
    return [button("fast", later("fast", FAST_MS)), button("slow", later("slow", SLOW_MS)), button("never", wait), shown];
  },
};
