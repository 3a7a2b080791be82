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
  /** Something was looked at in this task already. */
  #looked = false;
  #needsLayout = false;

  /** `intervalMs` is the least time between two looks, if anybody wants one. */
  constructor(look: () => void, readonly intervalMs = 0) {
    this.#look = look;
  }

  /**
   * Something changed. What may be looked at at once is, but only once in a task: a task that changes one thing after
   * the other is looked at when it is over, and so is what needs a layout.
   */
  ask(atOnce: boolean): void {
    if (!atOnce) this.#needsLayout = true;
    if (this.#asked) return;
    this.#earn();
    if (atOnce && !this.#looked && this.#savedMs > 0 && this.intervalMs === 0) {
      this.#looked = true;
      try {
        this.#run();
      } finally {
        setTimeout(this.#taskOver, 0);
      }
      return;
    }
    this.#asked = true;
    setTimeout(this.#later, Math.max(this.intervalMs, this.#savedMs > 0 ? 0 : -this.#savedMs / SHARE));
  }

  #taskOver = (): void => {
    this.#looked = false;
  };

  #later = (): void => {
    this.#asked = false;
    // The page needs its layout anyway; it is not our cost.
    if (this.#needsLayout) document.documentElement?.getBoundingClientRect();
    this.#needsLayout = false;
    this.#run();
  };

  #run(): void {
    const started = performance.now();
    try {
      this.#look();
    } finally {
      this.#earn();
      this.#savedMs -= performance.now() - started;
    }
  }

  #earn(): void {
    const now = performance.now();
    this.#savedMs = Math.min(SAVED_MAX_MS, this.#savedMs + (now - this.#savedAtMs) * SHARE);
    this.#savedAtMs = now;
  }
}
