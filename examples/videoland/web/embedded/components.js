// Web components as a library would ship them. Styles are adopted sheets: the page allows no inline styles.
import { labEffect } from "../api.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: inline-block; font: inherit; }
  button { font: inherit; font-weight: 600; padding: .55rem .95rem; border-radius: 10px; cursor: pointer;
    border: 1px solid var(--line); background: var(--surface); color: var(--ink); }
  button:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
  :host([variant="primary"]) button { background: var(--accent); color: var(--on-accent); border-color: transparent; }
  .stars button { border: 0; background: none; padding: .1rem .2rem; font-size: 1.7rem; line-height: 1; color: var(--line-strong); }
  .stars button[aria-pressed="true"] { color: var(--accent); }
  .card { border: 1px solid var(--line); border-radius: 12px; padding: 1rem; }
  .card h3 { margin: 0 0 .4rem; }
`);

function root(host, mode, ...content) {
  const shadow = host.attachShadow({ mode });
  shadow.adoptedStyleSheets = [sheet];
  shadow.append(...content);
}

function element(tag, props, ...content) {
  const node = document.createElement(tag);
  Object.assign(node, props);
  node.append(...content);
  return node;
}

/** Five stars in an open shadow root. */
class Rating extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const stars = [1, 2, 3, 4, 5].map((value) => element("button", {
      type: "button", ariaLabel: `${value} / 5`, ariaPressed: "false",
      onclick: async () => {
        await labEffect("embedded_rating", { value });
        for (const [at, star] of stars.entries()) star.ariaPressed = String(at < value);
      },
    }, "★"));
    const box = element("div", { className: "stars", role: "group", ariaLabel: this.getAttribute("label") }, ...stars);
    root(this, "open", box);
  }
}

/** A button nobody outside can reach: its shadow root is closed. */
class Vault extends HTMLElement {
  #built = false;

  connectedCallback() {
    if (this.#built) return;
    this.#built = true;
    root(this, "closed", element("button", { type: "button", onclick: () => labEffect("embedded_vault") }, this.getAttribute("label")));
  }
}

/** The library's button: a real one in the shadow root, its label in a slot, its own event. */
class LibraryButton extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const press = () => this.dispatchEvent(new CustomEvent("vl-press", { bubbles: true, composed: true }));
    root(this, "open", element("button", { type: "button", onclick: press }, document.createElement("slot")));
  }
}

class LibraryCard extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const box = element("div", { className: "card" }, element("h3", {}, this.getAttribute("heading")), document.createElement("slot"));
    root(this, "open", box);
  }
}

export function defineComponents() {
  if (customElements.get("vl-rating")) return;
  customElements.define("vl-rating", Rating);
  customElements.define("vl-vault", Vault);
  customElements.define("vl-button", LibraryButton);
  customElements.define("vl-card", LibraryCard);
}
