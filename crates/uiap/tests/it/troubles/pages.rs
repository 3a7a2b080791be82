//! Pages that wear out whoever explores them: that turn in circles, never rest, never end.

use crate::troubles::site::{Reply, Site};
use crate::troubles::stage::{Stage, page};

const LINKS: &[&str] = &["/", "/turning", "/flapping", "/restless", "/hanging", "/broken", "/last"];

/// Its words, its numbers and its look change all the time, and it asks for something that never comes.
const RESTLESS: &str = "<style>@keyframes turn { to { transform: rotate(1turn) } } #disc { animation: turn 1s infinite }</style>\
    <div id=disc>*</div><p id=clock></p><ul id=news></ul><button>Refresh</button><script>\
    setInterval(() => { clock.textContent = new Date().toISOString(); disc.id = disc.id; }, 10);\
    setInterval(() => { const item = document.createElement('li'); item.textContent = Math.random(); \
    news.prepend(item); if (news.children.length > 5) news.lastChild.remove(); }, 30);\
    fetch('/silence?1'); fetch('/silence?2');</script>";

/// Says that it goes elsewhere as soon as it is there.
fn flap(to: &str) -> Reply {
    Reply::Page(format!("<!doctype html><title>On the way</title><script>location.replace('{to}')</script>"))
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_wear_others_out_are_findings_and_the_rest_is_explored() {
    uiap_testkit::proves!["DSC-11.6-2"];
    let site = Site::start(|path, _| match path.split('?').next().unwrap_or_default() {
        "/" => Reply::Page(page(path, LINKS, "")),
        "/last" => Reply::Page(page(path, LINKS, "<script>fetch('/broken?_=' + Date.now())</script>")),
        "/turning" => Reply::Redirect("/turning?"),
        "/flapping" => flap("/flapped"),
        "/flapped" => flap("/flapping"),
        "/restless" => Reply::Page(page(path, LINKS, RESTLESS)),
        "/hanging" => Reply::Page(page(path, LINKS, "<script src='/silence'></script>")),
        "/broken" => Reply::Status(500, "<h1>Something went wrong</h1>"),
        "/silence" => Reply::Silent,
        _ => Reply::Status(404, ""),
    })
    .await;
    let stage = Stage::new("wearing");
    stage.run(&site.url("/"), &["--jobs", "2", "--max-minutes", "3"]).await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &[]);
    let routes = found.routes();
    for route in ["start", "last", "restless", "hanging"] {
        assert!(routes.contains(&route), "{route} is not on the map: {routes:?}");
    }
    assert!(!routes.contains(&"turning") && !routes.contains(&"broken"), "{routes:?}");
    let restless = found.states().iter().filter(|state| state["routeId"] == "restless").count();
    assert!(restless <= 2, "what changes by itself makes no new states: {restless}");
    found.asks("custom", &["answered with status 500", "redirects from one address to the next without end"]);
    found.asks("custom", &["/broken?_ answered with status 500"]);
    found.asks("coverage_gap", &["turning” could not be followed", "flapping” could not be followed"]);
}

/// Asks for its data in a way that can write, and says on leaving that it was there.
const TALKING: &str = "<ul id=list></ul><script>fetch('/api/list?user=brunhilde', { method: 'POST', body: '{}' })\
    .then((answer) => answer.text()).then((text) => { list.innerHTML = text; });\
    addEventListener('pagehide', () => { navigator.sendBeacon('/api/left/17'); });</script>";

#[tokio::test(flavor = "multi_thread")]
async fn what_pages_ask_for_by_themselves_is_held_back_and_told() {
    let talks = |reads: &'static str| async move {
        let site = Site::start(|path, _| match path.split('?').next().unwrap_or_default() {
            "/" => Reply::Page(page("/", &["/", "/more"], TALKING)),
            "/more" => Reply::Page(page("/more", &["/", "/more"], "")),
            "/api/list" => {
                Reply::Page("<li><button aria-expanded=false>Details of it</button></li>".to_owned())
            }
            _ => Reply::Status(404, ""),
        })
        .await;
        let stage = Stage::new(if reads.is_empty() { "talking" } else { "talking-read" });
        let url = site.url("/");
        let text = format!("environmentId: e\nbaseUrl: {url}\nmetadata: {{reads: [{reads}]}}\n");
        let environment = stage.file("environment.yaml", &text);
        stage.run(&url, &["--environment", &environment]).await.ended(0, &["Mapped"]);
        stage.found()
    };
    let found = talks("").await;
    found.asks("custom", &["/api/list?user was held back", "/api/left/:id was held back"]);
    assert!(!found.package.to_string().contains("brunhilde"), "who asked is nobody's business");
    assert_eq!(found.package["metadata"]["heldBack"], 2, "each is told once");
    assert!(!found.named("button").contains(&"Details of it"), "nothing came");
    let found = talks("POST /api/list").await;
    assert!(found.named("button").contains(&"Details of it"), "{:?}", found.named("button"));
    assert!(!found.package["reviewQueue"].to_string().contains("/api/list"));
}

