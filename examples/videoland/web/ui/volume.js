// A slider whose scale is not linear: half way is ten percent, because ears hear that way.
import { formatNumber } from "../i18n.js";
import { h } from "./dom.js";

const VALUE_MIN = 1;
const VALUE_MAX = 100;
const STEPS = 20;
const PAGE_STEPS = 5;

// Small values keep one decimal, because there the steps are smaller than one.
const valueAt = (step) => {
  const value = VALUE_MAX ** (step / STEPS);
  return value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
};
const stepOf = (value) => Math.round((Math.log(value) / Math.log(VALUE_MAX)) * STEPS);

/** The element has role slider; `value()` is a percentage with one decimal. */
export function volumeSlider({ value, labelledby, uiap }) {
  let step = stepOf(value);
  const fill = h("span", { class: "slider-fill" });
  const thumb = h("span", { class: "slider-thumb" });
  const output = h("output", { class: "slider-output" });
  const slider = h("div", {
    role: "slider", tabindex: "0", class: "slider", "aria-labelledby": labelledby, "aria-valuemin": VALUE_MIN,
    "aria-valuemax": VALUE_MAX, "aria-orientation": "horizontal", uiap,
  }, h("span", { class: "slider-track" }, fill), thumb);

  const set = (next) => {
    step = Math.min(STEPS, Math.max(0, next));
    const percent = `${formatNumber(valueAt(step))} %`;
    slider.setAttribute("aria-valuenow", valueAt(step));
    slider.setAttribute("aria-valuetext", percent);
    fill.style.width = thumb.style.left = `${(step / STEPS) * 100}%`;
    output.textContent = percent;
  };
  const setFromPointer = (event) => {
    const { left, width } = slider.getBoundingClientRect();
    set(Math.round(((event.clientX - left) / width) * STEPS));
  };
  slider.addEventListener("pointerdown", (event) => {
    slider.setPointerCapture(event.pointerId);
    setFromPointer(event);
  });
  slider.addEventListener("pointermove", (event) => {
    if (slider.hasPointerCapture(event.pointerId)) setFromPointer(event);
  });
  slider.addEventListener("keydown", (event) => {
    const next = {
      ArrowRight: step + 1, ArrowUp: step + 1, ArrowLeft: step - 1, ArrowDown: step - 1,
      PageUp: step + PAGE_STEPS, PageDown: step - PAGE_STEPS, Home: 0, End: STEPS,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  });
  set(step);
  return { box: h("div", { class: "slider-row" }, slider, output), value: () => valueAt(step) };
}
