import { NOTHING_HAPPENED, activate, button, html } from "../lib/case.js";

export default {
  about: "A clock beside the button ticks, and the button does nothing.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<p class="clock">12:00:00</p>${button(chance, name)}`,
      its: { every: chance.int(80, 1000), live: chance.flag(0.3) },
      run(page, { every, live }) {
        const clock = page.find(".clock");
        if (live) clock.setAttribute("role", "timer");
        let seconds = 0;
        setInterval(() => {
          seconds += 1;
          clock.textContent = new Date(43_200_000 + seconds * 1000).toISOString().slice(11, 19);
        }, every);
      },
      request: { ...activate(name), verification: { timeoutMs: 2500 } },
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
