import { WORKS, ask, field } from "../lib/case.js";

export default {
  about: "A field whose value nobody may see.",
  make(chance) {
    const name = chance.noun();
    const text = `s3cret-${chance.int(100, 999)}`;
    return {
      markup: field(chance, name, '<input type="password" autocomplete="off">'),
      request: ask("ui.enterText", "textbox", name, { text }),
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: { ...WORKS, asks: undefined, codes: ["user_activation_required"] },
    };
  },
};
