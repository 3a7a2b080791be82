// When to look again: soon after something changed, but never so often that the page would feel it.

/** The share of a core that looking may take in the long run. */
const SHARE = 0.02;
/** What may be taken at once, in milliseconds: a burst of changes is followed closely. */
const SAVED_MAX_MS = 250;

export class Pace {
  readonly #look: () => void;
  #savedMs = SAVED_MAX_MS;
  #savedAtMs = performance.now();
  #asked = false;

  constructor(look: () => void) {
    this.#look = look;
  }

  /** Something changed. After the task that changed it, and all that belongs to it, is over, it is looked at. */
  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#earn();
    setTimeout(this.#run, this.#savedMs > 0 ? 0 : -this.#savedMs / SHARE);
  }

  #run = (): void => {
    this.#asked = false;
    // The page needs its layout anyway; it is not our cost.
    document.documentElement?.getBoundingClientRect();
    const started = performance.now();
    try {
      this.#look();
    } finally {
      this.#earn();
      this.#savedMs -= performance.now() - started;
    }
  };

  #earn(): void {
    const now = performance.now();
    this.#savedMs = Math.min(SAVED_MAX_MS, this.#savedMs + (now - this.#savedAtMs) * SHARE);
    this.#savedAtMs = now;
  }
}
