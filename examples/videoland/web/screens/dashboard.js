import * as api from "../api.js";
import { formatNumber, t } from "../i18n.js";
import { navigate } from "../router.js";
import { currentUser, may } from "../session.js";
import { drawWeeks } from "../ui/chart.js";
import { h } from "../ui/dom.js";
import { thumbnail } from "../ui/icons.js";

const STATUS_EVERY_MS = 4000;

export function show({ signal }) {
  const body = h("div", { class: "dashboard-body", "aria-busy": "true" },
    h("div", { class: "spinner", role: "progressbar", "aria-label": t("common.loading") }));
  api.dashboard(signal).then((data) => {
    body.replaceChildren(...content(data, signal));
    body.removeAttribute("aria-busy");
  }).catch((error) => {
    if (error.name === "AbortError") return;
    body.replaceChildren(h("p", { role: "alert" }, t("error.loading")));
  });
  return {
    title: t("nav.dashboard"),
    node: h("div", { class: "dashboard" },
      h("div", { class: "page-head" },
        h("h1", null, t("dashboard.hello", { name: currentUser().displayName.split(" ")[0] })),
        liveStatus(signal)),
      body),
  };
}

function content(data, signal) {
  const canvas = h("canvas", { role: "img", "aria-label": t("dashboard.chart.label", { last: formatNumber(data.weeks.at(-1) * 100) }) });
  drawWeeks(canvas, data.weeks, signal);
  return [
    h("div", { class: "cards" },
      card("published", data.published, "/videos?status=published"),
      card("drafts", data.drafts, "/videos?status=draft"),
      card("members", data.members, "/team"),
      card("views", data.views, "/videos?sort=views&dir=desc")),
    h("div", { class: "dashboard-columns" },
      h("section", { class: "card chart-card" }, h("h2", null, t("dashboard.chart")), canvas),
      h("section", { class: "card" },
        h("div", { class: "card-head" }, h("h2", null, t("dashboard.recent")),
          may("editor") && h("a", { class: "button primary", href: "/videos/new" }, t("nav.videos.new"))),
        h("ul", { class: "recent" }, data.recent.map((video) => h("li", null,
          h("a", { href: `/videos/${video.id}` }, thumbnail(video.id), h("span", null, video.title))))))),
  ];
}

// The whole card reacts to the mouse; keyboards and screen readers use the link in its heading.
function card(key, value, href) {
  return h("article", {
    class: "card stat",
    onclick: (event) => { if (!event.defaultPrevented && !event.target.closest("a")) navigate(href); },
  },
  h("h2", null, h("a", { href }, t(`dashboard.${key}`))),
  h("p", { class: "stat-value" }, formatNumber(value)),
  h("p", { class: "muted" }, t(`dashboard.${key}.note`)));
}

// Speaks up only to those who look: a region that changes every few seconds must not interrupt a screen reader.
function liveStatus(signal) {
  const text = h("span", null, t("common.loading"));
  const update = async () => {
    try {
      const { watching, encoding } = await api.status(signal);
      text.textContent = t("dashboard.live", { watching, encoding });
    } catch (error) {
      if (error.name !== "AbortError") text.textContent = t("error.loading");
    }
  };
  update();
  const timer = setInterval(update, STATUS_EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
  return h("p", { role: "status", "aria-live": "off", class: "live", uiap: { id: "dashboard.live" } },
    h("span", { class: "live-dot", "aria-hidden": "true" }), text);
}
