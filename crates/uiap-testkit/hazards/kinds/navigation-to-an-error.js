import { NOTHING_HAPPENED, activate, html } from "../lib/case.js";

export default {
  about: "A link to a document that the server does not have, or cannot give.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: html`<a class="it" href="answer?effect=done&status=${chance.one([404, 500, 503, 403])}&wait=${chance.int(0, 500)}&text=${encodeURIComponent(chance.noun())}">${name}</a>`,
      request: activate(name, "link"),
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
