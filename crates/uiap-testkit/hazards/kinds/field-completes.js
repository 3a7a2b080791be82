import { NOTHING_HAPPENED, ask, field } from "../lib/case.js";

export default {
  about: "A field that puts its own suggestion in place of what was written.",
  make(chance) {
    const name = chance.noun();
    const [text, suggestion] = [chance.noun(), chance.noun()];
    return {
      markup: field(chance, name, "<input>"),
      its: { suggestion },
      run(page, { suggestion }) {
        page.it.addEventListener("input", () => queueMicrotask(() => { page.it.value = suggestion; }));
      },
      request: { ...ask("ui.enterText", "textbox", name, { text }), timeoutMs: 3000 },
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOTHING_HAPPENED,
    };
  },
};
