import { ask, html } from "../lib/case.js";

export default {
  about: "Something that unfolds, or says it does and does not.",
  make(chance) {
    const name = chance.noun();
    const works = chance.flag(0.7);
    const inside = chance.success();
    return {
      markup: html`<button type="button" class="it" aria-expanded="false" aria-controls="panel">${name}</button><div id="panel" hidden><p>${inside}</p></div>`,
      its: { works, delay: chance.int(0, 300) },
      run(page, { works, delay }) {
        if (works) page.pressed(page.it, () => page.later(delay, () => {
          page.it.setAttribute("aria-expanded", "true");
          page.find("#panel").hidden = false;
        }));
      },
      request: { ...ask("ui.expand", "button", name), timeoutMs: 5000 },
      oracle: { page: `page.reads(${JSON.stringify(inside)})` },
      honest: { effect: works, codes: ["verification_failed", "timeout"] },
    };
  },
};
