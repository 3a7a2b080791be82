import { NOTHING_HAPPENED, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "The effect shows for 20 to 150 ms and is taken back.",
  make(chance) {
    const name = chance.command();
    const text = chance.success();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text, form: chance.one(["status", "paragraph", "item"]), shown: chance.int(20, 150) },
      run(page, { text, form, shown }) {
        page.pressed(page.it, () => page.later(shown, page.show(text, form)));
      },
      request: activate(name),
      oracle: { page: `page.reads(${JSON.stringify(text)})` },
      honest: NOTHING_HAPPENED,
    };
  },
};
