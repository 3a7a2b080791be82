import { h } from "../ui/dom.js";

const TICK_MS = 100;

export default {
  id: "clock",
  texts: {
    de: { title: "Uhr, die nie stillsteht", about: "Zehnmal je Sekunde ändert sich die Seite, und etwas dreht sich.", press: "Notieren", done: "Notiert" },
    en: { title: "Clock that never stops", about: "The page changes ten times a second, and something turns.", press: "Note", done: "Noted" },
  },
  render({ t, button, effect, result, signal }) {
    const shown = result();
    const clock = h("time", { class: "number", uiap: { id: "lab.clock.time" } }, "0.0");
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      clock.textContent = (ticks / 10).toFixed(1);
    }, TICK_MS);
    signal.addEventListener("abort", () => clearInterval(timer));
    const press = async () => {
      await effect();
      shown.textContent = t("done");
    };
    return [h("p", null, clock, " ", h("span", { class: "lab-turning", "aria-hidden": "true" })), button("press", press), shown];
  },
};
