// Everything around a hazard: other buttons, fields, texts, regions, styles, in random number and order.
import { Html, html } from "./html.js";

/** A page with the hazard somewhere on it. */
export function surround(chance, markup, { loose = true }) {
  const before = chance.int(0, 7);
  const after = chance.int(0, 9);
  const filler = () => one(chance);
  const boxed = loose ? box(chance, markup) : html`<div class="thing">${markup}</div>`;
  const body = [...Array.from({ length: before }, filler), boxed, ...Array.from({ length: after }, filler)];
  const title = chance.noun();
  const main = chance.flag(0.8) ? html`<main>${body}</main>` : html`<div>${body}</div>`;
  const head = chance.flag() ? html`<header><h1>${title}</h1><nav><a href="#top">${chance.noun()}</a> <a href="#end">${chance.noun()}</a></nav></header>` : html`<h1>${title}</h1>`;
  const aside = chance.flag(0.4) ? html`<aside aria-label="${chance.noun()}">${filler()}${filler()}</aside>` : "";
  return html`<!doctype html><html lang="${chance.words.code}"><head><meta charset="utf-8"><title>${title}</title>
<style>${new Html(style(chance))}</style></head><body>${head}${main}${aside}<!-- script --></body></html>`.text;
}

/** The unit that the hazard stands in. */
function box(chance, markup) {
  const name = chance.noun();
  let inner = html`<div class="thing">${markup}</div>`;
  inner = chance.one([
    () => inner,
    () => html`<section aria-label="${name}"><h2>${name}</h2>${inner}</section>`,
    () => html`<article><h3>${name}</h3>${inner}</article>`,
    () => html`<table><tbody><tr><th scope="row">${name}</th><td>${inner}</td></tr></tbody></table>`,
    () => html`<ul><li>${inner}</li></ul>`,
    () => html`<div class="card"><p>${name}</p>${inner}</div>`,
  ])();
  for (let depth = chance.int(0, 4); depth > 0; depth -= 1) inner = html`<div>${inner}</div>`;
  return inner;
}

function one(chance) {
  const name = chance.noun();
  return chance.one([
    () => html`<p>${name}: ${chance.int(1, 900)}</p>`,
    () => html`<p><button type="button">${chance.command()}</button></p>`,
    () => html`<p><a href="#${chance.int(1, 99)}">${name}</a></p>`,
    () => html`<p><label>${name} <input></label></p>`,
    () => html`<p><label><input type="checkbox"> ${name}</label></p>`,
    () => html`<section aria-label="${name}"><h2>${name}</h2><p>${chance.int(1, 99)} %</p></section>`,
    () => html`<ul>${chance.nouns(chance.int(1, 4)).map((item) => html`<li>${item}</li>`)}</ul>`,
    () => html`<details><summary>${name}</summary><p>${chance.noun()}</p></details>`,
  ])();
}

function style(chance) {
  const direction = chance.flag(0.15) ? "direction: rtl;" : "";
  return `
body { margin: ${chance.int(0, 24)}px; font: ${chance.int(13, 19)}px/1.4 sans-serif; ${direction} }
button, input, select, textarea, .press { padding: ${chance.int(1, 8)}px ${chance.int(2, 14)}px; margin: ${chance.int(0, 6)}px; font: inherit; }
.press { display: inline-block; border: 1px solid #777; border-radius: ${chance.int(0, 9)}px; cursor: pointer; }
.card, section { border: 1px solid #ccc; padding: ${chance.int(0, 12)}px; margin: ${chance.int(0, 12)}px 0; }
.toast { position: fixed; right: 12px; bottom: 12px; padding: 8px 14px; background: #222; color: #fff; }
main { display: ${chance.one(["block", "flex; flex-direction: column; align-items: flex-start", "grid"])}; }
`;
}
