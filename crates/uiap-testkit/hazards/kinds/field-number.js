import { ask, field } from "../lib/case.js";

export default {
  about: "A field for numbers, with bounds, given a number or something else.",
  make(chance) {
    const name = chance.noun();
    const good = chance.flag(0.7);
    const text = good ? String(chance.int(1, 40)) : chance.one(["many", "12 kg", "--"]);
    return {
      markup: field(chance, name, '<input type="number" min="0" max="50">'),
      request: { ...ask("ui.enterText", "spinbutton", name, { text }), timeoutMs: 4000 },
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: { effect: good, codes: ["verification_failed", "timeout", "invalid_arguments"] },
    };
  },
};
