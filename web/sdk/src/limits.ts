// What a runtime may ask for at most, and how long anything waits.

/** Characters of one message from the runtime. */
export const MESSAGE_CHARS_MAX = 4_000_000;
/** Requests of the runtime that are worked on at a time. */
export const REQUESTS_MAX = 64;
/** Longest wait for the answer to `session.initialize`. */
export const HANDSHAKE_WAIT_MS = 10_000;
/** Longest time that a handler has until its signal is aborted. */
export const HANDLER_WAIT_MS_MAX = 600_000;
/** Adapters for closed roots. */
export const ADAPTERS_MAX = 100;
/** Closed roots in closed roots. */
export const CLOSED_DEPTH_MAX = 16;
