import { NOTHING_HAPPENED, ask, field } from "../lib/case.js";

export default {
  about: "A field that turns its value into capitals.",
  make(chance) {
    const name = chance.noun();
    const text = chance.one(["berlin", "abc def", "straße", "été"]);
    return {
      markup: field(chance, name, "<input>"),
      its: { frame: chance.flag() },
      run(page, { frame }) {
        const change = () => { page.it.value = page.it.value.toUpperCase(); };
        page.it.addEventListener("input", () => frame ? requestAnimationFrame(change) : change());
      },
      request: { ...ask("ui.enterText", "textbox", name, { text }), timeoutMs: 3000 },
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOTHING_HAPPENED,
    };
  },
};
