import { activate, plainButton } from "../lib/case.js";

export default {
  about: "A button that nobody can see.",
  make(chance) {
    const name = chance.command();
    const way = chance.one(["display:none", "visibility:hidden", "width:0;height:0;padding:0;border:0;overflow:hidden", "position:absolute;clip-path:inset(50%)"]);
    return {
      markup: plainButton(name, `style="${way}"`),
      run(page) {
        page.pressed(page.it, () => page.post("done"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["target_not_found", "target_not_interactable", "verification_failed", "timeout"] },
    };
  },
};
