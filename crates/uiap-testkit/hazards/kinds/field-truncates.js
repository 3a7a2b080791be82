import { ask, field } from "../lib/case.js";

export default {
  about: "A field for fewer characters than it is given.",
  make(chance) {
    const name = chance.noun();
    const length = chance.int(3, 8);
    const text = "abcdefghijklmnop".slice(0, length + chance.int(1, 8));
    return {
      markup: field(chance, name, `<input maxlength="${length}">`),
      its: { length, strict: chance.flag() },
      run(page, { length, strict }) {
        if (strict) page.it.addEventListener("input", () => { page.it.value = page.it.value.slice(0, length); });
      },
      request: { ...ask("ui.enterText", "textbox", name, { text }), timeoutMs: 3000 },
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: { codes: ["verification_failed", "timeout", "invalid_arguments"] },
    };
  },
};
