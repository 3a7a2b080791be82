// Every bound of the publisher, in one place.

/** Elements of a graph, unless the caller wants fewer. */
export const ELEMENTS_MAX = 20_000;
/** Nodes a snapshot looks at before it says `truncated`. */
export const NODES_MAX = 1_000_000;
/** Characters of a name or label. */
export const NAME_CHARS_MAX = 300;
/** Characters of a description, message or text value. */
export const TEXT_CHARS_MAX = 1_000;
/** Characters of an id of the protocol. */
export const ID_CHARS_MAX = 128;
/** Options listed for one control. */
export const OPTIONS_MAX = 200;
/** Nodes read for one name. */
export const NAME_NODES_MAX = 2_000;
/** How deep a name may lead through labels, owned elements and children. */
export const NAME_DEPTH_MAX = 100;
/** How deep frames may nest. */
export const FRAMES_DEPTH_MAX = 10;
/** Characters of an annotation that holds JSON. */
export const ANNOTATION_CHARS_MAX = 4_000;
/** Style rules read to find generated content and pointers. */
export const RULES_MAX = 50_000;
/** Elements that changed beyond which everything is looked at again. */
export const CHANGED_MAX = 5_000;
/** Revisions that can still be asked for, and what their deltas may weigh together. */
export const HISTORY_MAX = 256;
export const HISTORY_CHARS_MAX = 2_000_000;
/** Elements whose closed shadow root is asked for at one time. */
export const HOSTS_MAX = 64;
