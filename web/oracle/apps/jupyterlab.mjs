// JupyterLab with its launcher, a file list, a text file and its menus.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, pythonPackages, serverProcess } from "../machine.mjs";

export const name = "JupyterLab";
export const packages = "PyPI jupyterlab 4.4.10";

export async function start(scratch) {
  const programs = pythonPackages(scratch, "jupyterlab", ["jupyterlab==4.4.10"]);
  const cwd = join(scratch, "jupyterlab", "work");
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "notes.md"), "# Notes\n\nA line.\n");
  writeFileSync(join(cwd, "table.csv"), "a,b\n1,2\n");
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const folders = Object.fromEntries(["CONFIG", "DATA", "RUNTIME"].map((kind) => [`JUPYTER_${kind}_DIR`, join(scratch, "jupyterlab", kind.toLowerCase())]));
  const stop = await serverProcess(join(programs, "jupyter-lab"), ["--no-browser", "--allow-root", "--port", String(port), "--ServerApp.port_retries=0", "--IdentityProvider.token=", "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"], `${origin}/api`, { cwd, env: folders });
  const open = async (page) => {
    await page.send("Page.navigate", { url: `${origin}/lab?reset` });
    await page.until(() => document.querySelector(".jp-Launcher-body .jp-LauncherCard") !== null && document.querySelectorAll(".jp-DirListing-item").length === 2 && document.querySelector("#jupyterlab-splash") === null);
  };
  return {
    stop,
    pages: [
      { title: "launcher", open },
      {
        title: "file menu",
        open: async (page) => {
          await open(page);
          await page.click(".lm-MenuBar-item");
          await page.until(() => document.querySelector(".lm-Menu") !== null);
        },
      },
      {
        title: "text file",
        open: async (page) => {
          await open(page);
          await page.click(".jp-DirListing-item", 2);
          await page.until(() => document.querySelector(".jp-MarkdownViewer, .jp-FileEditor") !== null);
        },
      },
    ],
  };
}
