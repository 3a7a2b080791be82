import { activate, plainButton, withOutcome } from "../lib/case.js";

export default {
  about: "The same node gets another name and another meaning at some moment; only the old one was asked for.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(plainButton(name)),
      its: { other: chance.command(), text: chance.success(), after: chance.int(0, 250) },
      run(page, { other, text, after }) {
        let effect = "done";
        page.begins(after, () => {
          effect = "wrong";
          page.it.textContent = other;
        });
        page.pressed(page.it, async () => await page.post(effect) && page.show(text, "status"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      never: ["wrong"],
      honest: { codes: ["target_not_found", "stale_target", "verification_failed"] },
    };
  },
};
