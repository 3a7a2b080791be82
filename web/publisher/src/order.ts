// Which items of a list can stay where they are.

/**
 * The positions of a longest increasing run of `places`, which are the former positions of items in their new
 * order; a negative one is an item that comes from elsewhere.
 */
export function unmoved(places: readonly number[]): ReadonlySet<number> {
  const ends: number[] = [];
  const previous: number[] = new Array<number>(places.length).fill(-1);
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] as number;
    if (place < 0) continue;
    let low = 0;
    let high = ends.length;
    // Mostly the order is as before, so the end is tried first.
    if (high > 0 && (places[ends[high - 1] as number] as number) < place) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[ends[middle] as number] as number) < place) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = at;
  }
  const kept = new Set<number>();
  for (let at = ends[ends.length - 1] ?? -1; at >= 0; at = previous[at] as number) kept.add(at);
  return kept;
}
