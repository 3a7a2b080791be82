import { NOT_POSSIBLE, ask, field } from "../lib/case.js";

export default {
  about: "A field that can only be read.",
  make(chance) {
    const name = chance.noun();
    const text = chance.noun();
    return {
      markup: field(chance, name, chance.one(["<input readonly>", '<input aria-readonly="true" readonly>', "<textarea readonly></textarea>"])),
      request: ask("ui.enterText", "textbox", name, { text }),
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOT_POSSIBLE,
    };
  },
};
