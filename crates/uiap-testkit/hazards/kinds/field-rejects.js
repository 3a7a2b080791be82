import { NOTHING_HAPPENED, ask, field } from "../lib/case.js";

export default {
  about: "A field that takes nothing: it forbids the input, or empties itself.",
  make(chance) {
    const name = chance.noun();
    const text = chance.noun();
    return {
      markup: field(chance, name, "<input>"),
      run(page) {
        for (const kind of ["beforeinput", "keydown", "paste"]) page.it.addEventListener(kind, (event) => event.preventDefault());
        page.it.addEventListener("input", () => { page.it.value = ""; });
      },
      request: { ...ask("ui.enterText", "textbox", name, { text }), timeoutMs: 3000 },
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOTHING_HAPPENED,
    };
  },
};
