// Where the states stand on the map: in columns by their distance from the beginning, near to what leads to them.

/** The size of a state and what is between two of them. */
export const WIDTH = 176;
export const HEIGHT = 44;
const GAP_X = 64;
const GAP_Y = 16;
/** Most states of one column; more of the same distance stand in several columns. */
const ROWS_MAX = 14;
/** How often the order of the columns is improved. */
const SWEEPS = 4;

export interface Spot {
  id: string;
  x: number;
  y: number;
}

export interface Plan {
  spots: ReadonlyMap<string, Spot>;
  width: number;
  height: number;
}

/** Places states given as `[id, distance]`, with what leads from one to another. */
export function plan(states: readonly (readonly [string, number])[], edges: readonly (readonly [string, string])[]): Plan {
  const layers = new Map<number, string[]>();
  for (const [id, depth] of states) layers.set(depth, [...(layers.get(depth) ?? []), id]);
  const columns = [...layers.keys()].sort((one, other) => one - other).map((depth) => layers.get(depth) as string[]);
  const depthOf = new Map(states);
  const near = new Map<string, string[]>();
  for (const [from, to] of edges) {
    if (from === to) continue;
    near.set(to, [...(near.get(to) ?? []), from]);
    near.set(from, [...(near.get(from) ?? []), to]);
  }
  const order = new Map<string, number>();
  const number = (): void => columns.forEach((column) => column.forEach((id, at) => order.set(id, column.length > 1 ? at / (column.length - 1) : 0.5)));
  number();
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forwards = sweep % 2 === 0;
    for (const column of forwards ? columns : [...columns].reverse()) {
      const middle = new Map(column.map((id) => [id, weight(id, forwards)]));
      column.sort((one, other) => (middle.get(one) as number) - (middle.get(other) as number) || (one < other ? -1 : 1));
    }
    number();
  }
  function weight(id: string, forwards: boolean): number {
    const depth = depthOf.get(id) ?? 0;
    const neighbours = (near.get(id) ?? []).filter((other) => (forwards ? (depthOf.get(other) ?? 0) < depth : (depthOf.get(other) ?? 0) > depth));
    const places = neighbours.map((other) => order.get(other) ?? 0.5);
    return places.length === 0 ? (order.get(id) ?? 0.5) : places.reduce((sum, place) => sum + place, 0) / places.length;
  }
  const narrow = columns.flatMap((column) => parts(column));
  const tallest = Math.max(1, ...narrow.map((column) => column.length));
  const height = tallest * (HEIGHT + GAP_Y) - GAP_Y;
  const spots = new Map<string, Spot>();
  narrow.forEach((column, across) => {
    const own = column.length * (HEIGHT + GAP_Y) - GAP_Y;
    column.forEach((id, down) => {
      spots.set(id, { id, x: across * (WIDTH + GAP_X), y: (height - own) / 2 + down * (HEIGHT + GAP_Y) });
    });
  });
  return { spots, width: Math.max(1, narrow.length) * (WIDTH + GAP_X) - GAP_X, height };
}

function parts(column: readonly string[]): string[][] {
  const count = Math.ceil(column.length / ROWS_MAX);
  const size = Math.ceil(column.length / Math.max(1, count));
  return Array.from({ length: count }, (_, at) => column.slice(at * size, (at + 1) * size));
}

/** The line from one state to another. */
export function line(from: Spot, to: Spot): string {
  const forwards = to.x > from.x;
  const [x1, x2] = forwards ? [from.x + WIDTH, to.x] : to.x === from.x ? [from.x + WIDTH, to.x + WIDTH] : [from.x, to.x + WIDTH];
  const [y1, y2] = [from.y + HEIGHT / 2, to.y + HEIGHT / 2];
  const bend = Math.max(28, Math.abs(x2 - x1) / 2);
  const away = forwards || to.x === from.x ? bend : -bend;
  return `M${x1} ${y1}C${x1 + away} ${y1} ${to.x === from.x ? x2 + bend : x2 - away} ${y2} ${x2} ${y2}`;
}
