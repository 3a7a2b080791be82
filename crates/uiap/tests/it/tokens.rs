//! What a model pays for a page, and what it can reach from there, with a real browser.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use std::time::Duration;
use uiap_protocol::web::{ElementNode, PageGraph, SnapshotOptions};
use uiap_runtime::view::{Refs, ViewOptions, is_actionable, view};
use uiap_web::{Browser, Context, Deadline, LaunchOptions};
use videoland::{Options, Server};

/// What a table of 200 rows may cost.
const TOKENS_MAX: usize = 800;

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

async fn look(context: &Context, url: &str) -> PageGraph {
    let page = context.open(url, soon()).await.expect("the page opens");
    page.rest(soon()).await;
    page.look(&SnapshotOptions::default(), soon()).await.expect("a look").graph
}

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

fn shown(graph: &PageGraph, options: &ViewOptions) -> String {
    view(graph, options).expect("the reference is one of the page")
}

/// The reference of the area whose title starts like this.
fn area<'t>(text: &'t str, title: &str) -> &'t str {
    let line = text.lines().find(|line| line.trim_start().starts_with(title)).expect("the area is there");
    line.split(['[', ']']).nth(1).expect("areas have their reference in brackets")
}

fn stands_in(graph: &PageGraph, element: &ElementNode, refs: &Refs<'_>, area: &str) -> bool {
    if refs.of_element(element) == area {
        return true;
    }
    let parent = graph.elements.iter().find(|other| Some(&other.instance_id) == element.parent_id.as_ref());
    parent.is_some_and(|parent| stands_in(graph, parent, refs, area))
}

/// Checks that every thing that can be done in the rows of a table is one look away from the first one.
fn assert_rows_are_one_call_away(graph: &PageGraph, table: &str, rows: usize) {
    let looks = (1..=rows).map(|row| {
        let options =
            ViewOptions { scope: Some(table.to_owned()), from: Some(row), ..ViewOptions::default() };
        shown(graph, &options)
    });
    let looks: String = looks.collect();
    let words: std::collections::HashSet<&str> = looks.split_whitespace().collect();
    let refs = Refs::of(graph);
    let deeds = graph.elements.iter().filter(|element| is_actionable(element));
    let deeds: Vec<_> = deeds.filter(|deed| stands_in(graph, deed, &refs, table)).collect();
    assert!(deeds.len() >= rows, "only {} things can be done in {rows} rows", deeds.len());
    for deed in deeds {
        let reference = refs.of_element(deed);
        assert!(words.contains(reference.as_str()), "{reference} is not shown in any look at {table}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_table_of_videoland_is_cheap_and_every_row_action_is_one_call_away() {
    let server = Server::start(Options::default()).await.expect("Videoland starts");
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let context = browser.context(soon()).await.expect("a context");
    let login = context.open(&format!("{}/login", server.origin()), soon()).await.expect("the page opens");
    let sign_in = "fetch('/api/login', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user: 'admin', password: 'videoland' }) }).then((answer) => answer.status)";
    let status = login.evaluate_main(sign_in, soon()).await.expect("an answer");
    assert_eq!(status, 200);
    for (path, title, rows) in
        [("/videos", "table \"Videos\"", 20), ("/videos?view=virtual", "table \"Videos\"", 20)]
    {
        let graph = look(&context, &format!("{}{path}", server.origin())).await;
        let text = shown(&graph, &ViewOptions::default());
        assert!(tokens(&text) <= TOKENS_MAX, "{path} has {} tokens:\n{text}", tokens(&text));
        assert!(text.contains("200"), "the text says how many there are:\n{text}");
        assert_rows_are_one_call_away(&graph, area(&text, title), rows);
    }
    browser.close().await;
    server.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_grid_of_200_rows_is_cheap_and_every_row_action_is_one_call_away() {
    let row = |at: usize| {
        format!(
            "<tr><td><input type=checkbox aria-label='Select {at}'><td><a href=/{at}>INV-{at}</a><td>Customer {at} Ltd\
             <td>2026-01-01<td>{at}.50 EUR<td>Open<td><button>Edit</button><button>Delete</button>"
        )
    };
    let rows = (0..200).map(row).collect::<Vec<_>>().concat();
    let columns: String = ["Select", "Invoice", "Customer", "Date", "Amount", "Status", "Actions"]
        .map(|name| format!("<th>{name}"))
        .concat();
    let page = format!(
        "data:text/html,<title>Invoices</title><table><caption>Invoices</caption><tr>{columns}{rows}</table>"
    );
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let context = browser.context(soon()).await.expect("a context");
    let graph = look(&context, &page).await;
    let text = shown(&graph, &ViewOptions::default());
    assert!(tokens(&text) <= TOKENS_MAX, "{} tokens:\n{text}", tokens(&text));
    let table = area(&text, "table \"Invoices\"");
    assert!(text.contains("200 rows") && text.contains("columns: \"Select\" | \"Invoice\""), "{text}");
    assert_rows_are_one_call_away(&graph, table, 200);
    browser.close().await;
}
