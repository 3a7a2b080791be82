// The start: who is signed in, in which language, and where.
import { registerActions } from "./actions.js";
import { initLanguage } from "./i18n.js";
import { startRouter } from "./router.js";
import { loadSession } from "./session.js";
import { mountShell } from "./shell.js";

initLanguage();
await loadSession();
mountShell();
registerActions();
await startRouter();
if (document.querySelector("meta[name=uiap]")) await (await import("./agents.js")).startAgents();
