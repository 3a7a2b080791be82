import { WORKS, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "A service worker does the work and reports to the page.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      parts: {
        worker: {
          type: "text/javascript",
          body: `self.addEventListener("message", async (event) => {
  const answer = await fetch("../answer?effect=done", { method: "POST" });
  event.source.postMessage(answer.ok);
});`,
        },
      },
      its: { text: chance.success(), form: chance.one(["status", "item"]) },
      run(page, { text, form }) {
        navigator.serviceWorker.register("part/worker", { scope: "./" });
        navigator.serviceWorker.addEventListener("message", ({ data }) => data && page.show(text, form));
        page.pressed(page.it, async () => (await navigator.serviceWorker.ready).active.postMessage("go"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
