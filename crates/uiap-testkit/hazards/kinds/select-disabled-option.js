import { ask, field } from "../lib/case.js";

export default {
  about: "The wanted option is disabled, or there is none.",
  make(chance) {
    const name = chance.noun();
    const options = chance.nouns(4);
    const missing = chance.flag();
    const label = missing ? chance.noun() : options[2];
    return {
      markup: field(chance, name, `<select>${options.map((option, index) => `<option value="v${index}"${index === 2 ? " disabled" : ""}>${option}</option>`).join("")}</select>`),
      request: { ...ask("ui.choose", "combobox", name, { label }), timeoutMs: 4000 },
      oracle: { page: missing ? "false" : 'page.it.value === "v2"' },
      honest: { effect: false, codes: ["verification_failed", "timeout", "invalid_arguments", "target_not_interactable", "target_not_found", "execution_mode_unavailable"] },
    };
  },
};
