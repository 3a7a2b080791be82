import { ask, html } from "../lib/case.js";

export default {
  about: "One of several; in some groups the choice jumps back.",
  make(chance) {
    const names = chance.nouns(chance.int(2, 5));
    const wanted = chance.int(1, names.length - 1);
    const stubborn = chance.flag(0.3);
    return {
      markup: html`<fieldset><legend>${chance.noun()}</legend>${names.map((name, index) => html`<label><input type="radio" name="group" value="${index}"> ${name}</label>`)}</fieldset>`,
      its: { stubborn },
      run(page, { stubborn }) {
        const radios = [...document.querySelectorAll("input[name=group]")];
        radios[0].checked = true;
        if (stubborn) for (const radio of radios) radio.addEventListener("change", () => queueMicrotask(() => { radios[0].checked = true; }));
      },
      request: { ...ask("ui.toggle", "radio", names[wanted], { to: true }), timeoutMs: 4000 },
      oracle: { page: `page.find("input[name=group][value='${wanted}']").checked` },
      honest: { effect: !stubborn, codes: ["verification_failed", "timeout"] },
    };
  },
};
