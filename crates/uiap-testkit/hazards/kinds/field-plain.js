import { WORKS, ask, field } from "../lib/case.js";

const roleOf = (input) => ["search", "textarea"].find((word) => input.includes(word))?.replace("search", "searchbox") ?? "textbox";

export default {
  about: "A field that takes what it is given.",
  make(chance) {
    const name = chance.noun();
    const text = `${chance.noun()} ${chance.int(1, 999)}`;
    const input = chance.one(["<input>", '<input value="old">', "<textarea></textarea>", '<input type="search">', '<input autocomplete="off" placeholder="…">']);
    return {
      markup: field(chance, name, input),
      request: ask("ui.enterText", roleOf(input), name, { text }),
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: WORKS,
    };
  },
};
