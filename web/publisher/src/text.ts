// Text as it is published: one line, of bounded length.

/** Whether the text says nothing. */
export function isBlank(text: string): boolean {
  return text === "" || !/[^\s\u200b\ufeff]/.test(text);
}

/** Most texts are one line already; finding out is cheaper than rewriting them. */
function isOneLine(text: string): boolean {
  let space = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 32) {
      if (space) return false;
      space = true;
    } else if (code < 32 || code === 0xa0 || (code >= 0x1680 && code <= 0x3000 && /\s|\u200b/.test(text[at] as string)) || code === 0xfeff) {
      return false;
    } else {
      space = false;
    }
  }
  return !space;
}

/** Collapses white space and trims; a place where a word may break is no space. */
export function oneLine(text: string): string {
  if (isOneLine(text)) return text;
  return text.replace(/[\u200b\ufeff]/g, "").replace(/\s+/g, " ").trim();
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

/** Whether two texts say the same, however they are spaced and composed. */
export function sameText(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

/** The form in which texts are compared. */
export function plain(text: string): string {
  return oneLine(text).normalize("NFC");
}

export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
