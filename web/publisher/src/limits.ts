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
/** Elements inside a control that are asked for an icon. */
export const ICON_PARTS_MAX = 8;
/** Children of a box that is taken for a control. */
export const PARTS_MAX = 12;
/** Elements inside one that listens to presses, beyond which it listens for them and not for itself. */
export const LISTENING_PARTS_MAX = 40;
/** Elements marked at one time to find out which of them listen. */
export const MARKED_MAX = 4_000;
/** Elements around an element that are asked about it. */
export const PARENTS_MAX = 10_000;
/** Shadow roots and frames around an element that are asked about it. */
export const BOUNDARIES_MAX = 100;
/** Elements of one document or shadow root that selectors of a bundle may name. */
export const BOUND_MAX = 5_000;
/** How deep frames may nest. */
export const FRAMES_DEPTH_MAX = 10;
/** Characters of an annotation that holds JSON. */
export const ANNOTATION_CHARS_MAX = 4_000;
/** Things that a pointer may open, looked at and told. */
export const OPENED_MAX = 2_000;
export const OPENERS_MAX = 50;
/** Things to use in what a pointer must be over, and elements beside it, that are asked. */
export const OPENER_PARTS_MAX = 20;
export const SIBLINGS_MAX = 20;
/** Style rules read to find generated content and pointers. */
export const RULES_MAX = 50_000;
/** Elements that changed beyond which everything is looked at again. */
export const CHANGED_MAX = 5_000;
/** Revisions that can still be asked for, and what their deltas may weigh together. */
export const HISTORY_MAX = 256;
export const HISTORY_CHARS_MAX = 2_000_000;
/** How long the page is followed by its changes alone before a look goes over everything again, in milliseconds. */
export const FOLLOWED_MAX_MS = 2_000;
/** Templates of packed graphs that are kept for the next one. */
export const TEMPLATES_MAX = 50_000;
/** How deep a hit test leads through shadow roots and frames. */
export const HIT_DEPTH_MAX = 100;
/** Lines of a broken link whose middle is tried. */
export const RECTS_MAX = 8;
/** Labels through which a hidden control is tried. */
export const LABELS_MAX = 4;
/** How long an animation frame is waited for; a page that nobody sees may have none. */
export const FRAME_WAIT_MS = 1_000;
/** Frames in which a turned wheel must begin to have an effect. */
export const SCROLL_START_FRAMES_MAX = 12;
/** Frames after which scrolling is not waited for any longer. */
export const SCROLL_FRAMES_MAX = 60;
/** Characters of a text that is written by single keys in the page. */
export const KEYS_MAX = 1_000;
/** Elements searched for one option. */
export const CHOICES_MAX = 2_000;
/** How many of the elements around one count when it is compared with what it was; the runtime counts the same. */
export const AROUND_MAX = 12;
/** How long a guard waits for the press it was set up for. */
export const GUARD_WAIT_MS = 10_000;
/** Messages kept for the next look that may not find them any more. */
export const MESSAGES_MAX = 64;
/** Elements whose text changed and may do so again by itself, at one time and from one batch of mutations. */
export const TICKING_MAX = 256;
export const TICKING_PER_BATCH_MAX = 64;
/** Characters of a text that may be a clock. */
export const TICK_CHARS_MAX = 120;
/** Elements whose closed shadow root is asked for at one time. */
export const HOSTS_MAX = 64;
/** Signals of the application that are passed on in one second. */
export const SIGNALS_PER_SECOND_MAX = 200;
/** How deep what comes with a signal of the application may nest. */
export const SIGNAL_DEPTH_MAX = 16;
/** What has not moved for so long stands still: some frames, also on a slow screen. */
export const QUIET_MS = 100;
