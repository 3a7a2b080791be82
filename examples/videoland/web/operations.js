// What a person and a registered action do alike: call the server, say it, and go where it leads.
import * as api from "./api.js";
import { t } from "./i18n.js";
import { navigate } from "./router.js";
import { setUser } from "./session.js";
import { renderShell } from "./shell.js";
import { toast } from "./ui/toast.js";

export async function signIn(name, password) {
  setUser((await api.login(name, password)).user);
  renderShell();
}

export async function signOut() {
  await api.logout();
  setUser(null);
  renderShell();
  await navigate("/login");
}

export async function createVideo(draft, key = api.freshKey()) {
  const { video } = await api.createVideo(draft, key);
  toast(t("video.created", { title: video.title }));
  await navigate(`/videos/${video.id}`);
  return video;
}

export async function renameVideo(id, title) {
  const { video } = await api.editVideo(id, { title });
  toast(t("video.renamed", { title: video.title }));
  return video;
}

export async function duplicateVideo(id) {
  const { video } = await api.duplicateVideo(id, api.freshKey());
  toast(t("video.duplicated", { title: video.title }));
  return video;
}

/** Deletes, and offers to take it back; `afterUndo` lets a list show the video again. */
export async function deleteVideo({ id, title }, afterUndo = () => {}) {
  await api.deleteVideo(id);
  const undo = async () => {
    await api.restoreVideo(id);
    toast(t("video.restored", { title }));
    await afterUndo();
  };
  toast(t("video.deleted", { title }), { action: { label: t("common.undo"), run: undo } });
}

export async function publishVideo(id) {
  const { video } = await api.publishVideo(id);
  toast(t("video.published", { title: video.title }));
  return video;
}

export async function inviteMember(email, role, key = api.freshKey()) {
  const { member } = await api.invite(email, role, key);
  toast(t("team.invited", { email: member.email }));
  return member;
}
