// Frames of other origins that show themselves to the page around them, over a port that only the two of them have.
//
// The page calls `frameBridge`, the frame `joinParent`. Either may be there first. Both name the origins that they talk
// to, exactly; what comes from elsewhere is not even read. A frame is looked at and not acted on.

import type { FrameBridge, PageGraph, Unsubscribe, WebStateDelta } from "./api.js";
import { Joined } from "./joined.js";
import type { FrameEar, Frames } from "./joined.js";

export interface FrameConfig {
  /** The origins of frames that may take part. */
  allowedOrigins: readonly string[];
  /** How long a frame may take to answer. */
  timeoutMs?: number;
}

export interface JoinConfig {
  /** The origins of pages that this frame shows itself to. */
  parentOrigins: readonly string[];
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

interface Link {
  readonly port: MessagePort;
  /** The present document of the frame has answered with our nonce. */
  isThere: boolean;
  graph: ((json: string | undefined) => void) | undefined;
  second: number;
  heard: number;
}

/** Lets frames of these origins take part in the page. */
export function frameBridge(config: FrameConfig): FrameBridge {
  return { join: (tell, lose) => new Joined(framesFrom(config), tell, lose) };
}

function framesFrom({ allowedOrigins, timeoutMs = TIMEOUT_MS }: FrameConfig): Frames {
  const links = new Map<HTMLIFrameElement, Link>();
  let ear: FrameEar | undefined;

  const drop = (frame: HTMLIFrameElement): void => {
    links.get(frame)?.graph?.(undefined);
    links.get(frame)?.port.close();
    if (links.delete(frame)) ear?.changed();
  };

  /** Offers a port to the document that a frame shows, if it is of this origin. */
  const greet = (frame: HTMLIFrameElement, origin: string): void => {
    drop(frame);
    if (links.size >= FRAMES_MAX || !frame.contentWindow) return;
    const { port1: port, port2 } = new MessageChannel();
    const nonce = crypto.randomUUID();
    const link: Link = { port, isThere: false, graph: undefined, second: 0, heard: 0 };
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
    const { graph, delta } = (data ?? {}) as { graph?: unknown; delta?: unknown };
    const second = Math.floor(performance.now() / 1_000);
    if (second !== link.second) [link.second, link.heard] = [second, 0];
    link.heard += 1;
    if (typeof graph === "string" && graph.length <= MESSAGE_CHARS_MAX) return link.graph?.(graph);
    if (typeof delta !== "string" || delta.length > MESSAGE_CHARS_MAX) return drop(frame);
    if (link.heard > DELTAS_PER_SECOND_MAX) return ear?.changed();
    const read = parsed<WebStateDelta>(delta);
    if (read) ear?.delta(frame, read);
    else drop(frame);
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
export async function joinParent({ parentOrigins }: JoinConfig): Promise<Unsubscribe> {
  const { Page } = await import("./page.js");
  let port: MessagePort | undefined;
  const page = new Page({
    delta: (delta) => { port?.postMessage({ delta: JSON.stringify(delta) }); },
    signal: () => undefined,
    resync: () => undefined,
  }, new Map(), undefined);

  const heard = ({ source, origin, data, ports: [offered] }: MessageEvent<unknown>): void => {
    if (source !== parent || !parentOrigins.includes(origin) || !isSaid(data, HELLO) || !offered) return;
    port?.close();
    page.unfollow();
    port = offered;
    offered.onmessage = async ({ data: asked }: MessageEvent<{ follow?: unknown }>) => {
      if (asked?.follow === true) offered.postMessage({ graph: JSON.stringify(await page.follow()) });
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

function parsed<T>(json: string): T | undefined {
  try {
    return JSON.parse(json) as T;
  } catch {
    return undefined;
  }
}
