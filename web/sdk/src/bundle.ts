// What a page needs only where a bundle names what is on it. Loaded by the first who brings one.

import { Bindings } from "../../publisher/src/bindings.js";

export const bindingsOf = (json: string): Bindings => new Bindings(json);
