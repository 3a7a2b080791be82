import { ask, plainButton, withOutcome } from "../lib/case.js";

export default {
  about: "A button that acts only when it is held.",
  make(chance) {
    const name = chance.command();
    const held = chance.flag(0.6);
    return {
      markup: withOutcome(plainButton(name)),
      its: { text: chance.success(), hold: chance.int(300, 600) },
      run(page, { text, hold }) {
        let timer;
        const down = () => { timer = setTimeout(async () => await page.post("done") && page.show(text, "status"), hold); };
        for (const kind of ["pointerdown", "touchstart"]) page.it.addEventListener(kind, () => { clearTimeout(timer); down(); });
        for (const kind of ["pointerup", "pointerleave", "touchend"]) page.it.addEventListener(kind, () => clearTimeout(timer));
      },
      request: held ? ask("x.uiap.long-press", "button", name, { durationMs: 900 }) : { ...ask("ui.activate", "button", name), timeoutMs: 6000 },
      oracle: { ledger: { done: 1 } },
      honest: { effect: held, codes: ["verification_failed", "timeout"] },
    };
  },
};
