// Short messages that announce themselves and go away.
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

const SHOWN_MS = 8000;
const TOASTS_MAX = 4;
const region = h("div", { class: "toasts", role: "status", "aria-live": "polite" });

export function toastRegion() {
  return region;
}

/** Shows `text`; with an action such as undo, which also closes it. */
export function toast(text, { action, kind = "success" } = {}) {
  const node = h("div", { class: `toast ${kind}`, uiap: { role: "toast" } }, h("span", null, text));
  const close = () => {
    clearTimeout(timer);
    node.remove();
  };
  if (action) {
    node.append(h("button", { type: "button", class: "link-button", onclick: () => { close(); action.run(); } }, action.label));
  }
  node.append(h("button", { type: "button", class: "icon-button", "aria-label": t("common.dismiss"), onclick: close }, icon("close")));
  let timer = setTimeout(close, SHOWN_MS);
  // Nobody should have to hurry: the clock stands still while the toast is pointed at or focused.
  const hold = () => clearTimeout(timer);
  const release = () => { timer = setTimeout(close, SHOWN_MS); };
  node.addEventListener("pointerenter", hold);
  node.addEventListener("focusin", hold);
  node.addEventListener("pointerleave", release);
  node.addEventListener("focusout", release);
  if (region.childElementCount >= TOASTS_MAX) region.firstElementChild.remove();
  region.append(node);
}

/** Says what the server refused. */
export function toastError(error) {
  if (error.status === undefined) reportError(error);
  const known = t(`error.${error.code}`);
  toast(known.startsWith("error.") ? t("error.unknown") : known, { kind: "failure" });
}
