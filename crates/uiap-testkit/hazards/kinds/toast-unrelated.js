import { NOTHING_HAPPENED, activate, button, expecting, signal } from "../lib/case.js";

export default {
  about: "Another toast comes at the moment of the press, which does nothing; the request says which toast it wants.",
  make(chance) {
    const name = chance.command();
    const [wanted, other] = [chance.success(), chance.noun()];
    return {
      markup: button(chance, name),
      its: { other, delay: chance.int(0, 300) },
      run(page, { other, delay }) {
        page.pressed(page.it, () => page.later(delay, () => page.toast(other)));
      },
      request: { ...expecting(activate(name), signal("toast.contains", { text: wanted })), timeoutMs: 3000 },
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
