import { ask, field } from "../lib/case.js";

export default {
  about: "A field that gives the focus away at once, or keeps it.",
  make(chance) {
    const name = chance.noun();
    const stolen = chance.flag();
    return {
      markup: field(chance, name, "<input>"),
      its: { stolen, frame: chance.flag() },
      run(page, { stolen, frame }) {
        const away = () => page.it.blur();
        if (stolen) page.it.addEventListener("focus", () => frame ? requestAnimationFrame(away) : queueMicrotask(away));
      },
      request: { ...ask("ui.focus", "textbox", name), timeoutMs: 3000 },
      oracle: { page: "document.activeElement === page.it" },
      honest: { effect: !stolen, codes: ["verification_failed", "timeout"] },
    };
  },
};
