import { activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "What only works after a real press: full screen, clipboard, a window.",
  make(chance) {
    const name = chance.command();
    const way = chance.one(["fullscreen", "active", "popup"]);
    return {
      markup: withOutcome(button(chance, name)),
      its: { way, text: chance.success() },
      run(page, { way, text }) {
        page.pressed(page.it, async () => {
          if (way === "active" && !navigator.userActivation.isActive) return;
          if (way === "fullscreen") await document.documentElement.requestFullscreen();
          if (way === "popup" && !window.open("part/window")) return;
          if (await page.post("done")) page.show(text, "status");
        });
      },
      parts: { window: { body: "<!doctype html><title>…</title><p>…</p>" } },
      request: { ...activate(name), timeoutMs: 8000 },
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["verification_failed", "timeout", "user_activation_required"] },
    };
  },
};
