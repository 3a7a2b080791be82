import { activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "The page asks with confirm(), alert() or prompt() before it goes on.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { kind: chance.one(["alert", "confirm", "prompt"]), text: chance.success(), asks: chance.noun() },
      run(page, { kind, text, asks }) {
        page.pressed(page.it, async () => {
          const answer = window[kind](asks);
          if (kind !== "alert" && (answer === false || answer === null)) return;
          if (await page.post("done")) page.show(text, "status");
        });
      },
      request: { ...activate(name), timeoutMs: 8000 },
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["verification_failed", "timeout"] },
    };
  },
};
