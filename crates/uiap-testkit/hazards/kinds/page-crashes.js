import { activate, plainButton } from "../lib/case.js";

export default {
  about: "The page ends while the action is under way: the process is gone.",
  make(chance) {
    const name = chance.command();
    return {
      markup: plainButton(name),
      its: { wait: chance.int(400, 900) },
      run(page, { wait }) {
        page.pressed(page.it, () => page.post("done", { wait, keepalive: true }));
      },
      crash: chance.int(50, 300),
      request: { ...activate(name), timeoutMs: 6000 },
      oracle: { ledger: { done: 1 } },
      honest: { recognise: false, codes: ["internal_runtime_error", "unsafe_retry_refused", "verification_failed", "target_not_found", "target_not_interactable"] },
      settle: 1200,
    };
  },
};
