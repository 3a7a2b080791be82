import { activate, button } from "../lib/case.js";

export default {
  about: "The server does it and the page shows nothing: nobody can see it, so nobody may claim it without a sign.",
  make(chance) {
    const name = chance.command();
    return {
      markup: button(chance, name),
      its: { beacon: chance.flag() },
      run(page, { beacon }) {
        page.pressed(page.it, () => beacon ? navigator.sendBeacon("answer?effect=done") : page.post("done", { status: 204 }));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: { effect: true, recognise: false, codes: ["verification_failed", "timeout"] },
    };
  },
};
