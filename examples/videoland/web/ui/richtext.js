// A small text editor on contenteditable with bold, italic and lists.
import { t } from "../i18n.js";
import { h } from "./dom.js";

const COMMANDS = [["bold", "B"], ["italic", "I"], ["insertUnorderedList", "•"]];

export function richText({ labelledby, uiap }) {
  const editor = h("div", {
    class: "richtext-body", contenteditable: "true", role: "textbox", "aria-multiline": "true",
    "aria-labelledby": labelledby, uiap,
    // Pasted markup would bring styles and attributes of other pages.
    onpaste: (event) => {
      event.preventDefault();
      document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
    },
  });
  const bar = h("div", { class: "richtext-bar", role: "toolbar", "aria-label": t("richtext.toolbar") },
    COMMANDS.map(([command, symbol]) => h("button", {
      type: "button", class: `richtext-${command}`, "aria-label": t(`richtext.${command}`),
      // The selection must stay in the text while the button is pressed.
      onpointerdown: (event) => event.preventDefault(),
      onclick: () => {
        editor.focus();
        document.execCommand(command);
      },
    }, symbol)));
  return { editor, box: h("div", { class: "richtext" }, bar, editor), value: () => editor.innerText.trim() };
}
