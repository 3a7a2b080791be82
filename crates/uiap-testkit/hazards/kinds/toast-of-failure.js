import { NOTHING_HAPPENED, activate, button } from "../lib/case.js";

export default {
  about: "A toast that says in one of twelve languages that it did not work; no request was made.",
  make(chance) {
    const name = chance.command();
    return {
      markup: button(chance, name),
      its: { text: chance.failure(), delay: chance.int(0, 600) },
      run(page, { text, delay }) {
        page.pressed(page.it, () => page.later(delay, () => page.toast(text)));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
