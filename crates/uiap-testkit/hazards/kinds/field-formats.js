import { NOTHING_HAPPENED, ask, field } from "../lib/case.js";

export default {
  about: "A field that writes its value in its own way.",
  make(chance) {
    const name = chance.noun();
    const text = String(chance.int(1_000_000, 9_999_999));
    return {
      markup: field(chance, name, '<input inputmode="numeric">'),
      its: { between: chance.one([".", " ", ",", "-"]) },
      run(page, { between }) {
        page.it.addEventListener("input", () => {
          page.it.value = page.it.value.replace(/\D/gu, "").replace(/\B(?=(\d{3})+$)/gu, between);
        });
      },
      request: { ...ask("ui.enterText", "textbox", name, { text }), timeoutMs: 3000 },
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOTHING_HAPPENED,
    };
  },
};
