// Texts in the chosen language. That of the page unless ?lang=, the select, or an earlier choice says otherwise.
import de from "./i18n/de.js";
import en from "./i18n/en.js";

const TABLES = { de, en };
const STORED = "videoland.lang";
const listeners = new Set();
let language = "de";

export function initLanguage() {
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked in TABLES) localStorage.setItem(STORED, asked);
  const stored = localStorage.getItem(STORED);
  const served = document.documentElement.lang;
  language = [stored, served].find((known) => known in TABLES) ?? "de";
  document.documentElement.lang = language;
}

export function currentLanguage() {
  return language;
}

export function setLanguage(wanted) {
  localStorage.setItem(STORED, wanted);
  language = wanted;
  document.documentElement.lang = wanted;
  for (const listener of listeners) listener();
}

export function onLanguageChange(listener) {
  listeners.add(listener);
}

/** The text of `key`, with {name} filled in. A missing key is a mistake and shows as the key. */
export function t(key, values) {
  return fill(TABLES[language][key] ?? key, values);
}

/** The texts of a module that brings its own table: { de: {...}, en: {...} }. */
export function translator(table) {
  return (key, values) => fill(table[language][key] ?? key, values);
}

export function formatNumber(value, options) {
  return new Intl.NumberFormat(language, options).format(value);
}

export function formatDay(day) {
  if (!day) return t("common.none");
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

export function formatDuration(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function fill(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
