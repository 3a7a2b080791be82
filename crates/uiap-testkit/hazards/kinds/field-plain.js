import { WORKS, ask, field } from "../lib/case.js";

export default {
  about: "A field that takes what it is given.",
  make(chance) {
    const name = chance.noun();
    const text = `${chance.noun()} ${chance.int(1, 999)}`;
    const input = chance.one(["<input>", '<input value="old">', "<textarea></textarea>", '<input type="search">', '<input autocomplete="off" placeholder="…">']);
    return {
      markup: field(chance, name, input),
      request: ask("ui.enterText", input.includes("search") ? "searchbox" : "textbox", name, { text }),
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: WORKS,
    };
  },
};
