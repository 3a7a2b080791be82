// Frames of other origins that show themselves to the page around them, over a port that only the two of them have.
//
// The page calls `frameBridge`, the frame `joinParent`. Either may be there first. Both name the origins that they talk
// to, exactly; what comes from elsewhere is not even read. A frame says itself whether it may also be acted in.

import type { Deed } from "../../publisher/src/deed.js";
import type { FrameBridge, Outside, PageGraph, Unsubscribe, WebSignal, WebStateDelta } from "./api.js";
import { Joined } from "./joined.js";
import type { FrameEar, Frames, Question } from "./joined.js";
import { Misunderstood, isMisunderstood } from "./misunderstood.js";

export interface FrameConfig {
  /** The origins of frames that may take part. */
  allowedOrigins: readonly string[];
  /** How long a frame may take to answer. */
  timeoutMs?: number;
}

export interface JoinConfig {
  /** The origins of pages that this frame shows itself to. */
  parentOrigins: readonly string[];
  /** Whether those pages may also have something done in it. */
  acts?: boolean;
}

const HELLO = "uiap.frame.hello";
const HERE = "uiap.frame.here";
const READY = "uiap.frame.ready";
/** Frames that take part at a time. */
const FRAMES_MAX = 16;
/** Characters of one message of a frame. */
const MESSAGE_CHARS_MAX = 2_000_000;
/** Changes of a frame in one second; one that changes faster is looked at again instead. */
const DELTAS_PER_SECOND_MAX = 200;
const TIMEOUT_MS = 2_000;
/** Questions to one frame that wait for an answer. */
const QUESTIONS_MAX = 64;
/** How long a frame may take to say how an element is, or to do something to it. */
const DEED_WAIT_MS = 10_000;
/** What an application says; what else happens is told by the page around it. */
const SAID = /^(custom|entity\.)/;

/** What the page around it asks a frame. */
interface Asked {
  follow?: unknown;
  number?: unknown;
  facts?: unknown;
  perform?: unknown;
  outside?: unknown;
}

const NOT_ACTED_IN = "the frame shows itself and lets nothing be done in it; joinParent({ acts: true }) would";

interface Link {
  readonly port: MessagePort;
  /** The present document of the frame has answered with our nonce. */
  isThere: boolean;
  graph: ((json: string | undefined) => void) | undefined;
  /** Who waits for which answer. */
  readonly asked: Map<number, (json: string | undefined) => void>;
  count: number;
  second: number;
  heard: number;
}

/** Lets frames of these origins take part in the page. */
export function frameBridge(config: FrameConfig): FrameBridge {
  return { join: (hearing) => new Joined(framesFrom(config), hearing) };
}

