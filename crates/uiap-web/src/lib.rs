//! The web surface: Chromium over CDP and the publisher that runs in the page.
//!
//! Start at [`Browser::launch`], then [`Browser::context`], [`Context::open`] and [`Page::look`]; to act,
//! [`Page::check`] and [`Page::deliver`]. The only room that knows a DOM word; the graph it publishes is in `uiap_protocol::web`.

pub mod app;
mod browser;
pub mod cdp;
mod deadline;
pub mod guard;
mod input;
mod page;
mod surface;

pub use browser::{
    AttachError, Browser, BrowserSource, FindError, LaunchError, LaunchOptions, Life, Sandbox, Supervisor,
    SupervisorError, farewell, find,
};
pub use cdp::CallError;
pub use deadline::Deadline;
pub use input::{
    Act, Button, Check, Choice, Chord, Cover, Deed, Delivery, EntryText, EntryValue, Expected, Facts,
    Hindrance, Interruption, Key, Means, Modifiers, NamedKey, Opaque, Point, Press, PressCount, Receipt,
    ScrollBy, ScrollEnd, Scrolled, Typing,
};
pub use page::{
    ACCESSIBLE_MAX, Accessibility, AccessibleNode, ActionSource, ActionsError, Arrival, BadViewport,
    BindError, Bound, BridgeOptions, BrowserSignal, Changes, Clip, Context, ContextError, ContextOptions,
    Cookie, DELTAS_HELD_MAX, DialogAnswer, DialogError, DialogKind, DialogPolicy, Downloads, EvaluateError,
    Invoked, Look, LookError, Lost, NetworkFault, OpenDialog, OpenError, OpenPage, OriginStorage,
    PAGES_WAITING_MAX, Page, PictureFormat, Position, Proxy, REGISTERED_MAX, REQUESTS_MAX, RefusedAction,
    Registered, RegisteredAction, Request, Returned, SIGNALS_HELD_MAX, ScreenshotError, ScreenshotOptions,
    Settled, SignalLog, Signals, StorageEntry, StorageError, StorageState, Uninvoked, Viewport, WaitingPage,
    Watch,
};
pub use surface::{CapabilitiesError, WebSurface};