/// So many links on one page.
const MANY: usize = 10_000;
/// What a process may hold for a page with so many, in kilobytes.
const PEAK_KB_MAX: u64 = 1_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_links_are_folded() {
    let site = Site::start(|path, _| match path {
        "/" => Reply::Page(page("Home", &["/list", "/about"], "")),
        "/list" => {
            let item = |number| format!("<li><a href='/item/{number}'>Item {number}</a></li>");
            let items = (0..MANY).map(item).collect::<Vec<_>>().concat();
            Reply::Page(page("List", &["/", "/about"], &format!("<ul>{items}</ul>")))
        }
        "/about" => Reply::Page(page("About", &["/", "/list"], "")),
        path if path.starts_with("/item/") => {
            Reply::Page(page("Item", &["/list"], "<button aria-pressed=false>Mark</button>"))
        }
        _ => Reply::Status(404, ""),
    })
    .await;
    let stage = Stage::new("many");
    let run = stage.start(&site.url("/"), &["--jobs", "1", "--max-minutes", "3"]);
    let (pid, mut peak) = (run.pid(), 0);
    let ended = run.end();
    tokio::pin!(ended);
    let ran = loop {
        tokio::select! {
            ran = &mut ended => break ran,
            () = tokio::time::sleep(std::time::Duration::from_millis(100)) => {
                peak = peak.max(peak_kb(pid.as_raw_nonzero().get()));
            }
        }
    };
    ran.ended(0, &["Mapped"]);
    let found = stage.found();
    let routes = found.ended("completed", &[]).routes();
    assert!(["about", "start"].iter().all(|route| routes.contains(route)), "{routes:?}");
    // A machine that is too busy for such a page says so.
    if !routes.contains(&"list") {
        found.asks("coverage_gap", &["could not be followed"]);
    } else if !routes.contains(&"item.id") {
        found.asks("coverage_gap", &["could not be reached again"]);
    }
    assert!(found.states().len() <= 6, "{} states", found.states().len());
    assert!(found.edges().len() <= 12, "{} transitions", found.edges().len());
    assert!(peak > 0 && peak < PEAK_KB_MAX, "{peak} kB");
}

/// The most memory that a process held so far.
fn peak_kb(pid: i32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_calendar_has_few_states_though_every_day_leads_to_the_next() {
    // In the path, in the query, and as a word that nobody can take for a number.
    let site = Site::start(|path, _| {
        let day = |text: &str| text.parse::<u32>().unwrap_or_default() + 1;
        let words = |number: u32| {
            let digits = number.to_string();
            digits.chars().map(|digit| char::from(b'a' + (digit as u8 - b'0'))).collect::<String>()
        };
        let (place, rest) = path.trim_start_matches('/').split_once(['/', '?']).unwrap_or((path, ""));
        match place {
            "/" => Reply::Page(page("Home", &["/day/1", "/days?day=1", "/called/a"], "")),
            "day" => {
                let next = day(rest);
                Reply::Page(page("Day", &["/"], &format!("<a href='/day/{next}'>Day {next}</a>")))
            }
            "days" => {
                let next = day(rest.trim_start_matches("day="));
                Reply::Page(page("Day", &["/"], &format!("<a href='/days?day={next}'>Next day</a>")))
            }
            "called" => {
                let number: String =
                    rest.chars().map(|letter| char::from(b'0' + (letter as u8 - b'a'))).collect();
                let next = words(day(&number));
                Reply::Page(page("Day", &["/"], &format!("<a href='/called/{next}'>On to {next}</a>")))
            }
            _ => Reply::Status(404, ""),
        }
    })
    .await;
    let stage = Stage::new("calendar");
    stage.run(&site.url("/"), &["--jobs", "2"]).await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &[]).asks("coverage_gap", &["steps from a seed"]);
    let of = |start: &str| {
        let routes = found.states().iter().filter_map(|state| state["routeId"].as_str());
        routes.filter(|route| route.starts_with(start)).count()
    };
    assert!(of("day.id") <= 2 && of("days") <= 2, "{:?}", found.routes());
    assert!(of("called") <= 8, "{:?}", found.routes());
}
