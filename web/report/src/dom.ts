// Makes elements. Everything that comes from an explored page is text and stays text: nothing here reads markup.

type Child = Node | string | number | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

/** An element with attributes, listeners (`onclick`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== undefined && child !== false) element.append(typeof child === "number" ? String(child) : child);
  return element;
}

/** A word in a frame of its own, such as a risk or a class. */
export const badge = (word: string, tone = "plain"): HTMLElement => h("span", { class: `badge ${tone}` }, word);

/** A section of the page with a heading. */
export function section(id: string, title: string, count: number | undefined, ...children: Child[]): HTMLElement {
  const heading = h("h2", { id: `${id}-title` }, title, count === undefined ? undefined : h("span", { class: "count" }, count));
  return h("section", { id, "aria-labelledby": `${id}-title` }, heading, ...children);
}

/** Says that there is nothing. */
export const nothing = (sentence: string): HTMLElement => h("p", { class: "nothing" }, sentence);

/** Something that is made when it is opened: long lists cost nothing until somebody wants them. */
export function folded(summary: Child[], content: () => Child[], attributes: Attributes = {}): HTMLDetailsElement {
  const details = h("details", attributes, h("summary", {}, ...summary));
  let made = false;
  details.addEventListener("toggle", () => {
    if (!details.open || made) return;
    made = true;
    details.append(...content().filter((child): child is Node | string => child !== undefined && child !== false && typeof child !== "number"));
  });
  return details;
}

/** A text to take along, with a button that copies it. */
export function snippet(text: string): HTMLElement {
  const code = h("pre", { tabindex: 0, "aria-label": "Text to paste" }, text);
  const button = h("button", { type: "button", class: "copy", onclick: () => void copy(text, code, button) }, "Copy");
  return h("div", { class: "snippet" }, code, button);
}

async function copy(text: string, code: HTMLElement, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the right to write there, the text is at least chosen, so that a key copies it.
    getSelection()?.selectAllChildren(code);
    button.textContent = "Press Ctrl+C";
    return;
  }
  button.textContent = "Copied";
}
