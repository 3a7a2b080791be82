import { activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "The effect shows only as words in a paragraph, which no role and no live region announces.",
  beyond: "The graph of a page leaves prose out; a request that expects words must come from a page that announces them.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text: chance.success(), wait: chance.int(0, 300) },
      run(page, { text, wait }) {
        page.pressed(page.it, async () => await page.post("done", { wait }) && page.show(text, "paragraph"));
      },
      request: { ...activate(name), verification: { timeoutMs: 2000 } },
      oracle: { ledger: { done: 1 } },
      honest: { effect: true, codes: ["verification_failed", "timeout"] },
    };
  },
};
