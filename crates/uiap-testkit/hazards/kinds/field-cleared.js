import { WORKS, ask, field } from "../lib/case.js";

export default {
  about: "A field that is emptied; some fill themselves again at once.",
  make(chance) {
    const name = chance.noun();
    const stubborn = chance.flag(0.4);
    const kept = chance.noun();
    return {
      markup: field(chance, name, `<input value="${kept}">`),
      its: { kept, stubborn },
      run(page, { kept, stubborn }) {
        if (stubborn) page.it.addEventListener("input", () => queueMicrotask(() => { page.it.value ||= kept; }));
      },
      request: { ...ask("ui.clearText", "textbox", name), timeoutMs: 4000 },
      oracle: { page: 'page.it.value === ""' },
      honest: { ...WORKS, effect: !stubborn, codes: ["verification_failed", "timeout"] },
    };
  },
};
