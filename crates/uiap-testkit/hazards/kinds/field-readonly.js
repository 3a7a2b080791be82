import { NOT_POSSIBLE, ask, field } from "../lib/case.js";

export default {
  about: "A field that can only be read.",
  make(chance) {
    const name = chance.noun();
    const text = chance.noun();
    const long = chance.flag(0.3);
    return {
      markup: field(chance, name, long ? "<textarea readonly></textarea>" : "<input readonly>"),
      request: ask("ui.enterText", long ? "textarea" : "textbox", name, { text }),
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOT_POSSIBLE,
    };
  },
};
