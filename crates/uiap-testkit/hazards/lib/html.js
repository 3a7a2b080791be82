// Markup that cannot be broken by what is put into it.

const escaped = (text) => String(text).replace(/[&<>"]/gu, (letter) => `&#${letter.codePointAt(0)};`);

/** HTML with its values escaped; lists are joined, `html` inside `html` stays. */
export function html(parts, ...values) {
  const text = (value) => Array.isArray(value) ? value.map(text).join("") : value instanceof Html ? value.text : escaped(value ?? "");
  return new Html(parts.reduce((whole, part, index) => whole + text(values[index - 1]) + part));
}

export class Html {
  constructor(text) {
    this.text = text;
  }
}
