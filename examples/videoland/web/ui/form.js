// Labelled fields with inline validation.
import { t } from "../i18n.js";
import { freshId, h } from "./dom.js";
import { toastError } from "./toast.js";

/** A label, a control (in a box of its own, if it has one) and room for its hint and its error. */
export function field({ name, label, control, box = control, hint, required = false }) {
  control.id ||= freshId(name);
  const errorId = `${control.id}-error`;
  const hintId = `${control.id}-hint`;
  const described = [hint && hintId, errorId].filter(Boolean).join(" ");
  control.setAttribute("aria-describedby", described);
  if (required) control.setAttribute("aria-required", "true");
  return h("div", { class: "field", "data-field": name },
    h("label", { htmlFor: control.id }, label, required && h("span", { class: "required", "aria-hidden": "true" }, " *")),
    box,
    hint && h("p", { class: "hint", id: hintId }, hint),
    h("p", { class: "field-error", id: errorId, hidden: true }));
}

/** Radio buttons under one question. */
export function radioGroup({ name, legend, options, value, uiapPrefix, onchange }) {
  return h("fieldset", { class: "field radios", "data-field": name },
    h("legend", null, legend),
    options.map(([option, label]) => h("label", { class: "choice" },
      h("input", {
        type: "radio", name, value: option, checked: option === value, onchange,
        uiap: uiapPrefix && { id: `${uiapPrefix}.${option}` },
      }),
      h("span", null, label))));
}

/** An on/off switch: a checkbox that says it is a switch. */
export function switchField({ name, label, checked, uiap, onchange }) {
  return h("label", { class: "switch-field" },
    h("input", { type: "checkbox", role: "switch", class: "switch", name, checked, uiap, onchange }),
    h("span", null, label));
}

export function selectControl({ options, value, ...props }) {
  return h("select", props, options.map(([option, label]) =>
    h("option", { value: option, selected: option === value }, label)));
}

/** Shows what is wrong with each field and moves the focus to the first; {} clears everything. */
export function showErrors(form, problems) {
  let first;
  for (const box of form.querySelectorAll("[data-field]")) {
    const problem = problems[box.dataset.field];
    const control = box.querySelector("input, select, textarea, [role=combobox], [role=textbox], [role=slider]");
    const message = box.querySelector(".field-error");
    if (!message) continue;
    message.hidden = !problem;
    message.textContent = problem ? t(`problem.${problem}`) : "";
    if (problem) {
      control.setAttribute("aria-invalid", "true");
      first ??= control;
    } else control.removeAttribute("aria-invalid");
  }
  first?.focus();
}

/** Runs `send` once per submit: the button rests while it runs, and refusals show at their fields. */
export function onSubmit(form, send) {
  form.noValidate = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("[type=submit]");
    if (button.disabled) return;
    button.disabled = true;
    form.setAttribute("aria-busy", "true");
    showErrors(form, {});
    try {
      await send();
    } catch (error) {
      if (error.code === "invalid") showErrors(form, error.fields);
      else toastError(error);
    } finally {
      button.disabled = false;
      form.removeAttribute("aria-busy");
    }
  });
  return form;
}

/** Throws the same error the server would, so that missing fields never leave the page. */
export function requireFields(values) {
  const fields = Object.fromEntries(Object.entries(values).filter(([, value]) => !value.trim()).map(([name]) => [name, "required"]));
  if (Object.keys(fields).length > 0) throw Object.assign(new Error("some fields are missing"), { status: 0, code: "invalid", fields });
}
