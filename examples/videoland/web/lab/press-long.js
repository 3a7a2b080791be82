const HOLD_MS = 800;

export default {
  id: "long_press",
  texts: {
    de: { title: "Langer Druck", about: "Ein Klick genügt nicht: der Knopf wirkt erst nach 0,8 Sekunden Halten.", hold: "Halten zum Auslösen", done: "Ausgelöst" },
    en: { title: "Long press", about: "A click is not enough: the button acts after being held for 0.8 seconds.", hold: "Hold to trigger", done: "Triggered" },
  },
  render({ t, button, effect, result }) {
    const shown = result();
    let timer;
    const stop = () => clearTimeout(timer);
    const start = () => {
      stop();
      timer = setTimeout(async () => {
        await effect();
        shown.textContent = t("done");
      }, HOLD_MS);
    };
    const hold = button("hold", undefined, { onpointerdown: start, onpointerup: stop, onpointerleave: stop, onpointercancel: stop });
    hold.addEventListener("keydown", (event) => { if (event.key === " " && !event.repeat) start(); });
    hold.addEventListener("keyup", stop);
    return [hold, shown];
  },
};
