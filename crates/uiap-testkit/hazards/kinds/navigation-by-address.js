import { html } from "../lib/case.js";

export default {
  about: "Going to an address that is there, or that the server cannot give.",
  make(chance) {
    const good = chance.flag();
    return {
      markup: html`<p>${chance.noun()}</p>`,
      request: { actionId: "nav.navigate", args: { url: `answer?effect=done&status=${good ? 200 : chance.one([404, 500])}&wait=${chance.int(0, 500)}` } },
      oracle: { ledger: { done: 1 } },
      honest: { effect: good, codes: ["verification_failed", "timeout"], asks: undefined },
    };
  },
};
