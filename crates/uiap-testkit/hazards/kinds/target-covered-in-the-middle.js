import { activate, html, withOutcome } from "../lib/case.js";

export default {
  about: "Something lies over the middle of a wide button only.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(html`<div style="position:relative;width:320px"><button type="button" class="it" style="width:300px;height:48px">${name}</button><div style="position:absolute;left:120px;top:0;width:60px;height:70px;background:#fed"></div></div>`),
      its: { text: chance.success() },
      run(page, { text }) {
        page.pressed(page.it, async () => await page.post("done") && page.show(text, "status"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["target_not_interactable"] },
    };
  },
};
