// The list: sorting, filter, pages and row actions. `?view=virtual` shows all rows in one scrolling box.
import * as api from "../api.js";
import { formatDay, formatDuration, formatNumber, t } from "../i18n.js";
import { deleteVideo, duplicateVideo } from "../operations.js";
import { may } from "../session.js";
import { confirmDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { selectControl } from "../ui/form.js";
import { icon, thumbnail } from "../ui/icons.js";
import { toastError } from "../ui/toast.js";
import { renameDialog } from "./rename-dialog.js";
import { virtualTable } from "./videos-virtual.js";

const PER_PAGE = 20;
const TYPING_PAUSE_MS = 250;
const COLUMNS = [["title", true], ["status", false], ["views", true], ["updated", true]];

export async function show({ query, signal }) {
  const state = {
    search: query.get("search") ?? "", status: query.get("status") ?? "", sort: query.get("sort") ?? "",
    dir: query.get("dir") ?? "", page: Number(query.get("page")) || 1,
  };
  const virtual = query.get("view") === "virtual";
  const results = h("div", { class: "results", uiap: { scope: "videos.list", scopeKind: "table" } });
  const summary = h("p", { class: "muted", role: "status", uiap: { id: "videos.summary" } });

  const load = async () => {
    const answer = await api.listVideos({ ...state, perPage: virtual ? 500 : PER_PAGE, page: virtual ? 1 : state.page }, signal);
    summary.textContent = t("videos.count", { count: formatNumber(answer.total) });
    keepingFocus(results, () => results.replaceChildren(...(virtual ? [virtualTable(answer.videos)] : [table(answer.videos, state, change, load), pages(answer, change)])));
  };
  const change = async (changes) => {
    Object.assign(state, changes);
    history.replaceState(null, "", address(state, virtual));
    try {
      await load();
    } catch (error) {
      if (error.name !== "AbortError") toastError(error);
    }
  };
  await load();
  return {
    title: t("nav.videos"),
    node: h("div", { class: "videos" },
      h("div", { class: "page-head" }, h("h1", null, t("nav.videos")),
        may("editor") && h("a", { class: "button primary", href: "/videos/new", uiap: { id: "videos.new" } }, icon("plus"), t("nav.videos.new"))),
      filters(state, change, virtual), summary, results),
  };
}

// A redrawn list gives the focus to what now stands where the focused control stood.
function keepingFocus(box, redraw) {
  const controls = () => [...box.querySelectorAll("a, button:not(:disabled)")];
  const at = controls().indexOf(document.activeElement);
  redraw();
  if (at >= 0) controls().at(Math.min(at, controls().length - 1))?.focus({ preventScroll: true });
}

function address(state, virtual) {
  const values = Object.entries({ ...state, page: state.page > 1 ? state.page : "" }).filter(([, value]) => value !== "");
  if (virtual) values.push(["view", "virtual"]);
  return values.length > 0 ? `/videos?${new URLSearchParams(values)}` : "/videos";
}

function filters(state, change, virtual) {
  let timer;
  return h("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault(), "aria-label": t("videos.filter") },
    h("input", {
      type: "search", value: state.search, placeholder: t("videos.search"), "aria-label": t("videos.search"), uiap: { id: "videos.search" },
      oninput: (event) => {
        clearTimeout(timer);
        timer = setTimeout(() => change({ search: event.target.value, page: 1 }), TYPING_PAUSE_MS);
      },
    }),
    selectControl({
      "aria-label": t("videos.status"), value: state.status, uiap: { id: "videos.status" },
      options: [["", t("videos.allStatuses")], ...["draft", "review", "published"].map((status) => [status, t(`status.${status}`)])],
      onchange: (event) => change({ status: event.target.value, page: 1 }),
    }),
    h("a", { class: "button", href: virtual ? "/videos" : "/videos?view=virtual" }, t(virtual ? "videos.showPages" : "videos.showVirtual")));
}

function table(videos, state, change, reload) {
  if (videos.length === 0) return h("p", { class: "empty card" }, t("videos.none"));
  return h("div", { class: "table-box card" }, h("table", { class: "table" },
    h("caption", { class: "visually-hidden" }, t("nav.videos")),
    h("thead", null, h("tr", null,
      COLUMNS.map(([name, sortable]) => heading(name, sortable, state, change)),
      h("th", { scope: "col", class: "actions-column" }, t("videos.actions")))),
    h("tbody", null, videos.map((video) => row(video, reload)))));
}

function heading(name, sortable, state, change) {
  const text = t(`videos.column.${name}`);
  if (!sortable) return h("th", { scope: "col" }, text);
  const direction = state.sort === name ? (state.dir === "desc" ? "descending" : "ascending") : "none";
  const toggle = () => change({ sort: name, dir: direction === "ascending" ? "desc" : "", page: 1 });
  return h("th", { scope: "col", "aria-sort": direction },
    h("button", { type: "button", class: "sort", onclick: toggle }, text, h("span", { class: `sort-mark ${direction}`, "aria-hidden": "true" })));
}

// The row actions carry no ids and no distinguishing names, as in most real applications.
function row(video, reload) {
  const attempt = (run) => () => run().catch(toastError);
  const remove = () => confirmDialog({
    id: "video.delete.dialog", title: t("video.delete.title"), text: t("video.delete.text", { title: video.title }),
    yes: t("video.delete.yes"), uiap: { risk: "confirm", riskTags: ["destructive"] },
    run: () => deleteVideo(video, reload),
    done: reload,
  });
  const rename = async () => { if (await renameDialog(video)) await reload(); };
  const duplicate = async () => {
    await duplicateVideo(video.id);
    await reload();
  };
  const action = (symbol, name, run, popup) => h("button", { type: "button", class: "icon-button", "aria-label": name, title: name, "aria-haspopup": popup, onclick: attempt(run) }, icon(symbol));
  return h("tr", null,
    h("td", { class: "title-cell" }, h("a", { href: `/videos/${video.id}` }, thumbnail(video.id),
      h("span", null, h("strong", null, video.title), h("small", null, `${t(`category.${video.category}`)} · ${formatDuration(video.seconds)}`)))),
    h("td", null, h("span", { class: `badge ${video.status}` }, t(`status.${video.status}`))),
    h("td", { class: "number" }, formatNumber(video.views)),
    h("td", { class: "number" }, formatDay(video.updated)),
    h("td", { class: "row-actions" },
      may("editor") && action("edit", t("common.edit"), rename, "dialog"),
      may("editor") && action("copy", t("common.duplicate"), duplicate),
      may("admin") && action("trash", t("common.delete"), remove, "dialog")));
}

function pages({ total, page, perPage }, change) {
  const last = Math.max(1, Math.ceil(total / perPage));
  const step = (name, to) => h("button", { type: "button", disabled: to < 1 || to > last, uiap: { id: `videos.page.${name}` }, onclick: () => change({ page: to }) }, t(`videos.${name}`));
  return h("nav", { class: "pagination", "aria-label": t("videos.pages") },
    step("previous", page - 1), h("span", null, t("videos.page", { page, last })), step("next", page + 1));
}
