// From a kind of hazard and a seed to a case: the page, the request, and how the truth is found out.
import { Chance } from "./chance.js";
import { Html, html } from "./html.js";
import { surround } from "./surroundings.js";

export { Html, html } from "./html.js";

/** Ways in which a page shows that something happened. */
const FORMS = ["status", "item", "alert", "toast"];

/**
 * A kind's `make` gives:
 *   markup   the part of the page that matters; `.it` in it is acted on
 *   run      a function that runs in the page: (page, its) => void
 *   its      what `run` gets besides
 *   parts    other documents under the same address: { name: { body, type? } }
 *   request  the `action.request`
 *   oracle   { ledger: { effect: count } } and `page` (an expression): all must hold for the effect to have come about
 *   never    effects that must not be in the ledger, whatever else happened
 *   honest   { effect: true | false | undefined, recognise, codes, asks, answer }
 *   settle   how long the truth may take to show after the answer, in milliseconds
 *   crash    the page's process is ended so many milliseconds after the request
 *   loose    where it stands: false keeps it out of boxes that could scroll or clip
 */
export function make(name, kind, seed) {
  const chance = new Chance(`${name} ${seed}`);
  const made = kind.make(chance);
  const { markup, run = () => {}, its = {}, parts = {}, request, oracle, never = [], honest, settle = 700, crash } = made;
  const html = surround(chance, markup, made);
  const script = `(${asFunction(run)})(page, ${JSON.stringify(its).replaceAll("<", "\\u003c")});`;
  return {
    kind: name, seed, request: patient(request, honest), oracle, never, settle, crash, parts,
    honest: { recognise: true, asks: false, answer: "grant", codes: [], ...honest },
    html: html.replace("<!-- script -->", () => `<script src="/lib/page.js"></script><script>${script}</script>`),
  };
}

/** Longest wait for an effect that never comes, in milliseconds; the page's own delays are shorter. */
const IN_VAIN_MS = 2000;

/** Waiting in vain for the whole usual time would teach nothing more. */
function patient(request, { effect }) {
  if (effect !== false || request.verification || request.timeoutMs) return request;
  return { ...request, verification: { timeoutMs: IN_VAIN_MS } };
}

/** A method loses its keyword when it is written out. */
function asFunction(run) {
  const text = String(run);
  return /^(async\s+)?(function\b|\(|[\w$]+\s*=>)/u.test(text) ? text : text.replace(/^(async\s+)?/u, "$1function ");
}

/** A button, written in one of the ways in which pages write them. */
export function button(chance, name, extra = "") {
  const more = new Html(extra);
  return chance.one([
    html`<button type="button" class="it" ${more}>${name}</button>`,
    html`<button type="button" class="it" ${more}><span>${name}</span></button>`,
    html`<div role="button" tabindex="0" class="it press" ${more}>${name}</div>`,
    html`<input type="button" class="it" value="${name}" ${more}>`,
    html`<button type="button" class="it" aria-label="${name}" ${more}><svg width="16" height="16" aria-hidden="true"><circle cx="8" cy="8" r="6"/></svg></button>`,
  ]);
}

/** A real button. */
export const plainButton = (name, extra = "") => html`<button type="button" class="it" ${new Html(extra)}>${name}</button>`;

/** A button with a place for what comes of it. */
export const withOutcome = (control) => html`${control}<p class="said" role="status"></p><ul class="items"></ul>`;

const target = (role, name) => ({ target: { ref: { by: "semantic", role, name } } });

/** A request for a primitive action on the element of this role and name. */
export const ask = (actionId, role, name, args) => ({ actionId, ...target(role, name), ...(args ? { args } : {}) });
export const activate = (name, role = "button") => ask("ui.activate", role, name);
export const signal = (kind, members) => ({ kind, ...members });
/** Success is one of these signals and nothing else. */
export const expecting = (request, ...signals) => ({ ...request, verification: { policy: "any", signals } });

/**
 * An effect that really comes about: on the server and in the page, or in the page alone.
 * `its` goes to the page, where `page.show(text, form)` shows it; `oracle` says how it is found out.
 */
export function outcome(chance, text = chance.success(), forms = FORMS) {
  const form = chance.one(forms);
  // A toast goes away by itself, so only the server can tell afterwards.
  const server = form === "toast" || chance.flag();
  const its = { text, form, server };
  const oracle = server ? { ledger: { done: 1 } } : { page: `page.reads(${JSON.stringify(text)})` };
  return { its, oracle };
}

/** The field of a form with its label, written in one of several ways. */
export function field(chance, name, input) {
  const id = `f${chance.int(100, 999)}`;
  const control = new Html(input.replace(/^<(\w+)/u, `<$1 class="it" id="${id}"`));
  return chance.flag()
    ? html`<label for="${id}">${name}</label> ${control}`
    : html`<label>${name} ${new Html(input.replace(/^<(\w+)/u, '<$1 class="it"'))}</label>`;
}

/** What goes wrong when nothing comes of an action. */
export const NOTHING_HAPPENED = { effect: false, codes: ["verification_failed", "timeout"] };
/** What goes wrong when a target cannot be acted on. */
export const NOT_POSSIBLE = { effect: false, codes: ["target_not_interactable"] };
/** It works, and must be known to have worked. */
export const WORKS = { effect: true };
