// Modal dialogs and drawers on <dialog>: the browser traps focus, closes on Escape and restores focus.
import { t } from "../i18n.js";
import { freshId, h } from "./dom.js";
import { icon } from "./icons.js";
import { toastError } from "./toast.js";

/** Opens a modal layer; `build(close)` returns its content. Resolves with what `close` was given. */
export function openDialog({ id, title, kind = "dialog", role }, build) {
  return new Promise((resolve) => {
    const titleId = freshId("dialog-title");
    let result;
    const close = (value) => {
      result = value;
      dialog.close();
    };
    const dialog = h("dialog", {
      class: kind, "aria-labelledby": titleId, role, uiap: { id, scope: id, scopeKind: kind },
      // The backdrop is the dialog itself; its content is in a child.
      onclick: (event) => { if (event.target === dialog) close(); },
    },
    h("div", { class: "dialog-content" },
      h("div", { class: "dialog-head" },
        h("h2", { id: titleId }, title),
        h("button", { type: "button", class: "icon-button", "aria-label": t("common.close"), onclick: () => close() }, icon("close"))),
      build(close)));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * A question with a dangerous yes; the focus starts on the harmless no. `run` does it while the dialog is open,
 * `done` follows when it is closed: what lies under an open dialog cannot take the focus.
 */
export async function confirmDialog({ id, title, text, yes, uiap = {}, run, done = () => {} }) {
  const accepted = await openDialog({ id, title, role: "alertdialog" }, (close) => {
    const accept = h("button", { type: "button", class: "danger", uiap: { id: `${id}.accept`, ...uiap } }, yes);
    accept.addEventListener("click", async () => {
      accept.disabled = true;
      try {
        await run();
        close(true);
      } catch (error) {
        toastError(error);
        close(false);
      }
    });
    return [
      h("p", null, text),
      h("div", { class: "dialog-actions" },
        h("button", { type: "button", autofocus: true, uiap: { id: `${id}.cancel` }, onclick: () => close(false) }, t("common.cancel")),
        accept),
    ];
  });
  if (accepted) await done();
}
