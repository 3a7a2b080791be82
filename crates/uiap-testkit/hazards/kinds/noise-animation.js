import { WORKS, activate, button, html, outcome, withOutcome } from "../lib/case.js";

export default {
  about: "Animations that never stop, around a button that works.",
  make(chance) {
    const name = chance.command();
    const { its, oracle } = outcome(chance);
    return {
      markup: html`<div class="turning" style="width:40px;height:40px;background:#48c"></div>${withOutcome(button(chance, name))}<canvas width="60" height="40"></canvas>`,
      its: { ...its, speed: chance.int(300, 2000) },
      run(page, { text, form, server, speed }) {
        page.find(".turning").animate([{ transform: "none" }, { transform: "rotate(360deg) translateX(20px)" }], { duration: speed, iterations: Infinity });
        const context = page.find("canvas").getContext("2d");
        const draw = (time) => {
          context.fillRect((time / 10) % 60, 5, 3, 30);
          requestAnimationFrame(draw);
        };
        requestAnimationFrame(draw);
        page.pressed(page.it, async () => {
          if (!server || await page.post("done")) page.show(text, form);
        });
      },
      request: activate(name),
      oracle,
      honest: WORKS,
    };
  },
};
