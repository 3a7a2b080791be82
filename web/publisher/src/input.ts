// Acting on elements from inside the page, and preparing what the browser does from outside.
//
// Start at `inputFor`. Each function takes and gives JSON, so that one call is one deed.

import { Aiming } from "./aim.js";
import { check } from "./check.js";
import type { Directory } from "./check.js";
import type { Deed, InPage } from "./deed.js";
import type { Point } from "./frames.js";
import { perform } from "./perform.js";
import type { CarryOut } from "./perform.js";
import { semantic } from "./semantic.js";
import { type Frames, nextFrame } from "./stability.js";
import { synthesise } from "./synthesis.js";

export interface InputHandle {
  /** The live facts about an element, `null` if it is gone. The point is where the caller means to act, if it knows. */
  check: (instanceId: string, pointJson?: string) => Promise<string>;
  /** Does something in the page. */
  perform: (means: InPage, deedJson: string) => Promise<string>;
  /** Prepares something that the browser is going to do. */
  aim: (deedJson: string) => string;
  /** Whom the press met that the browser made. */
  landed: () => string;
  /** How it is afterwards. */
  after: () => Promise<string>;
  /** The finger rested long enough for a long press. */
  hold: () => string;
  /** How much larger than by itself the page is shown. */
  zoom: () => Promise<string>;
  /** Whoever follows the page knows it as it is now, before the answer. */
  catchUp: () => string;
  /** Waits until the page was shown twice since something last happened; `false` if it is not shown at all. */
  shown: () => Promise<string>;
}

const { parse } = JSON;

export function inputFor(directory: Directory, top: Document, frames: Frames, toJson: (value: unknown) => string): InputHandle {
  const aiming = new Aiming(directory, top);
  return {
    check: async (instanceId, pointJson) => {
      const facts = await check(directory, top, instanceId, pointJson ? (parse(pointJson) as Point) : undefined);
      // Whoever decides by the facts decides by the page as it was then.
      directory.flush();
      return toJson(facts ?? null);
    },
    perform: async (means, deedJson) => {
      const carryOut = means === "semantic_ui" ? semantic : synthesised(directory);
      const outcome = await perform(parse(deedJson) as Deed, directory, top, carryOut);
      frames.restart();
      return toJson(outcome);
    },
    aim: (deedJson) => toJson(aiming.aim(parse(deedJson) as Deed)),
    landed: () => toJson(aiming.landed()),
    after: async () => {
      const receipt = await aiming.after();
      frames.restart();
      directory.pull();
      return toJson(receipt);
    },
    catchUp: () => {
      directory.flush();
      return toJson(null);
    },
    zoom: async () => {
      // Fingers move what is drawn; the page hears of it with a frame that comes after.
      (await nextFrame()) && (await nextFrame());
      return toJson(window.visualViewport?.scale ?? 1);
    },
    hold: () => toJson(aiming.hold() ?? null),
    shown: async () => {
      const isShown = await frames.shown();
      directory.pull();
      return toJson(isShown);
    },
  };
}

const synthesised = (directory: Directory): CarryOut => (element, deed, top, meant) => synthesise(element, deed, top, directory, meant);
