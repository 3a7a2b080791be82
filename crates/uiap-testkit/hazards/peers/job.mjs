// What every driver of a peer does: go to each page, do what the request asks for, say whether the peer called it a
// success, and read what the page itself knows. One line of JSON per case.
//
// A driver gives `goTo(url)`, `evaluate(expression)`, `deeds` (one function per action that the peer has) and `close()`.
import { readFileSync } from "node:fs";

/** { browser, flags, cases: [{ name, url, request, page, settle }] } */
export const job = JSON.parse(readFileSync(process.argv[2], "utf8"));

/** Longest time for one action, in milliseconds: what our own runtime waits for an effect. */
export const ACTION_MS = 5000;
/** Longest time for one case with everything around it. */
const CASE_MS = 30_000;

export async function run({ goTo, evaluate, deeds, close }) {
  for (const one of job.cases) console.log(JSON.stringify({ name: one.name, ...await tried(one, { goTo, evaluate, deeds }) }));
  await close();
}

async function tried({ url, request, page, settle }, { goTo, evaluate, deeds }) {
  const deed = deeds[request.actionId];
  if (!deed) return { absent: `it has nothing for ${request.actionId}` };
  const target = request.target && named(request.target);
  if (request.target && !target) return { absent: "it cannot address the target" };
  try {
    await limited(goTo(url));
    await limited(evaluate("dispatchEvent(new Event('hazard:begin'))"));
  } catch (error) {
    return { absent: said(error) };
  }
  let error;
  try {
    await limited(deed(target, request.args ?? {}, url));
  } catch (thrown) {
    error = said(thrown);
  }
  await new Promise((resolve) => setTimeout(resolve, settle));
  return { error, shown: page === undefined ? undefined : await limited(evaluate(page)).catch(() => false) };
}

const said = (error) => String(error?.message ?? error).split("\n")[0].slice(0, 300);

function limited(work) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error("it takes too long")), CASE_MS); });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The words of ARIA for ours. */
const ROLES = { textarea: "textbox", datepicker: undefined, timepicker: undefined, fileinput: undefined };

function named({ ref }) {
  if (ref?.by !== "semantic") return undefined;
  const role = ref.role in ROLES ? ROLES[ref.role] : ref.role;
  return role && { role, name: ref.name };
}
