// The same seed gives the same page, in every browser.
import { LANGUAGES } from "./words.js";

export class Chance {
  #state;
  #used = new Set();

  constructor(text) {
    this.#state = [...text].reduce((sum, letter) => Math.imul(sum ^ letter.codePointAt(0), 16777619) >>> 0, 2166136261);
    this.words = this.one(LANGUAGES);
  }

  /** From 0 up to, and without, 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number, both ends included. */
  int(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  flag(share = 0.5) {
    return this.next() < share;
  }

  one(list) {
    return list[this.int(0, list.length - 1)];
  }

  shuffle(list) {
    const rest = [...list];
    return list.map(() => rest.splice(this.int(0, rest.length - 1), 1)[0]);
  }

  /** A word of the page's language that was not used on it before. */
  #fresh(list) {
    const free = list.filter((word) => !this.#used.has(word));
    const word = free.length > 0 ? this.one(free) : `${this.one(list)} ${this.#used.size}`;
    this.#used.add(word);
    return word;
  }

  /** What stands on a button that does no harm. */
  command() {
    return this.#fresh(this.words.commands);
  }

  /** What stands on a button that one should be asked about. */
  risky() {
    return this.#fresh(this.words.risky);
  }

  /** What a field, a box or a row is called. */
  noun() {
    return this.#fresh(this.words.nouns);
  }

  /** Something that went well. */
  success() {
    return this.#fresh(this.words.successes);
  }

  /** Something that went wrong. */
  failure() {
    return this.#fresh(this.words.failures);
  }

  /** Several nouns. */
  nouns(count) {
    return Array.from({ length: count }, () => this.noun());
  }
}
