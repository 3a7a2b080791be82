//! Lists that grow as one scrolls.

use crate::troubles::site::{Reply, Site};
use crate::troubles::stage::{Found, Stage, page};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const LINKS: &[&str] = &["/", "/feed", "/wall", "/ended", "/loud"];

/// Asks for more whenever what stands after the list comes into view, so many times; `more` adds one page of it.
fn grown(list: &str, more: &str, pages: usize) -> String {
    format!(
        "{list}<div id=end style='height:1px'></div><script>let pages = 0; const list = document.getElementById('list');\
         const more = async () => {{ const number = ++pages; const words = (await (await fetch(`/more/${{number}}`)).text()).split(' ');\
         words.forEach((word, at) => {{ {more} }}); if (pages < {pages}) watch.observe(end); }};\
         const watch = new IntersectionObserver(([seen]) => {{ if (seen.isIntersecting) {{ watch.unobserve(end); more(); }} }});\
         more();</script>"
    )
}

/// Entries of a list that nobody reaches the end of. From its third page on every entry can be muted.
const FEED: &str = "list.insertAdjacentHTML('beforeend', `<li style='height:90px'><a href='/post/${number}${at}'>${word}</a>\
    ${number > 2 ? '<button aria-haspopup=true>Mute</button>' : ''}</li>`)";

/// Links that nobody says are a list, in an area that scrolls by itself.
const WALL: &str = "list.insertAdjacentHTML('beforeend', `<p style='height:90px'><a href='/post/${number}${at}'>${word}</a></p>`)";

/// The same, and it tells the server what was seen.
const LOUD: &str = "if (at === 0) fetch('/seen', { method: 'POST', body: word }); \
    list.insertAdjacentHTML('beforeend', `<li style='height:90px'><a href='/post/${number}${at}'>${word}</a></li>`)";

const ENDLESS: usize = 1_000;

/// Twelve words for a page of a list, no two of them alike.
fn words(number: usize) -> String {
    let letters = |mut rest: usize| {
        let mut word = String::new();
        for _ in 0..4 {
            word.push(char::from(b'a' + u8::try_from(rest % 26).unwrap()));
            rest = rest / 26 + 7 * rest;
        }
        word
    };
    (0..12).map(|at| letters(number * 12 + at)).collect::<Vec<_>>().join(" ")
}

async fn lists(asked: &Arc<AtomicUsize>, written: &Arc<AtomicUsize>) -> Site {
    let (asked, written) = (Arc::clone(asked), Arc::clone(written));
    Site::start(move |path, request| {
        if !request.starts_with("GET ") {
            written.fetch_add(1, Ordering::SeqCst);
        }
        let whole = "<ul id=list></ul>";
        match path {
            "/" => Reply::Page(page("Home", LINKS, "")),
            "/feed" => Reply::Page(page("Feed", LINKS, &grown(whole, FEED, ENDLESS))),
            "/wall" => {
                let area = "<div style='height:400px;overflow:auto'><div id=list></div>";
                Reply::Page(page("Wall", LINKS, &grown(area, WALL, ENDLESS)))
            }
            "/ended" => Reply::Page(page("Ended", LINKS, &grown(whole, &FEED.replace("> 2", "> 99"), 2))),
            "/loud" => Reply::Page(page("Loud", LINKS, &grown(whole, LOUD, ENDLESS))),
            _ => match (path.strip_prefix("/more/"), path.strip_prefix("/post/")) {
                (Some(number), _) => {
                    let number = number.parse().unwrap();
                    asked.fetch_max(number, Ordering::SeqCst);
                    Reply::Page(words(number))
                }
                (_, Some(_)) => Reply::Page(page("Post", LINKS, "<button aria-pressed=false>Mark</button>")),
                _ => Reply::Status(404, ""),
            },
        }
    })
    .await
}

fn of(found: &Found, route: &str) -> usize {
    found.states().iter().filter(|state| state["routeId"] == route).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_that_grow_are_scrolled_a_few_times_and_what_is_new_in_them_is_found() {
    let (asked, written) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let site = lists(&asked, &written).await;
    let stage = Stage::new("scrolled");
    stage.run(&site.url("/"), &["--jobs", "2", "--max-minutes", "4"]).await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &[]);
    assert_eq!(found.routes(), ["ended", "feed", "loud", "post.id", "start", "wall"]);
    assert!(found.named("button").contains(&"Mute"), "{:?}", found.named("button"));
    let counts = ["feed", "wall", "ended", "loud"].map(|route| of(&found, route));
    assert_eq!(counts, [2, 1, 1, 1], "more of the same is the same state");
    found.asks("coverage_gap", &["A list of feed|", "A list of wall|", "A list of loud|", "goes on"]);
    let gaps = found.list("/reviewQueue/items").iter().filter(|item| item["kind"] == "coverage_gap");
    let ended = gaps.filter(|gap| gap["description"].as_str().unwrap().contains("list of ended")).count();
    assert_eq!(ended, 0, "a list that ends was seen as a whole");
    assert!(asked.load(Ordering::SeqCst) <= 4, "page {} was asked for", asked.load(Ordering::SeqCst));
    assert_eq!(written.load(Ordering::SeqCst), 0, "what is sent while scrolling is held back");
    let scrolled = |edge: &&serde_json::Value| edge["viaActionId"] == "ui.scrollIntoView";
    let held = found.edges().iter().filter(scrolled).filter(|edge| edge["metadata"]["held"].is_u64());
    assert_eq!(held.count(), 1, "{:#?}", found.edges().iter().filter(scrolled).collect::<Vec<_>>());
    let told = |edge: &serde_json::Value| edge["observedSignals"].to_string().contains("list.grew");
    assert!(found.edges().iter().filter(scrolled).all(told), "that it grew is observed");
    let decided =
        stage.logbook().iter().filter(|line| line["decided"]["action"] == "ui.scrollIntoView").count();
    assert_eq!(decided, 4, "each list is decided about once");
    let again = Stage::new("scrolled-again");
    again.run(&site.url("/"), &["--jobs", "2", "--max-minutes", "4"]).await.ended(0, &["Mapped"]);
    assert_eq!(again.found().package["revision"], found.package["revision"], "the same map once more");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_scrolled_where_nothing_may_be_done() {
    let (asked, written) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let site = lists(&asked, &written).await;
    let stage = Stage::new("unscrolled");
    let more = ["--jobs", "1", "--mode", "observe-only", "--seed", "/feed"];
    stage.run(&site.url("/"), &more).await.ended(0, &["Mapped"]);
    assert_eq!(asked.load(Ordering::SeqCst), 1, "only what the page itself asks for");
}
