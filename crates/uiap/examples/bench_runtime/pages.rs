//! The pages that are pressed: the forms of the web benchmark, with something to press on top.

use crate::forms;

/// How long the late effect takes, in milliseconds.
pub(crate) const LATE_MS: u64 = 200;

/// A page by its path, or nothing. What it says stands outside of the flow: how long a browser takes to lay out a page is
/// nobody's merit here. It says when, so that nobody counts the way to the press as time after the effect.
pub(crate) fn page(path: &str) -> Option<String> {
    let pressed = format!(
        r#"<main><button id="press">Press here</button><button id="late">Press and wait</button><button>Twin</button><button>Twin</button>
<button disabled>Not yet</button><div style="position:relative;width:200px;height:40px"><button>Behind</button><div style="position:absolute;inset:0"></div></div>
<p role="status" id="pressed" style="position:fixed;top:0;right:0;margin:0"></p>
<script>let count = 0; const effect = () => {{ count += 1; pressed.textContent = `Pressed ${{count}} at ${{Date.now()}}`; }};
press.onclick = effect; late.onclick = () => setTimeout(effect, {LATE_MS});</script>"#
    );
    forms::page(path).map(|html| html.replacen("<main>", &pressed, 1))
}
