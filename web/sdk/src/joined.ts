// One page out of a page and its frames: one graph, one row of revisions.

import type { PageGraph, WebSignal, WebStateDelta } from "../../types/uiap.js";
import type { Deed } from "../../publisher/src/deed.js";
import type { Hearing, Inside, Joining, Outside } from "./api.js";
import { JOINT, Joint } from "./joint.js";

/** How often the frames are asked again because one of them changed meanwhile. */
const ATTEMPTS_MAX = 5;

/** Hears of frames. */
export interface FrameEar {
  /** Other frames take part than before, or other documents in them. */
  changed(): void;
  delta(frame: Element, delta: WebStateDelta): void;
  /** The application in a frame said something. */
  signal(signal: WebSignal): void;
}

/** The frames that take part. */
export interface Frames {
  open(ear: FrameEar): void;
  /** What they show now; from then on what changes in them is told. */
  graphs(): Promise<ReadonlyMap<Element, PageGraph>>;
  /** Asks a frame about itself, or to do something; the JSON text of the answer. */
  ask(frame: Element, question: Question): Promise<string>;
}

/** What a frame can be asked. */
export type Question = { facts: string } | { perform: string; outside: Outside };

export class Joined implements Joining {
  readonly #frames: Frames;
  readonly #tell: (delta: WebStateDelta) => void;
  readonly #lose: () => void;
  #joints = new Map<Element, Joint>();
  #revision = "";
  #seq = 0;
  /** Frames changed since they were asked. */
  #isStale = false;
  #isTold = false;

  constructor(frames: Frames, { tell, say, lose }: Hearing) {
    this.#frames = frames;
    this.#tell = tell;
    this.#lose = lose;
    frames.open({
      changed: () => { this.#broken(); },
      delta: (frame, delta) => { this.#inner(frame, delta); },
      signal: (signal) => { if (this.#isTold) say(this.signal(signal)); },
    });
  }

  /** The page with what its frames show. */
  async graph(snapshot: () => PageGraph, idOf: (element: Element) => string | undefined): Promise<PageGraph> {
    this.#isTold = false;
    let inner = await this.#asked();
    for (let attempt = 1; this.#isStale && attempt < ATTEMPTS_MAX; attempt += 1) inner = await this.#asked();
    const outer = snapshot();
    this.#joints = new Map();
    for (const [frame, graph] of this.#isStale ? [] : inner) {
      const { left, top } = frame.getBoundingClientRect();
      const offset = { x: left + frame.clientLeft, y: top + frame.clientTop };
      const joint = Joint.join(outer, idOf(frame) ?? "", graph, offset);
      if (joint) this.#joints.set(frame, joint);
    }
    this.#advance(outer.revision);
    this.#isTold = true;
    return Object.assign(outer, { revision: this.#revision, seq: this.#seq });
  }

  async #asked(): Promise<ReadonlyMap<Element, PageGraph>> {
    this.#isStale = false;
    return this.#frames.graphs();
  }

  /** The page around the frames changed. */
  outer(delta: WebStateDelta): void {
    if (!this.#isTold) return;
    for (const joint of this.#joints.values()) if (joint.isBrokenBy(delta.ops)) return this.#broken();
    this.#pass(delta, delta.revision);
  }

  /** A signal of the page happens on the revision that was told last. */
  signal(signal: WebSignal): WebSignal {
    return this.#revision === "" ? signal : { ...signal, revision: this.#revision };
  }

  #inner(frame: Element, { at, ops }: WebStateDelta): void {
    this.#isStale = true;
    const joint = this.#joints.get(frame);
    if (!this.#isTold || !joint) return;
    // Where the focus is and what the address is inside of a frame is the business of the frame.
    if (ops.length > 0) this.#pass({ baseRevision: "", revision: "", seq: 0, at, ops: joint.ops(ops) }, this.#revision.split(".")[0] as string);
  }

  #pass(delta: WebStateDelta, outerRevision: string): void {
    const baseRevision = this.#revision;
    this.#advance(outerRevision);
    this.#tell({ ...delta, baseRevision, revision: this.#revision, seq: this.#seq });
  }

  #advance(outerRevision: string): void {
    this.#seq += 1;
    this.#revision = `${outerRevision}.${this.#seq}`;
  }

  #broken(): void {
    this.#isStale = true;
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#lose();
  }

  inside(instanceId: string): Inside | undefined {
    for (const [frame, joint] of this.#joints) {
      const id = joint.innerId(instanceId);
      if (id === undefined) continue;
      return {
        frame,
        facts: () => this.#frames.ask(frame, { facts: id }),
        perform: (deed: Deed, outside: Outside) => this.#frames.ask(frame, { perform: JSON.stringify(joint.inner(deed)), outside }),
      };
    }
    return undefined;
  }

  isInside(instanceId: string): boolean {
    return instanceId.includes(JOINT);
  }
}
