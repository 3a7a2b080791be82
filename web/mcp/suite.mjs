// The conformance suite of MCP (@modelcontextprotocol/conformance): which scenarios it has, and what it finds.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = at("../node_modules/@modelcontextprotocol/conformance/dist/index.js");
/** All scenarios of a revision take some seconds. */
const WAIT_MS_MAX = 300_000;

export const isInstalled = existsSync(PROGRAM);

/** What it prints. It ends with an error if a check fails, which is read from what it writes. */
const run = (...words) => new Promise((resolve, reject) => {
  const flags = ["--import", at("./node-22.mjs"), PROGRAM, ...words];
  execFile(process.execPath, flags, { timeout: WAIT_MS_MAX, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
    if (error && typeof error.code !== "number") reject(new Error(`${error.message}\n${stderr}`));
    else resolve(stdout + stderr);
  });
});

/** The scenarios for servers that the suite itself names for a revision. */
export async function scenariosOf(revision) {
  const listed = await run("list", "--server", "--spec-version", revision);
  return [...listed.matchAll(/^ {2}- (\S+)/gmu)].map(([, name]) => name);
}

/** Runs every scenario of a revision; what each found, by its name. */
export async function findings(url, revision) {
  const folder = await mkdtemp(join(tmpdir(), "uiap-conformance-"));
  try {
    const said = await run("server", "--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", folder);
    const found = new Map();
    for (const name of await readdir(folder)) {
      const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/u.exec(name)[1];
      found.set(scenario, JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8")));
    }
    if (found.size === 0) throw new Error(`The suite found nothing:\n${said}`);
    return found;
  } finally {
    await rm(folder, { recursive: true });
  }
}
