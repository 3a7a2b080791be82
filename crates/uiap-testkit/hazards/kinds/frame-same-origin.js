import { WORKS, activate, html } from "../lib/case.js";

export default {
  about: "A button in a frame of the same site; what comes of it shows in the frame.",
  make(chance) {
    const name = chance.command();
    const body = html`<!doctype html><title>${chance.noun()}</title><button type="button">${name}</button><p role="status"></p><script>
document.querySelector("button").onclick = async () => {
  const answer = await fetch("../answer?effect=done", { method: "POST" });
  if (answer.ok) document.querySelector("p").textContent = document.title;
};
</script>`.text;
    return {
      markup: html`<iframe src="part/inner" title="${chance.noun()}" width="400" height="120"></iframe>`,
      parts: { inner: { body } },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
