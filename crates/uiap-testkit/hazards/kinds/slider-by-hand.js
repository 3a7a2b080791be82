import { ask, html } from "../lib/case.js";

export default {
  about: "A slider made by hand that listens to keys only.",
  make(chance) {
    const name = chance.noun();
    const step = chance.one([1, 5, 10]);
    const value = step * chance.int(1, 9);
    return {
      markup: html`<div class="it press" role="slider" tabindex="0" aria-label="${name}" aria-valuemin="0" aria-valuemax="${step * 10}" aria-valuenow="0">⟷</div>`,
      its: { step },
      run(page, { step }) {
        page.it.addEventListener("keydown", ({ key }) => {
          const by = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[key] ?? 0;
          const now = Number(page.it.getAttribute("aria-valuenow")) + by;
          page.it.setAttribute("aria-valuenow", String(Math.min(step * 10, Math.max(0, now))));
        });
      },
      request: { ...ask("ui.setValue", "slider", name, { value }), timeoutMs: 8000 },
      oracle: { page: `page.it.getAttribute("aria-valuenow") === "${value}"` },
      honest: { codes: ["verification_failed", "timeout", "execution_mode_unavailable", "target_not_interactable"] },
    };
  },
};
