import { WORKS, ask, field } from "../lib/case.js";

export default {
  about: "A slider that takes every value of its steps.",
  make(chance) {
    const name = chance.noun();
    const step = chance.one([1, 2, 5, 10]);
    const value = step * chance.int(1, Math.floor(90 / step));
    return {
      markup: field(chance, name, `<input type="range" min="0" max="100" step="${step}" value="0">`),
      request: ask("ui.setValue", "slider", name, { value }),
      oracle: { page: `page.it.valueAsNumber === ${value}` },
      honest: WORKS,
    };
  },
};
