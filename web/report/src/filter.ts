// One field that filters everything: what does not have all its words is not shown.

import { h } from "./dom.js";

interface Row {
  element: HTMLElement;
  text: string;
}

export class Filter {
  readonly element: HTMLElement;
  readonly #rows: Row[] = [];
  readonly #field: HTMLInputElement;
  readonly #told: HTMLElement;

  constructor(readonly changed: (words: readonly string[]) => void) {
    this.#field = h("input", { type: "search", id: "filter", placeholder: "Filter", autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/", oninput: () => this.apply() });
    this.#told = h("span", { class: "quiet", role: "status" });
    this.element = h("div", { class: "filter" }, h("label", { for: "filter", class: "hidden" }, "Filter everything"), this.#field, this.#told);
    document.addEventListener("keydown", (event) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        this.#field.focus();
      } else if (event.key === "Escape" && event.target === this.#field) {
        this.#field.value = "";
        this.apply();
      }
    });
  }

  /** Something that is shown only if it has the words of the filter. */
  row<E extends HTMLElement>(element: E, ...texts: (string | undefined)[]): E {
    this.#rows.push({ element, text: plain(texts.filter(Boolean).join(" ")) });
    return element;
  }

  apply(): void {
    const words = plain(this.#field.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, text } of this.#rows) {
      const fits = matches(text, words);
      element.hidden = !fits;
      if (fits) shown += 1;
    }
    this.#told.textContent = words.length === 0 ? "" : `${shown} of ${this.#rows.length}`;
    this.changed(words);
  }
}

const plain = (text: string): string => text.normalize("NFC").toLowerCase();

export const matches = (text: string, words: readonly string[]): boolean => words.every((word) => plain(text).includes(word));
