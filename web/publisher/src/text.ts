// Text as it is published: one line, of bounded length.

/** Collapses white space and trims. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u200b\ufeff]+/g, " ").trim();
}

/** Cuts at a limit, never inside a character, and says so. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 2);
  const half = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, half ? limit - 2 : limit - 1)}…`;
}

/** One line of at most `limit` characters; `undefined` if nothing is left. */
export function said(text: string | null | undefined, limit: number): string | undefined {
  if (!text) return undefined;
  // White space may shrink, so a longer piece is read than kept; the rest of a huge text is not touched.
  const line = oneLine(text.length > limit * 8 ? text.slice(0, limit * 8) : text);
  return line === "" ? undefined : cut(line, limit);
}
