// The editor of Node-RED with one small flow in it: one page without addresses of its own, drawn in the browser.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, npmPackages, serverProcess } from "../oracle/machine.mjs";

export const name = "Node-RED";
export const packages = "npm node-red 4.0.9";

const FLOW = [
  { id: "f1", type: "tab", label: "Films" },
  { id: "n1", type: "inject", z: "f1", name: "Every film", x: 200, y: 120, wires: [["n2"]], props: [{ p: "payload" }], payloadType: "date", topic: "" },
  { id: "n2", type: "debug", z: "f1", name: "Say it", x: 420, y: 120, wires: [] },
];
const SETTINGS = `module.exports = {
  flowFile: "flows.json", credentialSecret: "films", telemetry: { enabled: false, updateNotification: false },
  logging: { console: { level: "error" } }, editorTheme: { tours: false },
};
`;

export async function start(scratch) {
  const modules = npmPackages(scratch, "node-red", ["node-red@4.0.9"]);
  const cwd = join(scratch, "node-red", "work");
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "flows.json"), JSON.stringify(FLOW));
  writeFileSync(join(cwd, "settings.js"), SETTINGS);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const stop = await serverProcess(process.execPath, [join(modules, "node-red", "red.js"), "--userDir", cwd, "--settings", join(cwd, "settings.js"), "--port", String(port)], `${origin}/flows`, { cwd });
  return { origin, stop, pages: [] };
}
