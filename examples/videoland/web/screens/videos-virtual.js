// All rows in one scrolling box, of which only those in sight exist.
import { formatNumber, t } from "../i18n.js";
import { h } from "../ui/dom.js";

const ROW_PX = 44;
const SPARE_ROWS = 4;

export function virtualTable(videos) {
  const rows = h("div", { class: "virtual-rows", role: "rowgroup" });
  rows.style.height = `${videos.length * ROW_PX}px`;
  const box = h("div", {
    class: "virtual card", role: "table", "aria-label": t("nav.videos"), "aria-rowcount": videos.length, tabindex: "0",
    uiap: { id: "videos.virtual" },
  }, rows);
  let first = -1;
  const draw = () => {
    const from = Math.max(0, Math.floor(box.scrollTop / ROW_PX) - SPARE_ROWS);
    if (from === first) return;
    first = from;
    const count = Math.ceil((box.clientHeight || 560) / ROW_PX) + 2 * SPARE_ROWS;
    rows.replaceChildren(...videos.slice(from, from + count).map((video, offset) => row(video, from + offset)));
  };
  box.addEventListener("scroll", draw);
  draw();
  return box;
}

function row(video, at) {
  const node = h("div", { role: "row", class: "virtual-row", "aria-rowindex": at + 1 },
    h("span", { role: "cell", class: "number" }, String(at + 1)),
    h("span", { role: "cell" }, h("a", { href: `/videos/${video.id}` }, video.title)),
    h("span", { role: "cell" }, t(`status.${video.status}`)),
    h("span", { role: "cell", class: "number" }, formatNumber(video.views)));
  node.style.transform = `translateY(${at * ROW_PX}px)`;
  return node;
}
