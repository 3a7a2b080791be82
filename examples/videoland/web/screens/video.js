import * as api from "../api.js";
import { formatDay, formatDuration, formatNumber, t } from "../i18n.js";
import { deleteVideo, publishVideo } from "../operations.js";
import { navigate, refresh } from "../router.js";
import { may } from "../session.js";
import { confirmDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { field, onSubmit, requireFields } from "../ui/form.js";
import { icon, thumbnail } from "../ui/icons.js";
import { accordion, tabs } from "../ui/tabs.js";
import { toast, toastError } from "../ui/toast.js";
import { renameDialog } from "./rename-dialog.js";
import { shareDialog } from "./share-dialog.js";

export async function show({ params, signal }) {
  const { video, comments } = await api.getVideo(params.id, signal);
  return {
    title: video.title,
    node: h("article", { class: "video", uiap: { scope: "video.detail", scopeKind: "region" } },
      h("p", { class: "crumbs" }, h("a", { href: "/videos" }, t("nav.videos")), " / ", String(video.id)),
      h("div", { class: "page-head" },
        h("div", null, h("h1", { uiap: { id: "video.heading" } }, video.title),
          h("p", { class: "muted" }, h("span", { class: `badge ${video.status}`, uiap: { id: "video.status", role: "status" } }, t(`status.${video.status}`)),
            ` ${t("video.meta", { views: formatNumber(video.views), owner: video.owner })}`)),
        toolbar(video)),
      h("div", { class: "video-columns" },
        h("div", { class: "player" }, thumbnail(video.id, 1), h("span", { class: "player-time" }, formatDuration(video.seconds))),
        tabs({
          label: t("video.tabs"), scope: "video.tab", tabs: [
            { id: "overview", label: t("video.tab.overview"), panel: overview(video) },
            { id: "comments", label: t("video.tab.comments", { count: comments.length }), panel: commentPanel(video, comments) },
            { id: "history", label: t("video.tab.history"), panel: historyPanel(video) },
          ],
        }))),
  };
}

function toolbar(video) {
  const rename = async () => { if (await renameDialog(video)) await refresh(); };
  const publish = () => confirmDialog({
    id: "video.publish.dialog", title: t("video.publish.title"), text: t("video.publish.text", { title: video.title }),
    yes: t("video.publish.yes"), uiap: { risk: "blocked", riskTags: ["irreversible", "external_effect"] },
    run: () => publishVideo(video.id),
    done: refresh,
  });
  const remove = () => confirmDialog({
    id: "video.delete.dialog", title: t("video.delete.title"), text: t("video.delete.text", { title: video.title }),
    yes: t("video.delete.yes"), uiap: { risk: "confirm", riskTags: ["destructive"] },
    run: () => deleteVideo(video, () => navigate(`/videos/${video.id}`)),
    done: () => navigate("/videos"),
  });
  const action = (symbol, text, run, uiap, kind) => h("button", { type: "button", class: kind, "aria-haspopup": "dialog", uiap, onclick: () => run().catch(toastError) }, icon(symbol), text);
  return h("div", { class: "toolbar", role: "toolbar", "aria-label": t("videos.actions") },
    may("editor") && action("edit", t("video.rename"), rename, { id: "video.rename", risk: "safe" }),
    may("editor") && action("share", t("video.share"), () => shareDialog(video), { id: "video.share", risk: "safe" }),
    may("admin") && video.status !== "published" && action("publish", t("video.publish"), publish, { id: "video.publish", risk: "blocked", riskTags: ["irreversible"] }),
    may("admin") && action("trash", t("common.delete"), remove, { id: "video.delete", risk: "confirm", riskTags: ["destructive"] }, "danger-quiet"));
}

function overview(video) {
  const facts = (entries) => h("dl", { class: "facts" }, entries.map(([name, value]) => [h("dt", null, name), h("dd", null, value || t("common.none"))]));
  return accordion([
    { title: t("video.description"), open: true, content: h("p", { class: "prose" }, video.description || t("common.none")) },
    {
      title: t("video.facts"), content: facts([
        [t("video.useCase"), video.useCase && t(`useCase.${video.useCase}`)],
        [t("video.category"), video.category && t(`category.${video.category}`)],
        [t("video.visibility"), t(`visibility.${video.visibility}`)],
        [t("video.date"), formatDay(video.date)],
        [t("video.tags"), video.tags.join(", ")],
      ]),
    },
    {
      title: t("video.technical"), content: facts([
        [t("video.quality"), `${video.quality} %`],
        [t("video.volume"), `${formatNumber(video.volume)} %`],
        [t("video.captions"), t(video.captions ? "common.yes" : "common.no")],
        [t("video.file"), video.fileName],
      ]),
    },
  ]);
}

function commentPanel(video, comments) {
  const list = h("ul", { class: "comments", uiap: { id: "video.comments" } }, comments.map(commentItem));
  const text = h("textarea", { rows: "3", name: "text", uiap: { id: "video.comment.text" } });
  const form = h("form", { uiap: { scope: "video.comment.form", scopeKind: "form" } },
    field({ name: "text", label: t("video.comment"), control: text, required: true }),
    h("div", { class: "form-actions" }, h("button", { type: "submit", class: "primary", uiap: { id: "video.comment.submit", risk: "confirm" } }, t("video.comment.send"))));
  let key = api.freshKey();
  onSubmit(form, async () => {
    requireFields({ text: text.value });
    const { comment } = await api.addComment(video.id, text.value, key);
    key = api.freshKey();
    text.value = "";
    list.append(commentItem(comment));
    toast(t("video.commented"));
  });
  return [list, form];
}

function commentItem({ author, text }) {
  return h("li", null, h("span", { class: "avatar small", "aria-hidden": "true" }, author.slice(0, 1)),
    h("div", null, h("strong", null, author), h("p", null, text)));
}

function historyPanel(video) {
  return h("ol", { class: "history" },
    h("li", null, t("video.history.created", { owner: video.owner })),
    h("li", null, t("video.history.updated", { day: formatDay(video.updated) })),
    video.status === "published" && h("li", null, t("video.history.published")));
}
