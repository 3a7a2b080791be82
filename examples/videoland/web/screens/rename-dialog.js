// Asks for another title; used by the list and by the video itself.
import { t } from "../i18n.js";
import { renameVideo } from "../operations.js";
import { openDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { field, onSubmit, requireFields } from "../ui/form.js";

/** Resolves with the changed video, or with nothing when it was called off. */
export function renameDialog(video) {
  return openDialog({ id: "video.rename.dialog", title: t("video.rename") }, (close) => {
    const title = h("input", { type: "text", value: video.title, autofocus: true, uiap: { id: "video.rename.title" } });
    const form = h("form", null,
      field({ name: "title", label: t("video.title"), control: title, required: true }),
      h("div", { class: "dialog-actions" },
        h("button", { type: "button", onclick: () => close() }, t("common.cancel")),
        h("button", { type: "submit", class: "primary", uiap: { id: "video.rename.submit" } }, t("common.save"))));
    return onSubmit(form, async () => {
      requireFields({ title: title.value });
      close(await renameVideo(video.id, title.value));
    });
  });
}
