import { WORKS, ask, field } from "../lib/case.js";

export default {
  about: "A list of which several are chosen.",
  make(chance) {
    const name = chance.noun();
    const options = chance.nouns(5);
    const wanted = chance.shuffle([0, 1, 2, 3, 4]).slice(0, 2).sort();
    return {
      markup: field(chance, name, `<select multiple size="5">${options.map((option, index) => `<option value="v${index}">${option}</option>`).join("")}</select>`),
      request: ask("ui.choose", "listbox", name, { values: wanted.map((index) => `v${index}`) }),
      oracle: { page: `[...page.it.selectedOptions].map((option) => option.value).join() === "${wanted.map((index) => `v${index}`).join()}"` },
      honest: WORKS,
    };
  },
};
