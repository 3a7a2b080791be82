// A button that opens a menu: arrow keys move, Enter chooses, Escape and a click outside close.
import { freshId, h } from "./dom.js";

export function menuButton({ id, label, name, items, className = "menu-button" }) {
  const menuId = freshId("menu");
  const entries = items.map(item);
  const menu = h("div", {
    id: menuId, role: "menu", class: "menu", hidden: true, "aria-label": name, uiap: { scope: id, scopeKind: "menu" },
  }, entries);
  const button = h("button", {
    type: "button", class: className, "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": menuId,
    "aria-label": name, uiap: { id },
  }, label);

  const open = (at) => {
    menu.hidden = false;
    button.setAttribute("aria-expanded", "true");
    entries.at(at).focus();
    document.addEventListener("pointerdown", closeOutside);
  };
  const close = (refocus) => {
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", closeOutside);
    if (refocus) button.focus();
  };
  const closeOutside = (event) => {
    if (!box.contains(event.target)) close(false);
  };

  button.addEventListener("click", () => (menu.hidden ? open(0) : close(true)));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(event.key === "ArrowDown" ? 0 : -1);
  });
  menu.addEventListener("click", () => close(false));
  menu.addEventListener("keydown", (event) => {
    const at = entries.indexOf(document.activeElement);
    const goTo = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (goTo !== undefined) {
      event.preventDefault();
      entries.at(goTo % entries.length).focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      close(true);
    } else if (event.key === "Tab") close(false);
  });
  const box = h("div", { class: "menu-box" }, button, menu);
  return box;
}

function item({ label, href, id, onselect }) {
  const props = { role: "menuitem", tabindex: "-1", uiap: id && { id } };
  return href
    ? h("a", { ...props, href }, label)
    : h("button", { ...props, type: "button", onclick: onselect }, label);
}
