// What the applications need of the machine: packages in a scratch folder, processes, static files.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const INSTALL_MS_MAX = 600_000;
const START_MS_MAX = 60_000;
const RETRY_MS = 100;
const TYPES = { ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml", ".ttf": "font/ttf" };

function run(command, args, cwd) {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: INSTALL_MS_MAX });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? stderr.trim().split("\n").slice(-3).join(" ")}`);
}

/** Does the work once per folder and list of packages. */
function once(folder, packages, work) {
  const done = join(folder, "installed.json");
  const wanted = JSON.stringify(packages);
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return;
  mkdirSync(folder, { recursive: true });
  work();
  writeFileSync(done, wanted);
}

/** Installs npm packages and returns the folder that holds them. */
export function npmPackages(scratch, name, packages) {
  const folder = join(scratch, name);
  once(folder, packages, () => {
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", ...packages], folder);
  });
  return join(folder, "node_modules");
}

/** Installs PyPI packages into an environment of their own and returns the folder of its programs. */
export function pythonPackages(scratch, name, packages) {
  const folder = join(scratch, name);
  const programs = join(folder, "env", "bin");
  once(folder, packages, () => {
    run("python3", ["-m", "venv", "env"], folder);
    run(join(programs, "pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages], folder);
  });
  return programs;
}

/** Runs a program to its end. */
export function must(program, args, { cwd, env = {}, input } = {}) {
  const { status, stderr, error } = spawnSync(program, args, { cwd, input, encoding: "utf8", env: { ...process.env, ...env }, timeout: START_MS_MAX });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
}

/** A free port of this machine, as far as anybody can know. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  const { port } = server.address();
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

/** Starts a server and waits until it answers at `url`. */
export async function serverProcess(program, args, url, { cwd, env = {} } = {}) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => { said = (said + chunk).slice(-4000); });
  let ended = false;
  const exited = new Promise((resolve) => { child.once("exit", () => { ended = true; resolve(); }); });
  const deadline = Date.now() + START_MS_MAX;
  for (;;) {
    if (ended || Date.now() > deadline) throw new Error(`${program} does not answer at ${url}: ${said}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer) break;
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
  }
  return async () => {
    child.kill("SIGTERM");
    await exited;
  };
}

/** Serves folders, { "/prefix/": folder }, and pages, { "/path": html }. */
export async function staticServer(folders, pages) {
  const server = createServer(({ url }, answer) => {
    const { pathname } = new URL(url, "http://localhost");
    if (pages[pathname] !== undefined) {
      answer.writeHead(200, { "content-type": TYPES[extname(pathname)] ?? TYPES[".html"] }).end(pages[pathname]);
      return;
    }
    const prefix = Object.keys(folders).find((one) => pathname.startsWith(one));
    const file = prefix && normalize(join(folders[prefix], pathname.slice(prefix.length)));
    if (!file || !file.startsWith(folders[prefix] + sep) || !existsSync(file)) answer.writeHead(404).end();
    else answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    stop: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  };
}
