import { activate, plainButton } from "../lib/case.js";

export default {
  about: "The button leaves the page at some moment, before or after it is pressed.",
  make(chance) {
    const name = chance.command();
    return {
      markup: plainButton(name),
      its: { after: chance.int(0, 300) },
      run(page, { after }) {
        const { it } = page;
        page.pressed(it, () => page.post("done"));
        page.begins(after, () => it.remove());
      },
      request: { ...activate(name), timeoutMs: 6000 },
      oracle: { ledger: { done: 1 } },
      honest: { recognise: false, codes: ["target_not_found", "stale_target", "target_not_interactable", "verification_failed", "timeout"] },
    };
  },
};
