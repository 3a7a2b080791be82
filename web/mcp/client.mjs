// An MCP client from the official SDK in front of `uiap mcp`, and a person who answers as a test says.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts the binary named by UIAP_BIN. Without `person` the client has no elicitation, and the desktop shows notifications. */
export async function startClient({ person, flags = [], env = {} } = {}) {
  const binary = process.env.UIAP_BIN;
  if (!binary) throw new Error("Set UIAP_BIN to the built uiap binary (cargo build -p uiap).");
  const folder = await mkdtemp(join(tmpdir(), "uiap-mcp-"));
  const shown = join(folder, "notified");
  await writeFile(join(folder, "notify-send"), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${shown}'\n`, { mode: 0o755 });
  const desktop = { PATH: `${folder}:${process.env.PATH}`, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", DISPLAY: "", WAYLAND_DISPLAY: "" };
  const transport = new StdioClientTransport({
    command: binary,
    args: ["mcp", "--journal", join(folder, "journal.sqlite"), ...flags],
    env: { ...process.env, ...desktop, ...env },
    stderr: "inherit",
  });
  const capabilities = person ? { elicitation: {} } : {};
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  let listChanged = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => { listChanged += 1; });
  const asked = [];
  if (person) {
    client.setRequestHandler(ElicitRequestSchema, (request) => {
      asked.push(request.params.message);
      return person(request.params.message);
    });
  }
  await client.connect(transport);
  return {
    client,
    folder,
    asked,
    /** The code that the desktop showed last. */
    code: async () => (await readFile(shown, "utf8")).match(/[0-9A-Z]{4}-[0-9A-Z]{4}/gu).at(-1),
    changes: () => listChanged,
    tools: async () => (await client.listTools()).tools,
    /** Calls a tool; the SDK holds the answer against the output schema. */
    call: (name, args = {}, options) => client.callTool({ name, arguments: args }, undefined, options),
    stop: async () => {
      await client.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export const yes = () => ({ action: "accept", content: { agree: true } });

/** What stands between the marks of a page, and what stands outside of them. */
export function parts(result) {
  const text = result.content.map((block) => block.text ?? "").join("\n");
  const found = /<page untrusted (\d{9})>\n([\s\S]*)\n<\/page \1>/.exec(text);
  return { text, page: found?.[2] ?? "", own: found ? text.replace(found[0], "") : text };
}
