// The administration of Django, with its own users and groups.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort, must, pythonPackages, serverProcess } from "../machine.mjs";

export const name = "Django admin";
export const packages = "PyPI Django 5.2.9";

const USER = { DJANGO_SUPERUSER_PASSWORD: "oracle", DJANGO_SUPERUSER_USERNAME: "admin", DJANGO_SUPERUSER_EMAIL: "admin@example.org" };
const MORE = `from django.contrib.auth.models import Group, User
for name in ("ada", "grace", "edsger"): User.objects.create_user(name, name + "@example.org", "oracle")
Group.objects.create(name="Editors")
`;

export async function start(scratch) {
  const programs = pythonPackages(scratch, "django", ["Django==5.2.9"]);
  const python = join(programs, "python");
  const cwd = join(scratch, "django", "project");
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd, { recursive: true });
  must(join(programs, "django-admin"), ["startproject", "films", "."], { cwd });
  must(python, ["manage.py", "migrate", "--verbosity", "0"], { cwd });
  must(python, ["manage.py", "createsuperuser", "--noinput"], { cwd, env: USER });
  must(python, ["manage.py", "shell"], { cwd, input: MORE });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const stop = await serverProcess(python, ["manage.py", "runserver", "--noreload", `127.0.0.1:${port}`], `${origin}/admin/login/`, { cwd });
  const at = (title, path) => ({
    title,
    open: async (page) => {
      await page.send("Page.navigate", { url: origin + path });
      await page.until((wanted) => location.pathname + location.search === wanted && document.readyState === "complete", path);
    },
  });
  return {
    origin,
    stop,
    prepare: async (page) => {
      await at("login", "/admin/login/").open(page);
      await page.run(() => {
        document.querySelector("#id_username").value = "admin";
        document.querySelector("#id_password").value = "oracle";
        document.querySelector("form").requestSubmit();
      });
      await page.until(() => document.querySelector("#logout-form") !== null);
    },
    pages: [
      at("start", "/admin/"), at("users", "/admin/auth/user/"), at("users filtered", "/admin/auth/user/?is_staff__exact=1"), at("new user", "/admin/auth/user/add/"),
      at("user", "/admin/auth/user/1/change/"), at("password", "/admin/auth/user/1/password/"), at("history", "/admin/auth/user/1/history/"),
      at("delete user", "/admin/auth/user/2/delete/"), at("groups", "/admin/auth/group/"), at("new group", "/admin/auth/group/add/"), at("change password", "/admin/password_change/"),
    ],
  };
}
