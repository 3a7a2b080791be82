// The generated declarations are usable: unions narrow by their tag, and what is mandatory is mandatory.

import type { ActionRequestPayload, PageGraph, SuccessSignal, TargetRef, UIAPMessages } from "../types/uiap.js";

export const target: TargetRef = { by: "semantic", role: "x.videoland.asset-card", name: "Video" };

export const request: UIAPMessages["action.request"] = { actionId: "ui.activate", target: { ref: target } };

// @ts-expect-error: a stable id has a value
export const incomplete: TargetRef = { by: "stableId" };

// @ts-expect-error: the word is not part of the vocabulary
export const misspelt: ActionRequestPayload = { actionId: "ui.activate", preferredExecutionModes: ["semanticDom"] };

export const describe = (signal: SuccessSignal): string => {
  switch (signal.kind) {
    case "toast.contains":
      return signal.text;
    case "route.changed":
      return signal.exact ?? signal.pattern ?? "any route";
    default:
      return signal.kind;
  }
};

export const namesOf = (graph: PageGraph): Array<string> => graph.elements.flatMap((element) => element.name ?? []);
