// What every hazard page has at hand. It runs in the page, before the script of the hazard.

const page = {
  /** The part of the page that the hazard is in. */
  get thing() {
    return document.querySelector(".thing");
  },

  find(selector) {
    return document.querySelector(selector);
  },

  /** The element that is acted on. */
  get it() {
    return document.querySelector(".it");
  },

  /** Does something when an element is pressed, by whatever means. */
  pressed(element, run) {
    element.addEventListener("click", (event) => {
      if (element.localName === "a") event.preventDefault();
      run(event);
    });
    if (element.getAttribute("role") !== "button") return;
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") run(event);
    });
  },

  later: (ms, run) => setTimeout(run, ms),

  /** Does something so long after the action was asked for. */
  begins(ms, run) {
    addEventListener("hazard:begin", () => setTimeout(run, ms), { once: true });
  },

  /** Asks the server for an effect; says whether it took it. Whatever the page shows, the server's ledger is the truth. */
  async post(effect, { status = 200, wait = 0, ...options } = {}) {
    const answer = await fetch(`answer?effect=${effect}&status=${status}&wait=${wait}`, { method: "POST", ...options });
    return answer.ok;
  },

  /** Shows an outcome in one of the ways in which pages do. Says how to take it back. */
  show(text, form) {
    const add = (parent, name, role) => {
      const element = document.createElement(name);
      if (role) element.setAttribute("role", role);
      element.textContent = text;
      parent.append(element);
      return () => element.remove();
    };
    switch (form) {
      case "status": {
        const line = page.find(".said");
        line.textContent = text;
        return () => { line.textContent = ""; };
      }
      case "paragraph": return add(page.thing, "p");
      case "item": return add(page.find(".items"), "li");
      case "alert": return add(page.thing, "div", "alert");
      case "toast": return page.toast(text);
      default: throw new Error(`nobody knows how to show ${form}`);
    }
  },

  toast(text, ms = 4000) {
    const toast = document.createElement("div");
    toast.className = "toast";
    toast.setAttribute("role", "status");
    toast.textContent = text;
    document.body.append(toast);
    const take = () => toast.remove();
    if (ms > 0) setTimeout(take, ms);
    return take;
  },

  /** Whether a person could read it. */
  reads: (text) => document.body.innerText.includes(text),
};
