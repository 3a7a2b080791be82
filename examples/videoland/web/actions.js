// What Videoland offers to agents: descriptors with handlers that do exactly what the screens do.
import * as api from "./api.js";
import { translator } from "./i18n.js";
import { navigate, refresh } from "./router.js";
import { createVideo, deleteVideo, inviteMember, publishVideo, renameVideo } from "./operations.js";

const say = translator({
  de: {
    create: "Video erstellen", rename: "Video umbenennen", delete: "Video löschen",
    publish: "Video veröffentlichen", invite: "Mitglied einladen", billing: "Abrechnung öffnen",
    search: "Arbeitsbereich durchsuchen", created: "erstellt", renamed: "umbenannt", deleted: "gelöscht",
    published: "veröffentlicht", invited: "eingeladen",
  },
  en: {
    create: "Create a video", rename: "Rename a video", delete: "Delete a video", publish: "Publish a video",
    invite: "Invite a member", billing: "Open billing", search: "Search the workspace", created: "created",
    renamed: "renamed", deleted: "deleted", published: "published", invited: "invited",
  },
});

const text = (name, description, required = true) => ({ name, type: "string", required, description });
const videoId = { name: "id", type: "number", required: true, description: "Number of the video, as in /videos/:id." };

/** Descriptors with their handlers, in the language of the page. */
export const actions = () => [
  [{
    id: "video.create", kind: "domain", title: say("create"),
    description: "Creates a video and opens it.",
    targetKinds: ["scope"], executionModes: ["appAction", "semanticUi"],
    args: [text("title", "Title of the new video."), {
      name: "useCase", type: "enum", required: false, description: "What the video is for.",
      enum: ["onboarding", "training", "marketing", "support", "event"],
    }],
    idempotency: "non_idempotent",
    risk: { level: "confirm", tags: ["external_effect"] },
    success: [{ kind: "route.changed", pattern: "/videos/:id" }, { kind: "toast.contains", text: say("created") }],
  }, ({ title, useCase = "" }, context) => createVideo({ title, useCase }, context?.idempotencyKey)],

  [{
    id: "video.rename", kind: "domain", title: say("rename"),
    description: "Gives a video another title; it can be renamed back.",
    targetKinds: ["entity"], executionModes: ["appAction", "semanticUi"],
    args: [videoId, text("title", "The new title.")],
    idempotency: "idempotent",
    risk: { level: "safe", reason: "A title is a draft that can be changed back." },
    success: [{ kind: "toast.contains", text: say("renamed") }],
  }, async ({ id, title }) => {
    const video = await renameVideo(id, title);
    await refresh();
    return video;
  }],

  [{
    id: "video.delete", kind: "domain", title: say("delete"),
    description: "Deletes a video.",
    targetKinds: ["entity"], executionModes: ["appAction", "semanticUi"],
    args: [videoId],
    idempotency: "conditional",
    risk: { level: "confirm", tags: ["destructive"] },
    success: [{ kind: "route.changed", exact: "/videos" }, { kind: "toast.contains", text: say("deleted") }],
  }, async ({ id }) => {
    const { video } = await api.getVideo(id);
    await deleteVideo(video, refresh);
    await navigate("/videos");
    return { id };
  }],

  [{
    id: "video.publish", kind: "domain", title: say("publish"),
    description: "Publishes a video for everybody. It cannot be taken back.",
    targetKinds: ["entity"], executionModes: ["appAction", "semanticUi"],
    args: [videoId],
    idempotency: "non_idempotent",
    risk: { level: "blocked", tags: ["irreversible", "external_effect"], reason: "A person publishes." },
    success: [{ kind: "toast.contains", text: say("published") }],
  }, async ({ id }) => {
    const video = await publishVideo(id);
    await refresh();
    return video;
  }],

  [{
    id: "team.invite", kind: "domain", title: say("invite"),
    description: "Sends an invitation by mail.",
    targetKinds: ["session"], executionModes: ["appAction", "semanticUi"],
    args: [text("email", "Where the invitation goes."), {
      name: "role", type: "enum", enum: ["viewer", "editor", "admin"], required: true, description: "Role on the team.",
    }],
    idempotency: "non_idempotent",
    risk: { level: "confirm", tags: ["external_effect"] },
    success: [{ kind: "toast.contains", text: say("invited") }],
  }, async ({ email, role }, context) => {
    const member = await inviteMember(email, role, context?.idempotencyKey);
    await refresh();
    return member;
  }],

  [{
    id: "billing.openSettings", kind: "domain", title: say("billing"),
    description: "Opens the billing settings and changes nothing.",
    targetKinds: ["route"], executionModes: ["appAction", "semanticUi"],
    idempotency: "idempotent",
    risk: { level: "safe" },
    success: [{ kind: "route.changed", exact: "/settings/billing" }],
  }, () => navigate("/settings/billing")],

  [{
    id: "workspace.search", kind: "domain", title: say("search"),
    description: "Finds videos by a part of their title.",
    targetKinds: ["session"], executionModes: ["appAction"],
    args: [text("query", "Part of a title.")],
    idempotency: "idempotent",
    risk: { level: "safe" },
    success: [{ kind: "network.response", urlPattern: "/api/search", status: 200 }],
  }, ({ query }) => api.search(query)],
];

export function registerActions() {
  for (const [descriptor, handler] of actions()) {
    // A publisher may come before or after the page: until it does, its global is a queue that it drains later.
    (globalThis.uiap ??= []).push(["registerAction", descriptor, handler]);
    if (descriptor.risk.level === "safe") offerToBrowser(descriptor, handler);
  }
}

// WebMCP knows no confirmation by a person that we could bind to, so only safe actions are offered there.
function offerToBrowser({ id, description, args = [] }, handler) {
  // The draft moved from navigator to document; browsers have one, the other or neither.
  const context = document.modelContext ?? navigator.modelContext;
  if (typeof context?.registerTool !== "function") return;
  const properties = Object.fromEntries(args.map(({ name, type, description: about }) => [name, { type, description: about }]));
  context.registerTool({
    name: id.replaceAll(".", "_"),
    description,
    inputSchema: { type: "object", properties, required: args.filter(({ required }) => required).map(({ name }) => name) },
    execute: async (input) => ({ content: [{ type: "text", text: JSON.stringify(await handler(input) ?? { done: true }) }] }),
  });
}
