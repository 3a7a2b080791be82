// Datasette over a small database.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { freePort, must, pythonPackages, serverProcess } from "../machine.mjs";

export const name = "Datasette";
export const packages = "PyPI datasette 0.65.1";

const DATABASE = `import sqlite3
db = sqlite3.connect("films.db")
db.execute("create table directors (id integer primary key, name text)")
db.execute("create table films (id integer primary key, title text, year integer, director_id integer references directors(id))")
db.executemany("insert into directors (name) values (?)", [("Ada",), ("Grace",), ("Edsger",)])
db.executemany("insert into films (title, year, director_id) values (?, ?, ?)", [("Film %d" % n, 1950 + n, n % 3 + 1) for n in range(150)])
db.execute("create view recent as select * from films where year > 2000")
db.commit()
`;

export async function start(scratch) {
  const programs = pythonPackages(scratch, "datasette", ["datasette==0.65.1", "setuptools<81"]);
  const cwd = join(scratch, "datasette");
  rmSync(join(cwd, "films.db"), { force: true });
  must(join(programs, "python"), ["-"], { cwd, input: DATABASE });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const stop = await serverProcess(join(programs, "datasette"), ["serve", "films.db", "--port", String(port)], origin, { cwd });
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
    pages: [
      at("start", "/"), at("database", "/films"), at("table", "/films/films"), at("facets", "/films/films?_facet=director_id&_sort=year"),
      at("filtered", "/films/films?title__contains=7&year__gt=1960"), at("row", "/films/films/1"), at("query", "/films?sql=select+*+from+films+limit+5"), at("view", "/films/recent"),
      {
        title: "column menu",
        open: async (page) => {
          await at("table", "/films/films").open(page);
          await page.until(() => document.querySelector("svg.dropdown-menu-icon") !== null);
          await page.run(() => document.querySelector("svg.dropdown-menu-icon").dispatchEvent(new MouseEvent("click", { bubbles: true })));
          await page.until(() => document.querySelector(".dropdown-menu")?.style.display === "block");
        },
      },
    ],
  };
}
