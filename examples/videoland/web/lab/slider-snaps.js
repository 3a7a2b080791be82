import { h } from "../ui/dom.js";
import { field } from "../ui/form.js";

const STOPS = [0, 30, 70, 100];

export default {
  id: "slider_snaps",
  texts: {
    de: { title: "Regler, der einrastet", about: "Erlaubt sind nur 0, 30, 70 und 100, obwohl der Regler alles anbietet.", label: "Helligkeit" },
    en: { title: "Slider that snaps", about: "Only 0, 30, 70 and 100 are allowed, although the slider offers everything.", label: "Brightness" },
  },
  render({ t, note, uiap }) {
    const slider = h("input", { type: "range", min: "0", max: "100", step: "1", value: "30", uiap: uiap("slider") });
    const shown = h("output", null, "30");
    slider.addEventListener("change", () => {
      const wanted = Number(slider.value);
      slider.value = STOPS.reduce((best, stop) => (Math.abs(stop - wanted) < Math.abs(best - wanted) ? stop : best));
      shown.textContent = slider.value;
      note({ wanted, kept: Number(slider.value) });
    });
    return [field({ name: "slider_snaps", label: t("label"), control: slider }), shown];
  },
};
