//! The web surface: Chromium over CDP and the publisher that runs in the page.
//!
//! Start at [`Browser::launch`], then [`Browser::context`], [`Context::open`] and [`Page::look`]. The only room that
//! knows a DOM word; the graph it publishes is in `uiap_protocol::web`.

mod browser;
pub mod cdp;
mod deadline;
mod page;

pub use browser::{AttachError, Browser, FindError, LaunchError, LaunchOptions, Sandbox, find};
pub use cdp::CallError;
pub use deadline::Deadline;
pub use page::{
    Arrival, BadViewport, Clip, Context, ContextError, ContextOptions, DialogKind, EvaluateError, Look,
    LookError, NetworkFault, OpenError, Page, PageEvent, PageEvents, ScreenshotError, ScreenshotOptions,
    Settled, Viewport,
};
