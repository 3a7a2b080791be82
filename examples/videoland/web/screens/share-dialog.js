import * as api from "../api.js";
import { t } from "../i18n.js";
import { openDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { field, onSubmit, requireFields } from "../ui/form.js";
import { toast } from "../ui/toast.js";

/** Sends a video to somebody outside by mail. */
export function shareDialog(video) {
  return openDialog({ id: "video.share.dialog", title: t("video.share.title") }, (close) => {
    const key = api.freshKey();
    const email = h("input", { type: "email", name: "email", autocomplete: "off", autofocus: true, uiap: { id: "video.share.email", dataClass: "personal" } });
    const message = h("textarea", { rows: "3", name: "message", uiap: { id: "video.share.message" } });
    const form = h("form", { uiap: { scope: "video.share.form", scopeKind: "form" } },
      h("p", { class: "muted" }, t("video.share.lead", { title: video.title })),
      field({ name: "email", label: t("common.email"), control: email, required: true }),
      field({ name: "message", label: t("video.share.message"), control: message }),
      h("div", { class: "dialog-actions" },
        h("button", { type: "button", onclick: () => close() }, t("common.cancel")),
        h("button", { type: "submit", class: "primary", uiap: { id: "video.share.submit", risk: "confirm", riskTags: ["external_effect"] } }, t("video.share.send"))));
    return onSubmit(form, async () => {
      requireFields({ email: email.value });
      const sent = await api.shareVideo(video.id, { email: email.value, message: message.value }, key);
      close(true);
      toast(t("video.shared", { email: sent.email }));
    });
  });
}
