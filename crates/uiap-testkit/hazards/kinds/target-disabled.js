import { Html, NOT_POSSIBLE, activate, html, plainButton } from "../lib/case.js";

export default {
  about: "A button that is disabled: by itself, by its group, or by what it says of itself.",
  make(chance) {
    const name = chance.command();
    const way = chance.one(["disabled", 'aria-disabled="true"', "group", "inert"]);
    return {
      markup: way === "group" ? html`<fieldset ${new Html("disabled")}>${plainButton(name)}</fieldset>`
        : way === "inert" ? html`<div ${new Html("inert")}>${plainButton(name)}</div>` : plainButton(name, way),
      run(page) {
        page.pressed(page.it, () => page.post("done"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      never: ["done"],
      honest: { ...NOT_POSSIBLE, codes: ["target_not_interactable", ...(way === "inert" ? ["target_not_found"] : [])] },
    };
  },
};
