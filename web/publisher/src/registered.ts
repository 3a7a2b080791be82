// What the program in the page's own world and the one in ours agree on.

/** What the application says travels by this event, as JSON text. */
export const SIGNAL_EVENT = "uiap:signal";
/** Characters of one signal of the application. */
export const SIGNAL_CHARS_MAX = 16_000;
/** Registered actions that are told. */
export const ACTIONS_MAX = 500;
/** Entries of the application's queue that are read. */
export const ENTRIES_MAX = 10_000;
/** Characters of one descriptor. */
export const DESCRIPTOR_CHARS_MAX = 32_000;
/** Characters of what a handler returns. */
export const RETURN_CHARS_MAX = 256_000;
/** Characters of what a handler throws. */
export const ERROR_CHARS_MAX = 1_000;
