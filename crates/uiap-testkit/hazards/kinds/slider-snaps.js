import { ask, field } from "../lib/case.js";

export default {
  about: "A slider that snaps to its steps: near enough with a tolerance, wrong without.",
  make(chance) {
    const name = chance.noun();
    const value = 5 * chance.int(2, 18) + chance.int(1, 4);
    const tolerant = chance.flag();
    return {
      markup: field(chance, name, '<input type="range" min="0" max="100" step="5" value="0">'),
      request: { ...ask("ui.setValue", "slider", name, { value, ...(tolerant ? { tolerance: 2.5 } : {}) }), timeoutMs: 6000 },
      oracle: { page: `Math.abs(page.it.valueAsNumber - ${value}) <= ${tolerant ? 2.5 : 0}` },
      honest: { effect: tolerant, codes: ["verification_failed", "timeout"] },
    };
  },
};
