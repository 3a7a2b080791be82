// What Videoland offers to agents: descriptors with handlers that do exactly what the screens do.
import * as api from "./api.js";
import { navigate, refresh } from "./router.js";
import { createVideo, deleteVideo, inviteMember, publishVideo, renameVideo } from "./operations.js";

const text = (name, description, required = true) => ({ name, type: "string", required, description });
const videoId = { name: "id", type: "number", required: true, description: "Number of the video, as in /videos/:id." };

export const ACTIONS = [
  [{
    id: "video.create", kind: "domain", title: "Video erstellen",
    description: "Creates a video and opens it.",
    targetKinds: ["scope"], executionModes: ["appAction", "semanticUi"],
    args: [text("title", "Title of the new video."), {
      name: "useCase", type: "enum", required: false, description: "What the video is for.",
      enum: ["onboarding", "training", "marketing", "support", "event"],
    }],
    idempotency: "non_idempotent",
    risk: { level: "confirm", tags: ["external_effect"] },
    success: [{ kind: "route.changed", pattern: "/videos/:id" }, { kind: "toast.contains", text: "erstellt" }],
  }, ({ title, useCase = "" }, context) => createVideo({ title, useCase }, context?.idempotencyKey)],

  [{
    id: "video.rename", kind: "domain", title: "Video umbenennen",
    description: "Gives a video another title; it can be renamed back.",
    targetKinds: ["entity"], executionModes: ["appAction", "semanticUi"],
    args: [videoId, text("title", "The new title.")],
    idempotency: "idempotent",
    risk: { level: "safe", reason: "A title is a draft that can be changed back." },
    success: [{ kind: "toast.contains", text: "umbenannt" }],
  }, async ({ id, title }) => {
    const video = await renameVideo(id, title);
    await refresh();
    return video;
  }],

  [{
    id: "video.delete", kind: "domain", title: "Video löschen",
    description: "Deletes a video.",
    targetKinds: ["entity"], executionModes: ["appAction", "semanticUi"],
    args: [videoId],
    idempotency: "conditional",
    risk: { level: "confirm", tags: ["destructive"] },
    success: [{ kind: "route.changed", exact: "/videos" }, { kind: "toast.contains", text: "gelöscht" }],
  }, async ({ id }) => {
    const { video } = await api.getVideo(id);
    await deleteVideo(video, refresh);
    await navigate("/videos");
    return { id };
  }],

  [{
    id: "video.publish", kind: "domain", title: "Video veröffentlichen",
    description: "Publishes a video for everybody. It cannot be taken back.",
    targetKinds: ["entity"], executionModes: ["appAction", "semanticUi"],
    args: [videoId],
    idempotency: "non_idempotent",
    risk: { level: "blocked", tags: ["irreversible", "external_effect"], reason: "A person publishes." },
    success: [{ kind: "toast.contains", text: "veröffentlicht" }],
  }, async ({ id }) => {
    const video = await publishVideo(id);
    await refresh();
    return video;
  }],

  [{
    id: "team.invite", kind: "domain", title: "Mitglied einladen",
    description: "Sends an invitation by mail.",
    targetKinds: ["session"], executionModes: ["appAction", "semanticUi"],
    args: [text("email", "Where the invitation goes."), {
      name: "role", type: "enum", enum: ["viewer", "editor", "admin"], required: true, description: "Role on the team.",
    }],
    idempotency: "non_idempotent",
    risk: { level: "confirm", tags: ["external_effect"] },
    success: [{ kind: "toast.contains", text: "eingeladen" }],
  }, async ({ email, role }, context) => {
    const member = await inviteMember(email, role, context?.idempotencyKey);
    await refresh();
    return member;
  }],

  [{
    id: "billing.openSettings", kind: "domain", title: "Abrechnung öffnen",
    description: "Opens the billing settings and changes nothing.",
    targetKinds: ["route"], executionModes: ["appAction", "semanticUi"],
    idempotency: "idempotent",
    risk: { level: "safe" },
    success: [{ kind: "route.changed", exact: "/settings/billing" }],
  }, () => navigate("/settings/billing")],

  [{
    id: "workspace.search", kind: "domain", title: "Arbeitsbereich durchsuchen",
    description: "Finds videos by a part of their title.",
    targetKinds: ["session"], executionModes: ["appAction"],
    args: [text("query", "Part of a title.")],
    idempotency: "idempotent",
    risk: { level: "safe" },
    success: [{ kind: "network.response", urlPattern: "/api/search", status: 200 }],
  }, ({ query }) => api.search(query)],
];

export function registerActions() {
  for (const [descriptor, handler] of ACTIONS) {
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
