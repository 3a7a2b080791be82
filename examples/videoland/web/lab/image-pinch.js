import { thumbnail } from "../ui/icons.js";
import { h } from "../ui/dom.js";

export default {
  id: "pinch",
  texts: {
    de: { title: "Bild zum Aufziehen", about: "Nur zwei Finger vergrößern das Bild.", zoom: "Vergrößerung {factor}" },
    en: { title: "Picture to pinch", about: "Only two fingers enlarge the picture.", zoom: "Zoom {factor}" },
  },
  render({ t, note, result }) {
    const shown = result();
    const picture = thumbnail(42);
    const box = h("div", { class: "lab-pinch", role: "img", "aria-label": t("title") }, picture);
    const fingers = new Map();
    let start = 0;
    const distance = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    box.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2) start = distance();
    });
    box.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size !== 2 || start === 0) return;
      const factor = Math.min(4, Math.max(1, distance() / start)).toFixed(1);
      picture.style.scale = factor;
      shown.textContent = t("zoom", { factor });
      note({ factor: Number(factor) });
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) box.addEventListener(end, (event) => fingers.delete(event.pointerId));
    return [box, shown];
  },
};
