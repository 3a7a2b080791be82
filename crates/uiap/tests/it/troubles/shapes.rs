//! What applications hide behind hovering, scrolling, pages, tabs, dialogs, frames and shadow roots.

use crate::troubles::site::{Reply, Site};
use crate::troubles::stage::{Found, Stage, page};

const LINKS: &[&str] = &["/", "/parts", "/pages", "/scroll", "/framed"];

/// A menu that shows when somebody points at it; tabs, an accordion, a dialog, a drawer; a root of its own.
const PARTS: &str = "\
<style>.menu ul { display: none } .menu:hover ul, .menu:focus-within ul { display: block } [hidden] { display: none }</style>\
<nav aria-label=Shop class=menu><button aria-haspopup=true>Products</button><ul><li><a href='/hovered'>Lamps</a></li></ul></nav>\
<nav aria-label=Shelves class=menu><a href='/shelves' aria-haspopup=true>Shelves</a><ul><li><a href='/wooden'>Wooden</a></li></ul></nav>\
<div role=tablist><button role=tab aria-selected=true aria-controls=a>Facts</button>\
<button role=tab aria-selected=false aria-controls=b>History</button></div>\
<div role=tabpanel id=a><button>Copy facts</button></div><div role=tabpanel id=b hidden><button>Copy history</button></div>\
<button aria-expanded=false aria-controls=c>Shipping</button><div id=c hidden><a href='/shipping'>Shipping costs</a></div>\
<button aria-haspopup=dialog>Compare</button><dialog aria-label=Comparison><p>Side by side</p><button>Swap sides</button></dialog>\
<button aria-haspopup=true aria-expanded=false aria-controls=d>Filters</button><aside id=d hidden aria-label=Filters><button>Only new ones</button></aside>\
<details><summary>Questions</summary><button>Was this helpful?</button></details>\
<fancy-box></fancy-box><script>\
const [facts, history] = document.querySelectorAll('[role=tab]');\
for (const tab of [facts, history]) tab.onclick = () => { for (const each of [facts, history]) { \
each.setAttribute('aria-selected', each === tab); document.getElementById(each.getAttribute('aria-controls')).hidden = each !== tab; } };\
for (const button of document.querySelectorAll('[aria-expanded]')) button.onclick = () => { \
const open = button.getAttribute('aria-expanded') !== 'true'; button.setAttribute('aria-expanded', open); \
document.getElementById(button.getAttribute('aria-controls')).hidden = !open; };\
document.querySelector('[aria-haspopup=dialog]').onclick = () => document.querySelector('dialog').showModal();\
customElements.define('fancy-box', class extends HTMLElement { connectedCallback() { \
this.attachShadow({ mode: 'open' }).innerHTML = '<button>Inside the root</button>'; } });</script>";

/// Twenty more whenever somebody is near the end, for ever.
const SCROLL: &str = "<ul id=feed></ul><script>\
let count = 0; const more = () => { for (let i = 0; i < 20; i++) feed.insertAdjacentHTML('beforeend', \
`<li style='height:120px'><a href='/post/${++count}'>Post ${count}</a></li>`); }; more();\
addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.scrollHeight - 400) more(); });</script>";

async fn shapes() -> Site {
    Site::start(|path, _| {
        let (place, query) = path.split_once('?').unwrap_or((path, "page=1"));
        match place {
            "/" => Reply::Page(page("Home", LINKS, "")),
            "/parts" => Reply::Page(page("Parts", LINKS, PARTS)),
            "/pages" => {
                let number: u32 = query.trim_start_matches("page=").parse().unwrap_or(1);
                let row = |row: u32| format!("<li><a href='/row/{row}'>Row {row}</a></li>");
                let rows = (1..=10).map(|place| row(number * 10 + place)).collect::<Vec<_>>().concat();
                let numbered = |other: u32| {
                    let current = if other == number { " aria-current=page" } else { "" };
                    format!("<a href='/pages?page={other}'{current}>{other}</a> ")
                };
                let numbers = (1..=200).map(numbered).collect::<Vec<_>>().concat();
                let next = number + 1;
                Reply::Page(page(
                    "Pages",
                    LINKS,
                    &format!(
                        "<ul>{rows}</ul><nav aria-label=Pagination>{numbers}<a href='/pages?page={next}'>Next</a></nav>"
                    ),
                ))
            }
            "/scroll" => Reply::Page(page("Scroll", LINKS, SCROLL)),
            "/framed" => Reply::Page(page("Framed", LINKS, "<iframe title=Inner src='/inner'></iframe>")),
            "/inner" => Reply::Page("<!doctype html><title>Inner</title><button>Inside the frame</button>".into()),
            "/hovered" | "/shipping" | "/shelves" | "/wooden" => Reply::Page(page(place, LINKS, "")),
            _ if place.starts_with("/row/") || place.starts_with("/post/") => {
                Reply::Page(page("One", LINKS, "<button aria-pressed=false>Mark</button>"))
            }
            _ => Reply::Status(404, ""),
        }
    })
    .await
}

fn of(found: &Found, route: &str) -> usize {
    found.states().iter().filter(|state| state["routeId"] == route).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_behind_things_is_found_and_what_has_no_end_is_bounded() {
    uiap_testkit::proves!["DSC-12.1-1", "DSC-12.4-1"];
    let site = shapes().await;
    let stage = Stage::new("shapes");
    stage.run(&site.url("/"), &["--jobs", "2", "--max-minutes", "4"]).await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &[]);
    let buttons = found.named("button");
    for name in [
        "Copy facts",
        "Copy history",
        "Swap sides",
        "Only new ones",
        "Was this helpful?",
        "Inside the root",
        "Inside the frame",
    ] {
        assert!(buttons.contains(&name), "\"{name}\" is not on the map: {buttons:?}");
    }
    let routes = found.routes();
    for route in ["hovered", "shelves", "wooden", "shipping", "row.id", "post.id"] {
        assert!(routes.contains(&route), "{route} is not on the map: {routes:?}");
    }
    assert!(of(&found, "pages") <= 3 && of(&found, "scroll") <= 3, "two pages, not two hundred");
    let paged = found.edges().iter().filter(|edge| edge.to_string().contains("page=")).count();
    assert!(paged <= 8, "{paged} pages were turned");
}
