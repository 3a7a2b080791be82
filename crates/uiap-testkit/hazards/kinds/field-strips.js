import { NOTHING_HAPPENED, ask, field } from "../lib/case.js";

export default {
  about: "A field that drops what is no digit.",
  make(chance) {
    const name = chance.noun();
    const text = `${chance.int(1, 99)}-${chance.int(1, 99)} ${chance.one(["a", "x", "b"])}`;
    return {
      markup: field(chance, name, "<input>"),
      its: { on: chance.one(["input", "change", "keyup"]) },
      run(page, { on }) {
        page.it.addEventListener(on, () => { page.it.value = page.it.value.replace(/\D/gu, ""); });
        if (on !== "input") page.it.addEventListener("input", () => page.later(0, () => { page.it.value = page.it.value.replace(/\D/gu, ""); }));
      },
      request: { ...ask("ui.enterText", "textbox", name, { text }), timeoutMs: 3000 },
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOTHING_HAPPENED,
    };
  },
};
