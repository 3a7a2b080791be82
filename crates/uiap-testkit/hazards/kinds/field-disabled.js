import { Html, NOT_POSSIBLE, ask, field, html } from "../lib/case.js";

export default {
  about: "A field that is disabled, by itself or with its group.",
  make(chance) {
    const name = chance.noun();
    const text = chance.noun();
    const own = chance.flag();
    const markup = field(chance, name, own ? "<input disabled>" : "<input>");
    return {
      markup: own ? markup : html`<fieldset ${new Html("disabled")}>${markup}</fieldset>`,
      request: ask("ui.enterText", "textbox", name, { text }),
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOT_POSSIBLE,
    };
  },
};
