// What can be done to an element, and what came of it. The words are those of `uiap-web`'s `Deed` and `Delivery`.

import type { WebElementState } from "../../types/uiap.js";
import type { Cover } from "./check.js";
import type { Point } from "./frames.js";

export type Button = "left" | "middle" | "right";

export interface Modifiers {
  alt: boolean;
  control: boolean;
  meta: boolean;
  shift: boolean;
}

/** One thing to choose; several for a control that takes several. */
export type Choice = { by: "value"; values: string[] } | { by: "label"; labels: string[] } | { by: "index"; index: number };

export type Act =
  | { act: "reveal" }
  | { act: "focus" }
  | { act: "hover" }
  | { act: "press"; button: Button; count: number; modifiers: Modifiers }
  | { act: "press_at"; at: Point }
  | { act: "enter_text"; text: string; clear: boolean }
  | { act: "set_value"; value: string | number | boolean }
  | { act: "choose"; choice: Choice }
  | { act: "toggle"; to?: boolean }
  | { act: "disclose"; open: boolean }
  | { act: "submit" }
  | { act: "scroll"; by: ScrollBy }
  | { act: "keys"; chords: { key: string; modifiers: Modifiers }[] }
  | { act: "drag"; to: string }
  | { act: "tap" }
  | { act: "long_press" }
  | { act: "pinch" }
  | { act: "upload" };

export type ScrollBy = { dx: number; dy: number } | { to: "start" | "end" };

/** In the page: by the methods of the platform, or by events that look like input. */
export type InPage = "semantic_ui" | "input_synthesis";

/** What the target was when somebody decided to act on it. */
export interface Expected {
  role: string;
  name?: string;
  stableId?: string;
  documentId: string;
  scopeId?: string;
  /** Role and name of what it stands in, from the inside out; missing if that does not matter. */
  around?: [string, string | null][];
}

export type Deed = Act & { target?: string; expected?: Expected };

/** Why nothing reached the page. */
export type Hindrance =
  | "gone" | "changed" | "unsupported" | "disabled" | "readonly" | "blocked" | "unfit_value" | "no_option" | "already" | "not_focusable" | "out_of_view"
  | "covered" | "missed";

/** What is there after a deed. */
export interface Receipt {
  /** Missing if the element is gone. */
  state?: WebElementState;
  /** Whether the value is the one that was asked for; also said where the value itself is a secret. */
  asWanted?: boolean;
  /** The values of what is chosen in a native list. */
  selected?: string[];
  /** How far was scrolled. */
  scrolled?: { x: number; y: number };
}

export type Outcome =
  | { delivery: "none"; why: Hindrance; cover?: Cover }
  | { delivery: "delivered"; receipt: Receipt }
  | { delivery: "strayed" }
  | { delivery: "unknown"; error: string };

/** Thrown in the middle: the page made something else of the element, and the rest is withheld. */
export class Strayed extends Error {}

/** Thrown before anything was done. */
export class Refused extends Error {
  constructor(
    readonly why: Hindrance,
    readonly cover?: Cover,
  ) {
    super(why);
  }
}
