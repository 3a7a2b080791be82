//! Menus that open by the style of a page alone, when somebody points at them.

use crate::troubles::site::{Reply, Site};
use crate::troubles::stage::{Stage, page};

const LINKS: &[&str] = &["/", "/orders"];

/// Menus in menus, one of them behind mere words; a hint that only tells something; and what stays shut.
const MENUS: &str = "\
<style>.bar ul ul { display: none } .bar li:hover > ul { display: block } .tip { display: none } .info:hover .tip { display: block }\
 .box { & .more { visibility: hidden } &:is(:hover, :focus-within) .more { visibility: visible } }</style>\
<nav aria-label=Shop class=bar><ul><li><a href='/lamps'>Lamps</a><ul><li><a href='/desk'>Desk lamps</a>\
<ul><li><a href='/red'>Red ones</a></li></ul></li></ul></li><li><span>About us</span><ul><li><a href='/team'>Team</a></li></ul></li></ul></nav>\
<p class=info tabindex=0>Prices <span class=tip>with tax</span></p>\
<div class=box><button aria-pressed=false>Share</button><div class=more><a href='/embed'>Embed</a></div></div>";

/// What can be done with a row shows when somebody points at it.
fn orders() -> String {
    let row = |number: usize| {
        format!(
            "<tr><td><a href='/order/{number}'>Order {number}</a></td>\
             <td><span class=tools><button aria-haspopup=dialog>Split order</button></span></td></tr>"
        )
    };
    let rows = (1..=30).map(row).collect::<Vec<_>>().concat();
    format!(
        "<style>.tools {{ visibility: hidden }} tr:hover .tools {{ visibility: visible }}</style><table>{rows}</table>"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn what_opens_by_pointing_alone_is_opened() {
    let site = Site::start(|path, _| match path {
        "/" => Reply::Page(page("Home", LINKS, MENUS)),
        "/orders" => Reply::Page(page("Orders", LINKS, &orders())),
        "/lamps" | "/desk" | "/red" | "/team" | "/embed" => Reply::Page(page(path, LINKS, "")),
        _ if path.starts_with("/order/") => Reply::Page(page("Order", LINKS, "")),
        _ => Reply::Status(404, ""),
    })
    .await;
    let stage = Stage::new("hovered");
    stage.run(&site.url("/"), &["--jobs", "2", "--max-minutes", "4"]).await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &[]);
    assert_eq!(
        found.routes(),
        ["desk", "embed", "lamps", "order.id", "orders", "red", "start", "team"],
        "{:#?}",
        found.edges()
    );
    // What only one row shows is called after its data, and so without a name.
    let elements = found.list("/elementCatalog/elements").iter();
    let buttons = elements.filter(|element| element["role"] == "button").count();
    assert_eq!((buttons, found.named("button")), (2, vec!["Share"]));
    let pointed: Vec<_> = found.edges().iter().filter(|edge| edge["viaActionId"] == "ui.hover").collect();
    // Three menus, one box, and the rows as one.
    assert_eq!(pointed.len(), 5, "{pointed:#?}");
    assert!(pointed.iter().all(|edge| edge["fromStateId"] != edge["toStateId"]), "each shows something");
    let opened: Vec<_> = pointed.iter().map(|edge| &edge["toStateId"]).collect();
    let led = |route: &str| {
        let there =
            found.states().iter().find(|state| state["routeId"] == route).map(|state| &state["stateId"]);
        found
            .edges()
            .iter()
            .any(|edge| Some(&edge["toStateId"]) == there && opened.contains(&&edge["fromStateId"]))
    };
    assert!(
        ["desk", "red", "team", "embed"].into_iter().all(led),
        "their links are where the pointer opened them"
    );
}
