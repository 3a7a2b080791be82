import { NOTHING_HAPPENED, ask, html } from "../lib/case.js";

export default {
  about: "A box that flips back after 60 to 400 ms, without any request to wait for.",
  beyond: "A safe action is answered once its effect has stood for two frames; what a timer does later is not waited for.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: html`<label><input type="checkbox" class="it"> ${name}</label>`,
      its: { delay: chance.int(60, 400) },
      run(page, { delay }) {
        page.it.addEventListener("change", () => page.later(delay, () => { page.it.checked = false; }));
      },
      request: { ...ask("ui.toggle", "checkbox", name, { to: true }), timeoutMs: 4000 },
      oracle: { page: "page.it.checked" },
      honest: NOTHING_HAPPENED,
    };
  },
};
