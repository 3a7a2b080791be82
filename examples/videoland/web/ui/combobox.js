// A text field with a list of choices below it: the ARIA combobox with list autocompletion.
import { freshId, h } from "./dom.js";

/** `options` is a list of [value, label]. The element has `value`, which is the chosen value or "". */
export function combobox({ options, placeholder, uiap, label }) {
  const listId = freshId("listbox");
  let chosen = "";
  let active = -1;
  let shown = [];
  const list = h("ul", { id: listId, role: "listbox", class: "listbox", hidden: true, "aria-label": label });
  const input = h("input", {
    type: "text", role: "combobox", autocomplete: "off", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": listId, placeholder, uiap,
  });

  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = ([value, text]) => {
    chosen = value;
    input.value = text;
    close();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const open = (filter) => {
    const wanted = filter.trim().toLowerCase();
    shown = options.filter(([, text]) => text.toLowerCase().includes(wanted));
    list.replaceChildren(...shown.map((option) => h("li", {
      role: "option", id: freshId("option"), "aria-selected": String(option[0] === chosen),
      // The field keeps the focus, otherwise its blur would close the list before the click.
      onpointerdown: (event) => event.preventDefault(),
      onclick: () => choose(option),
    }, option[1])));
    list.hidden = shown.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    active = -1;
    input.removeAttribute("aria-activedescendant");
  };
  const highlight = (at) => {
    active = (at + shown.length) % shown.length;
    for (const [position, node] of [...list.children].entries()) node.classList.toggle("active", position === active);
    input.setAttribute("aria-activedescendant", list.children[active].id);
    list.children[active].scrollIntoView({ block: "nearest" });
  };

  input.addEventListener("input", () => open(input.value));
  input.addEventListener("click", () => { if (list.hidden) open(""); });
  input.addEventListener("blur", () => {
    // Only values of the list count: half a word becomes the last choice again.
    if (input.value.trim() === "") chosen = "";
    input.value = options.find(([value]) => value === chosen)?.[1] ?? "";
    close();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) open("");
      if (shown.length > 0) highlight(event.key === "ArrowDown" ? active + 1 : Math.max(active, 0) - 1);
    } else if (event.key === "Enter" && !list.hidden && active >= 0) {
      event.preventDefault();
      choose(shown[active]);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  return { input, box: h("div", { class: "combobox" }, input, list), value: () => chosen };
}
