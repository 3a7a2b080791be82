import { WORKS, ask, html } from "../lib/case.js";

export default {
  about: "A text that is written in the page itself.",
  make(chance) {
    const name = chance.noun();
    const text = `${chance.noun()} ${chance.int(1, 99)}`;
    return {
      markup: html`<div class="it" contenteditable="true" role="textbox" aria-label="${name}" aria-multiline="true" style="min-height:2em;border:1px solid">${chance.flag() ? chance.noun() : ""}</div>`,
      request: ask("ui.enterText", "textarea", name, { text }),
      oracle: { page: `page.it.innerText.trim() === ${JSON.stringify(text)}` },
      honest: WORKS,
    };
  },
};