function framesFrom({ allowedOrigins, timeoutMs = TIMEOUT_MS }: FrameConfig): Frames {
  const links = new Map<HTMLIFrameElement, Link>();
  let ear: FrameEar | undefined;

  const drop = (frame: HTMLIFrameElement): void => {
    const link = links.get(frame);
    link?.graph?.(undefined);
    for (const settle of link?.asked.values() ?? []) settle(undefined);
    link?.port.close();
    if (links.delete(frame)) ear?.changed();
  };

  /** Offers a port to the document that a frame shows, if it is of this origin. */
  const greet = (frame: HTMLIFrameElement, origin: string): void => {
    drop(frame);
    if (links.size >= FRAMES_MAX || !frame.contentWindow) return;
    const { port1: port, port2 } = new MessageChannel();
    const nonce = crypto.randomUUID();
    const link: Link = { port, isThere: false, graph: undefined, asked: new Map(), count: 0, second: 0, heard: 0 };
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (link.isThere) return take(frame, link, data);
      if (!isSaid(data, HERE) || data.nonce !== nonce) return drop(frame);
      link.isThere = true;
      ear?.changed();
    };
    links.set(frame, link);
    frame.contentWindow.postMessage({ uiap: HELLO, nonce }, origin, [port2]);
  };

  const take = (frame: HTMLIFrameElement, link: Link, data: unknown): void => {
    const { graph, delta, signal, answer, to } = (data ?? {}) as Record<string, unknown>;
    const second = Math.floor(performance.now() / 1_000);
    if (second !== link.second) [link.second, link.heard] = [second, 0];
    link.heard += 1;
    if (isText(graph)) return link.graph?.(graph);
    if (isText(answer)) return link.asked.get(Number(to))?.(answer);
    if (link.heard > DELTAS_PER_SECOND_MAX) return ear?.changed();
    const said = isText(signal) ? parsed<WebSignal>(signal) : undefined;
    const changed = isText(delta) ? parsed<WebStateDelta>(delta) : undefined;
    if (changed) ear?.delta(frame, changed);
    else if (said && SAID.test(String(said.kind))) ear?.signal(said);
    else drop(frame);
  };

  const ask = async (frame: Element, question: Question): Promise<string> => {
    const link = links.get(frame as HTMLIFrameElement);
    if (!link?.isThere) throw new Misunderstood("the frame does not take part any more");
    if (link.asked.size >= QUESTIONS_MAX) throw new Misunderstood(`the frame has ${QUESTIONS_MAX} questions to answer`);
    const number = (link.count += 1);
    const json = await new Promise<string | undefined>((resolve) => {
      const late = setTimeout(() => { resolve(undefined); }, DEED_WAIT_MS);
      link.asked.set(number, (given) => {
        clearTimeout(late);
        resolve(given);
      });
      link.port.postMessage({ ...question, number });
    });
    link.asked.delete(number);
    if (json === undefined) throw new Error("the frame did not answer");
    return json;
  };

  const heard = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (!allowedOrigins.includes(origin) || !isSaid(data, READY)) return;
    const frame = framesOf(document).find(({ contentWindow }) => contentWindow === source);
    if (frame) greet(frame, origin);
  };

  const graphOf = async (link: Link): Promise<PageGraph | undefined> => {
    const json = await new Promise<string | undefined>((resolve) => {
      const late = setTimeout(() => { resolve(undefined); }, timeoutMs);
      link.graph = (given) => {
        clearTimeout(late);
        link.graph = undefined;
        resolve(given);
      };
      link.port.postMessage({ follow: true });
    });
    return json === undefined ? undefined : parsed<PageGraph>(json);
  };

  return {
    ask,
    open: (given) => {
      ear = given;
      addEventListener("message", heard);
      for (const frame of framesOf(document)) {
        const origin = URL.canParse(frame.src) ? new URL(frame.src).origin : "";
        if (allowedOrigins.includes(origin)) greet(frame, origin);
      }
    },
    graphs: async () => {
      for (const frame of links.keys()) if (!frame.isConnected) drop(frame);
      const there = [...links].filter(([, { isThere }]) => isThere);
      const graphs = await Promise.all(there.map(async ([frame, link]) => [frame, await graphOf(link)] as const));
      return new Map(graphs.filter((pair): pair is readonly [HTMLIFrameElement, PageGraph] => pair[1] !== undefined));
    },
  };
}

/** Shows this frame to the page around it, if that is of one of these origins. */
export async function joinParent({ parentOrigins, acts = false }: JoinConfig): Promise<Unsubscribe> {
  const { Page } = await import("./page.js");
  let port: MessagePort | undefined;
  const page = new Page({
    delta: (delta) => { port?.postMessage({ delta: JSON.stringify(delta) }); },
    signal: (signal) => { if (SAID.test(signal.kind)) port?.postMessage({ signal: JSON.stringify(signal) }); },
    resync: () => undefined,
  }, new Map());

  const answer = async ({ facts, perform, outside }: Asked): Promise<unknown> => {
    if (typeof facts === "string") return page.facts(facts);
    return acts ? page.perform(JSON.parse(String(perform)) as Deed, outside as Outside) : { refused: NOT_ACTED_IN };
  };

  const heard = ({ source, origin, data, ports: [offered] }: MessageEvent<unknown>): void => {
    if (source !== parent || !parentOrigins.includes(origin) || !isSaid(data, HELLO) || !offered) return;
    port?.close();
    page.unfollow();
    port = offered;
    offered.onmessage = async ({ data: asked }: MessageEvent<Asked | null>) => {
      if (asked?.follow === true) offered.postMessage({ graph: JSON.stringify(await page.follow()) });
      else if (typeof asked?.number === "number") {
        const said = await answer(asked).catch((error: unknown) => (isMisunderstood(error) ? { refused: String(error) } : { delivery: "unknown", error: String(error) }));
        offered.postMessage({ to: asked.number, answer: JSON.stringify(said ?? null) });
      }
    };
    offered.postMessage({ uiap: HERE, nonce: data.nonce });
  };
  addEventListener("message", heard);
  for (const origin of parentOrigins) parent.postMessage({ uiap: READY }, origin);
  return () => {
    removeEventListener("message", heard);
    port?.close();
    page.unfollow();
  };
}

const framesOf = (top: Document): HTMLIFrameElement[] => [...top.querySelectorAll("iframe")];

function isSaid(data: unknown, word: string): data is { uiap: string; nonce?: unknown } {
  return typeof data === "object" && data !== null && (data as { uiap?: unknown }).uiap === word;
}

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= MESSAGE_CHARS_MAX;

function parsed<T>(json: string): T | undefined {
  try {
    return JSON.parse(json) as T;
  } catch {
    return undefined;
  }
}
