// JSON that every reader accepts.

const { stringify } = JSON;

/** Half characters, which JSON readers outside JavaScript refuse, become replacement characters. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function toJson(value: unknown): string {
  const text = stringify(value);
  if (!text.includes("\\ud")) return text;
  return stringify(value, (_, member: unknown) => (typeof member === "string" ? member.replace(HALF, "\ufffd") : member));
}
