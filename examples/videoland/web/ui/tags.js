// A list of words: Enter or a comma adds one, its button or Backspace removes it.
import { t } from "../i18n.js";
import { h } from "./dom.js";

export function tagField({ uiap }) {
  const tags = [];
  const chips = h("ul", { class: "chips", "aria-label": t("video.tags") });
  const input = h("input", { type: "text", uiap, placeholder: t("video.tags.placeholder") });

  const draw = () => chips.replaceChildren(...tags.map((tag) => h("li", { class: "chip" }, tag,
    h("button", { type: "button", "aria-label": t("video.tags.remove", { tag }), onclick: () => remove(tag) }, "×"))));
  const remove = (tag) => {
    tags.splice(tags.indexOf(tag), 1);
    draw();
    input.focus();
  };
  const add = () => {
    const tag = input.value.replaceAll(",", "").trim();
    if (tag && !tags.includes(tag)) tags.push(tag);
    input.value = "";
    draw();
  };
  input.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" && input.value.trim()) || event.key === ",") {
      event.preventDefault();
      add();
    } else if (event.key === "Backspace" && input.value === "" && tags.length > 0) remove(tags.at(-1));
  });
  input.addEventListener("blur", add);
  return { input, box: h("div", { class: "tag-field" }, chips, input), value: () => [...tags] };
}
