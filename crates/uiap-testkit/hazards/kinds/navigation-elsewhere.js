import { NOTHING_HAPPENED, activate, expecting, html, signal } from "../lib/case.js";

export default {
  about: "A link that leads to the sign-in instead; the request says where it wants to go.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: html`<a class="it" href="answer?to=part/login">${name}</a>`,
      parts: { login: { body: "<!doctype html><title>…</title><h1>Sign in</h1><input aria-label='Name'>" } },
      request: { ...expecting(activate(name, "link"), signal("route.changed", { pattern: "/**/reports" })), timeoutMs: 4000 },
      oracle: { page: 'location.pathname.endsWith("/reports")' },
      honest: NOTHING_HAPPENED,
    };
  },
};
