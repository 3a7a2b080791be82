import { NOTHING_HAPPENED, ask, field } from "../lib/case.js";

export default {
  about: "A list that goes back to its first option.",
  make(chance) {
    const name = chance.noun();
    const options = chance.nouns(4);
    return {
      markup: field(chance, name, `<select>${options.map((option, index) => `<option value="v${index}">${option}</option>`).join("")}</select>`),
      its: { how: chance.one(["handler", "microtask", "frame"]) },
      run(page, { how }) {
        const back = () => { page.it.selectedIndex = 0; };
        const soon = { handler: (run) => run(), microtask: queueMicrotask, frame: requestAnimationFrame }[how];
        page.it.addEventListener("change", () => soon(back));
      },
      request: { ...ask("ui.choose", "combobox", name, { label: options[2] }), timeoutMs: 4000 },
      oracle: { page: 'page.it.value === "v2"' },
      honest: NOTHING_HAPPENED,
    };
  },
};
