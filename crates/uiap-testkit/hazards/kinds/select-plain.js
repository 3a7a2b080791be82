import { WORKS, ask, field } from "../lib/case.js";

export default {
  about: "A list to choose from.",
  make(chance) {
    const name = chance.noun();
    const options = chance.nouns(chance.int(2, 7));
    const wanted = chance.int(1, options.length - 1);
    const args = chance.one([{ label: options[wanted] }, { value: `v${wanted}` }, { index: wanted }]);
    return {
      markup: field(chance, name, `<select>${options.map((option, index) => `<option value="v${index}">${option}</option>`).join("")}</select>`),
      request: ask("ui.choose", "combobox", name, args),
      oracle: { page: `page.it.value === "v${wanted}"` },
      honest: WORKS,
    };
  },
};
