//! The web surface: Chromium over CDP and the publisher that runs in the page.
//!
//! Start at [`Browser::launch`], then [`Browser::context`], [`Context::open`] and [`Page::look`]. The only room that
//! knows a DOM word; the graph it publishes is in `uiap_protocol::web`.

mod browser;
pub mod cdp;
mod deadline;
mod page;

pub use browser::{
    AttachError, Browser, BrowserSource, FindError, LaunchError, LaunchOptions, Life, Sandbox, Supervisor,
    SupervisorError, farewell, find,
};
pub use cdp::CallError;
pub use deadline::Deadline;
pub use page::{
    Arrival, BadViewport, BridgeOptions, BrowserSignal, Clip, Context, ContextError, ContextOptions,
    DialogAnswer, DialogError, DialogKind, DialogPolicy, Downloads, EvaluateError, Look, LookError,
    NetworkFault, OpenDialog, OpenError, PAGES_WAITING_MAX, Page, Position, REQUESTS_MAX, Request,
    SIGNALS_HELD_MAX, ScreenshotError, ScreenshotOptions, Settled, SignalLog, Signals, Viewport, WaitingPage,
};
