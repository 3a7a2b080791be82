import { activate, html } from "../lib/case.js";

export default {
  about: "A button in a frame of another site.",
  make(chance) {
    const name = chance.command();
    const body = html`<!doctype html><title>${chance.noun()}</title><button type="button">${name}</button><p role="status"></p><script>
document.querySelector("button").onclick = async () => {
  const answer = await fetch("../answer?effect=done", { method: "POST" });
  if (answer.ok) document.querySelector("p").textContent = document.title;
};
</script>`.text;
    return {
      markup: html`<iframe class="frame" title="${chance.noun()}" width="400" height="120"></iframe>`,
      parts: { inner: { body } },
      run(page) {
        page.find(".frame").src = new URL("part/inner", location.href.replace("127.0.0.1", "localhost")).href;
      },
      request: { ...activate(name), timeoutMs: 8000 },
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["cross_origin_unavailable", "target_not_found", "verification_failed", "target_not_interactable"] },
    };
  },
};
