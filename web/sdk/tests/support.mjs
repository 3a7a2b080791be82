// A real `uiap serve` for pages of an origin, and an agent over HTTP.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** `uiap serve` for pages of an origin, on a free port. */
export async function serve(origin) {
  const folder = await mkdtemp(join(tmpdir(), "uiap-sdk-"));
  const child = spawn(process.env.UIAP_BIN, ["serve", "--listen", "127.0.0.1:0", "--app-origin", origin, "--journal", join(folder, "journal.sqlite")],
    { stdio: ["ignore", "ignore", "pipe"] });
  const exited = new Promise((resolve) => { child.once("exit", resolve); });
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /^Listening: ws:\/\/([^/]+)/.exec(line)?.[1];
    if (!address) continue;
    child.stderr.resume();
    return { address, stop: async () => { child.kill(); await exited; await rm(folder, { recursive: true, force: true }); } };
  }
  throw new Error("uiap serve never listened");
}

/** An agent over `http@0.1`. */
export async function startAgent(address) {
  let count = 0;
  let sessionId;
  const post = async (path, type, payload) => {
    count += 1;
    const message = { uiap: "0.1", kind: "request", type, id: `m${count}`, ts: new Date().toISOString(), source: { role: "agent", id: "me" }, ...(sessionId && { sessionId }), payload };
    const response = await fetch(`http://${address}${path}`, { method: "POST", headers: { "content-type": "application/uiap+json" }, body: JSON.stringify(message) });
    return response.json();
  };
  const begun = await post("/uiap/sessions", "session.initialize", { supportedVersions: ["0.1"], supportedProfiles: ["web@0.1"], peer: { name: "me" } });
  sessionId = begun.sessionId;
  const ask = (type, payload = {}) => post(`/uiap/sessions/${sessionId}/messages`, type, payload);
  const result = async (request) => {
    await ask("action.request", request);
    const events = await fetch(`http://${address}/uiap/sessions/${sessionId}/events`);
    let text = "";
    for await (const part of events.body.pipeThrough(new TextDecoderStream())) {
      text += part;
      const line = text.split("\n").find((one) => one.startsWith("data:") && one.includes('"action.result"') && one.endsWith("}"));
      if (line) return JSON.parse(line.slice("data:".length)).payload;
    }
    throw new Error("the events ended");
  };
  /** The page, once there is one that is as wanted. */
  const page = async (isWanted = () => true) => {
    for (;;) {
      const { type, payload } = await ask("web.state.get");
      if (type !== "error" && isWanted(payload.graph)) return payload.graph;
    }
  };
  return { ask, result, page };
}
