import * as api from "../api.js";
import { t } from "../i18n.js";
import { inviteMember } from "../operations.js";
import { refresh } from "../router.js";
import { may } from "../session.js";
import { confirmDialog, openDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { field, onSubmit, requireFields, selectControl } from "../ui/form.js";
import { icon } from "../ui/icons.js";
import { toast, toastError } from "../ui/toast.js";

const ROLES = ["viewer", "editor", "admin"];
const roleOptions = () => ROLES.map((role) => [role, t(`role.${role}`)]);

export async function show({ signal }) {
  const { members } = await api.listTeam(signal);
  const invite = async () => { if (await inviteDialog()) await refresh(); };
  return {
    title: t("nav.team"),
    node: h("div", { class: "team" },
      h("div", { class: "page-head" }, h("h1", null, t("nav.team")),
        may("admin") && h("button", { type: "button", class: "primary", "aria-haspopup": "dialog", uiap: { id: "team.invite", risk: "safe" }, onclick: invite }, icon("plus"), t("team.invite"))),
      h("p", { class: "muted" }, may("admin") ? t("team.lead") : t("team.readOnly")),
      h("ul", { class: "members card", uiap: { scope: "team.members", scopeKind: "list" } }, members.map(memberItem))),
  };
}

function memberItem(member) {
  return h("li", null,
    h("span", { class: "avatar", "aria-hidden": "true" }, member.name.slice(0, 1).toUpperCase()),
    h("div", { class: "member-name" }, h("strong", null, member.name), member.invited && h("span", { class: "badge review" }, t("team.pending")),
      !member.invited && h("small", null, member.email)),
    may("admin") ? roleSelect(member) : h("span", { class: "badge" }, t(`role.${member.role}`)),
    may("admin") && h("button", { type: "button", class: "danger-quiet", "aria-haspopup": "dialog", onclick: () => remove(member) }, t("team.remove")));
}

function roleSelect(member) {
  const select = selectControl({ "aria-label": t("team.roleOf", { name: member.name }), value: member.role, options: roleOptions() });
  select.addEventListener("change", async () => {
    try {
      await api.changeRole(member.id, select.value);
      member.role = select.value;
      toast(t("team.roleChanged", { name: member.name, role: t(`role.${select.value}`) }));
    } catch (error) {
      select.value = member.role;
      toastError(error);
    }
  });
  return select;
}

function remove(member) {
  return confirmDialog({
    id: "team.remove.dialog", title: t("team.remove.title"), text: t("team.remove.text", { name: member.name }),
    yes: t("team.remove"), uiap: { risk: "confirm", riskTags: ["destructive", "identity"] },
    run: async () => {
      await api.removeMember(member.id);
      toast(t("team.removed", { name: member.name }));
    },
    done: refresh,
  });
}

function inviteDialog() {
  return openDialog({ id: "team.invite.dialog", title: t("team.invite") }, (close) => {
    const key = api.freshKey();
    const email = h("input", { type: "email", name: "email", autocomplete: "off", autofocus: true, uiap: { id: "team.invite.email", dataClass: "personal" } });
    const role = selectControl({ name: "role", value: "viewer", options: roleOptions(), uiap: { id: "team.invite.role" } });
    const form = h("form", { uiap: { scope: "team.invite.form", scopeKind: "form" } },
      field({ name: "email", label: t("common.email"), control: email, required: true }),
      field({ name: "role", label: t("team.role"), control: role }),
      h("p", { class: "hint" }, t("team.invite.hint")),
      h("div", { class: "dialog-actions" },
        h("button", { type: "button", onclick: () => close() }, t("common.cancel")),
        h("button", { type: "submit", class: "primary", uiap: { id: "team.invite.submit", risk: "confirm", riskTags: ["external_effect"] } }, t("team.invite.send"))));
    return onSubmit(form, async () => {
      requireFields({ email: email.value });
      close(await inviteMember(email.value, role.value, key));
    });
  });
}
