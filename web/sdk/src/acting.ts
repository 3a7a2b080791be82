// What it takes to act on a page from inside.

import type { UIRole } from "../../types/uiap.js";
import { check, coverOf } from "../../publisher/src/check.js";
import type { Described, Directory, Facts } from "../../publisher/src/check.js";
import type { Deed, Outcome } from "../../publisher/src/deed.js";
import { stateNow } from "../../publisher/src/facts.js";
import { isEmpty, lensOfFrame, overlap, toTop } from "../../publisher/src/frames.js";
import { elementAt, reaches } from "../../publisher/src/hit.js";
import { AROUND_MAX } from "../../publisher/src/limits.js";
import { perform } from "../../publisher/src/perform.js";
import { semantic } from "../../publisher/src/semantic.js";
import type { Outside } from "./api.js";

export { check };

/** Does something; `outside` is what stands around the page, if that is shown in a frame. */
export function act(deed: Deed, directory: Directory, top: Document, outside: Outside = []): Promise<Outcome> {
  return perform(deed, outside.length > 0 ? within(directory, outside) : directory, top, semantic);
}

/** What stands around a frame: the frame itself first. */
export function outsideOf({ role, name, around }: Described): Outside {
  return [{ role, name }, ...around].map(({ role: kind, name: called }) => [kind, called ?? null] as const);
}

/** The facts about an element of a frame, as the page around it sees them; nothing if the frame is not shown. */
export function framed(frame: Element, inner: Facts, directory: Directory, top: Document): Facts | undefined {
  const lens = frame.isConnected ? lensOfFrame(frame, top) : undefined;
  if (!lens) return undefined;
  const box = toTop(inner.box, lens);
  const { blocked, visible } = stateNow(frame);
  const isInView = inner.state.inViewport === true && !isEmpty(overlap(box, lens.clip));
  const state = { ...inner.state, inViewport: isInView, ...(blocked && { blocked }), ...(visible === false && { visible }) };
  const facts: Facts = { ...inner, state, box };
  if (!inner.point) return facts;
  const { x, y } = toTop({ ...inner.point, width: 0, height: 0 }, lens);
  facts.point = { x, y };
  const met = inner.cover ? undefined : elementAt(top, facts.point);
  if (!met || reaches(met, frame)) return facts;
  state.obscured = true;
  facts.cover = coverOf(met, directory);
  return facts;
}

/** Whether a frame lets anything through to what it shows. */
export const isOpen = (frame: Element): boolean => frame.isConnected && !stateNow(frame).blocked;

function within(directory: Directory, outside: Outside): Directory {
  const around = outside.map(([role, name]) => ({ role: role as UIRole, ...(name === null ? {} : { name }) }));
  return {
    node: (id) => directory.node(id),
    id: (element) => directory.id(element),
    described: (id) => {
      const found = directory.described(id);
      return found && { ...found, around: [...found.around, ...around].slice(0, AROUND_MAX) };
    },
    flush: () => { directory.flush(); },
    pull: () => { directory.pull(); },
    quietMs: () => directory.quietMs(),
  };
}
