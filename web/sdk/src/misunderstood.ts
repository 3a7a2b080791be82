// What was asked and cannot be done by anybody. Each module of the SDK has a copy of this, so it is known by its name.

const NAME = "Misunderstood";

/** Thrown before anything was done. */
export class Misunderstood extends Error {
  override name = NAME;
}

export const isMisunderstood = (error: unknown): boolean => error instanceof Error && error.name === NAME;
