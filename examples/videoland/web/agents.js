// Lets agents take part in this page, where the server was started with --uiap. Off otherwise: nothing of it is loaded.
import { actions } from "./actions.js";
import { matchRoute, navigate } from "./router.js";
import { createUIAPClient, webSocketTransport } from "./uiap-sdk/index.js";
import { createOverlay } from "./uiap-sdk/overlay.js";

const { url } = document.querySelector("meta[name=uiap]").dataset;

async function ticket() {
  const response = await fetch("/api/agents/ticket", { method: "POST" });
  if (!response.ok) throw new Error(`no ticket: ${response.status}`);
  return (await response.json()).ticket;
}

export async function startAgents() {
  const client = createUIAPClient({
    app: { id: "videoland", version: "1.0.0", profile: "web@0.1", locale: document.documentElement.lang },
    transport: webSocketTransport({ url, ticket }),
    overlay: createOverlay(),
  });
  for (const [descriptor, handler] of actions()) {
    client.registerAction(descriptor, async ({ args, actionHandle }) => {
      const returnValue = await handler(args, { idempotencyKey: actionHandle });
      return returnValue ? { returnValue } : undefined;
    });
  }
  client.registerRouteProvider({ routeId: () => matchRoute(location.pathname).id, navigate });
  await client.start();
}
