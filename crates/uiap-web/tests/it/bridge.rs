//! What a page keeps to itself, and what the configuration opens.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::support::*;
use serde_json::json;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::{BoundaryKind, GraphStore, OpaqueKind, PageGraph, SnapshotOptions};
use uiap_web::{
    Act, BridgeOptions, BrowserSignal, Check, ContextOptions, Deed, Delivery, Hindrance, Means, Page,
    Position, Press,
};

/// Frames of three origins: the page's own, another site, and another port of the same host, which is another origin
/// in the same process.
struct Sites {
    page: Site,
    other: Site,
}

impl Sites {
    async fn start() -> Self {
        let other = Site::start(|path, request| {
            let port = request.lines().find_map(|line| line.strip_prefix("Host: ")?.rsplit(':').next()).unwrap();
            Reply::Page(match path {
                "/nest" => format!(
                    "<body style='margin:0'><button>Nest</button><iframe src='http://127.0.0.1:{port}/deep'></iframe>"
                ),
                "/deep" => "<button>Deep</button>".to_owned(),
                "/talk" => "<button>Talk</button><script>console.error('inside')</script>".to_owned(),
                _ => "<body style='margin:0'><button style='position:absolute;left:10px;top:20px'>Inner</button><input type=password value=x>".to_owned(),
            })
        })
        .await;
        let port = other.port;
        let page = Site::start(move |path, _| {
            let frame = |url: String| format!("<button>Before</button><iframe title=Frame style='position:absolute;left:100px;top:200px;border:5px solid' src='{url}'></iframe><button>After</button>");
            Reply::Page(match path {
                "/port" => frame(format!("http://127.0.0.1:{port}/")),
                "/nest" => frame(format!("http://localhost:{port}/nest")),
                "/talk" => frame(format!("http://localhost:{port}/talk")),
                _ => frame(format!("http://localhost:{port}/")),
            })
        })
        .await;
        Self { page, other }
    }

    fn origin(&self, host: &str) -> String {
        format!("http://{host}:{}", self.other.port)
    }

    fn named(&self, hosts: &[&str]) -> ContextOptions {
        let origins = hosts.iter().map(|host| self.origin(host)).collect();
        let bridge = BridgeOptions { origins, ..BridgeOptions::default() };
        ContextOptions { bridge, ..ContextOptions::default() }
    }
}

async fn look(page: &Page) -> PageGraph {
    page.look(&SnapshotOptions::default(), soon()).await.unwrap().graph
}

fn regions(graph: &PageGraph) -> usize {
    graph.opaque_regions.as_ref().map_or(0, Vec::len)
}

// Of DSC 12 these tests prove what the graph gives to a mapper: of a foreign frame only its host, box, label and origin,
// of a bridged one a document of its own, of a closed shadow root nothing unless its host is named.

#[tokio::test]
async fn a_frame_of_an_unnamed_origin_stays_opaque() {
    uiap_testkit::proves!["WEB-29", "WEB-22", "DSC-12.2-1", "DSC-12.2-2"];
    let sites = Sites::start().await;
    for (path, named) in [("/", &[][..]), ("/port", &[]), ("/", &["127.0.0.1"]), ("/port", &["localhost"])] {
        let (_browser, _context, page) = open_with(&sites.page.url(path), sites.named(named)).await;
        let graph = look(&page).await;
        assert_eq!(lines(&graph), "button Before\nbutton After", "{path}");
        let region = &graph.opaque_regions.as_ref().unwrap()[0];
        assert_eq!((regions(&graph), region.kind), (1, OpaqueKind::CrossOriginFrame));
        assert!(region.bbox.is_some() && region.label.as_deref() == Some("Frame"), "{region:?}");
        let frame = &graph.documents[1].boundary;
        assert_eq!((frame.kind, frame.opaque), (BoundaryKind::CrossOriginFrame, true));
    }
}

#[tokio::test]
async fn a_frame_of_a_named_origin_is_a_part_of_the_page() {
    uiap_testkit::proves!["WEB-23", "DSC-12.3-1"];
    let sites = Sites::start().await;
    for (path, host) in [("/", "localhost"), ("/port", "127.0.0.1")] {
        let (_browser, _context, page) = open_with(&sites.page.url(path), sites.named(&[host])).await;
        let mut graph = look(&page).await;
        until_async("the frame is there", async || {
            graph = look(&page).await;
            lines(&graph).contains("Inner")
        })
        .await;
        assert_eq!(lines(&graph), "button Before\nbutton Inner\ntextbox -\nbutton After", "{path}");
        assert_eq!(regions(&graph), 0);
        let frame = &graph.documents[1].boundary;
        assert_eq!((frame.kind, frame.opaque), (BoundaryKind::BridgedFrame, false));
        assert_eq!(frame.origin, Some(sites.origin(host)));
        let named = |name: &str| graph.elements.iter().find(|element| element.name.as_deref() == Some(name));
        let bbox = named("Inner").unwrap().bbox.unwrap();
        assert_eq!((bbox.x.get(), bbox.y.get()), (115.0, 225.0), "frame, border and place in it");
        // What is withheld in a page is withheld in a frame.
        assert_eq!(graph.redacted, Some(true));
        assert!(!serde_json::to_string(&graph).unwrap().contains("\"textValue\":\"x\""));
    }
}

#[tokio::test]
async fn what_a_bridge_shows_cannot_be_acted_on_and_that_is_said() {
    let sites = Sites::start().await;
    let (_browser, _context, page) = open_with(&sites.page.url("/"), sites.named(&["localhost"])).await;
    until_async("the frame is there", async || lines(&look(&page).await).contains("Inner")).await;
    let graph = look(&page).await;
    let id = |name: &str| {
        let named = graph.elements.iter().find(|element| element.name.as_deref() == Some(name));
        named.unwrap().instance_id.clone()
    };
    let (inner, outer) = (id("Inner"), id("Before"));
    assert_eq!(page.check(&inner, None, soon()).await, Err(Hindrance::BeyondBridge));
    assert!(matches!(page.check(&outer, None, soon()).await, Ok(Check::Present(_))));
    let drag = |to: &ElementInstanceId| Act::Drag { to: to.clone() };
    for means in [Means::SemanticUi, Means::ExternalDriver, Means::InputSynthesis] {
        for (target, act) in [(&inner, Act::Press(Press::default())), (&outer, drag(&inner))] {
            let deed = Deed { target: Some(target.clone()), act, means, expected: None };
            let delivery = page.deliver(&deed, soon()).await;
            assert_eq!(delivery, Delivery::None(Hindrance::BeyondBridge), "{means:?}");
        }
    }
}

#[tokio::test]
async fn a_watch_stays_on_this_side_of_frames_and_its_deltas_too() {
    let sites = Sites::start().await;
    let (_browser, _context, page) = open_with(&sites.page.url("/"), sites.named(&["localhost"])).await;
    until_async("the frame is there", async || lines(&look(&page).await).contains("Inner")).await;
    let watch = page.watch(soon()).await.unwrap();
    let followed = || watch.read(GraphStore::graph).unwrap();
    assert_eq!((lines(&followed()).as_str(), regions(&followed())), ("button Before\nbutton After", 1));
    let revision = watch.revision().unwrap();
    page.evaluate_main("document.querySelector('button').textContent = 'Sooner'", soon()).await.unwrap();
    assert!(watch.moved_from(&revision, soon()).await.unwrap());
    assert_eq!((lines(&followed()).as_str(), regions(&followed())), ("button Sooner\nbutton After", 1));
    // A look still crosses, and does not disturb who follows.
    assert_eq!(lines(&look(&page).await), "button Sooner\nbutton Inner\ntextbox -\nbutton After");
    assert_eq!((watch.lost(), regions(&followed())), (None, 1));
}

#[tokio::test]
async fn a_watch_looks_into_closed_shadow_roots_of_named_hosts() {
    let site = site_of(CLOSED).await;
    let closed_hosts = vec!["pay-form".to_owned(), "pay-inner".to_owned()];
    let bridge = BridgeOptions { closed_hosts, ..BridgeOptions::default() };
    let options = ContextOptions { bridge, ..ContextOptions::default() };
    let (_browser, _context, page) = open_with(&site.url("/"), options).await;
    // Nobody looked before.
    let watch = page.watch(soon()).await.unwrap();
    let followed = watch.read(GraphStore::graph).unwrap();
    assert_eq!((lines(&followed).as_str(), regions(&followed)), ("button Pay\nbutton Innermost", 1));
}

#[tokio::test]
async fn frames_in_frames_are_crossed_one_by_one() {
    let sites = Sites::start().await;
    let (_browser, _context, page) = open_with(&sites.page.url("/nest"), sites.named(&["localhost"])).await;
    until_async("the outer frame is there", async || lines(&look(&page).await).contains("Nest")).await;
    let graph = look(&page).await;
    assert_eq!((lines(&graph).as_str(), regions(&graph)), ("button Before\nbutton Nest\nbutton After", 1));
    drop(page);
    let both = sites.named(&["localhost", "127.0.0.1"]);
    let (_browser, _context, page) = open_with(&sites.page.url("/nest"), both).await;
    until_async("the inner frame is there", async || lines(&look(&page).await).contains("Deep")).await;
    let graph = look(&page).await;
    assert_eq!(lines(&graph), "button Before\nbutton Nest\nbutton Deep\nbutton After");
    assert_eq!(regions(&graph), 0);
}

#[tokio::test]
async fn what_happens_in_a_frame_is_told_only_of_named_origins() {
    let sites = Sites::start().await;
    let (_browser, _context, page) = open_with(&sites.page.url("/talk"), sites.named(&["localhost"])).await;
    signal(&page, Position::default(), BrowserSignal::Console, json!({ "text": "inside" })).await;
    let (_browser, _context, page) = open_with(&sites.page.url("/talk"), sites.named(&["127.0.0.1"])).await;
    page.evaluate_main("void console.error('outside')", soon()).await.unwrap();
    signal(&page, Position::default(), BrowserSignal::Console, json!({ "text": "outside" })).await;
    let told = page.signals().since(Position::default()).signals;
    assert!(told.iter().all(|signal| !json_of(signal).to_string().contains("inside")), "{told:?}");
}

#[tokio::test]
async fn a_frame_that_leaves_a_named_origin_becomes_opaque() {
    let sites = Sites::start().await;
    let (_browser, _context, page) = open_with(&sites.page.url("/"), sites.named(&["localhost"])).await;
    until_async("the frame is there", async || lines(&look(&page).await).contains("Inner")).await;
    let away = format!("void (document.querySelector('iframe').src = '{}')", sites.origin("127.0.0.1"));
    page.evaluate_main(&away, soon()).await.unwrap();
    until_async("it is opaque", async || regions(&look(&page).await) == 1).await;
    assert_eq!(lines(&look(&page).await), "button Before\nbutton After");
    page.evaluate_main("document.querySelector('iframe').remove()", soon()).await.unwrap();
    assert_eq!(regions(&look(&page).await), 0);
}

const CLOSED: &str = "<script>
    const make = (name, inner) => customElements.define(name, class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = inner; }
    });
    make('pay-inner', '<button>Innermost</button>');
    make('pay-form', '<button>Pay</button><pay-inner style=\"display:block\"></pay-inner>');
    make('other-form', '<button>Other</button>');
    </script><pay-form style='display:block;height:50px'></pay-form><other-form style='display:block;height:50px'></other-form>";

#[tokio::test]
async fn a_closed_shadow_root_is_opaque_unless_its_host_is_named() {
    uiap_testkit::proves!["WEB-30", "DSC-12.5-1"];
    let site = site_of(CLOSED).await;
    for (hosts, seen, opaque) in [
        (&[][..], "", 2),
        (&["pay-form"], "button Pay", 2),
        (&["pay-form", "pay-inner"], "button Pay\nbutton Innermost", 1),
        (&["!!", "other-form"], "button Other", 1),
    ] {
        let closed_hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
        let bridge = BridgeOptions { closed_hosts, ..BridgeOptions::default() };
        let options = ContextOptions { bridge, ..ContextOptions::default() };
        let (_browser, _context, page) = open_with(&site.url("/"), options).await;
        let graph = look(&page).await;
        assert_eq!((lines(&graph).as_str(), regions(&graph)), (seen, opaque), "{hosts:?}");
        let shadows = graph.elements.iter().filter(|element| element.shadow.is_some());
        assert!(
            shadows.clone().all(|element| element.shadow == Some(uiap_protocol::web::Shadow::ClosedBridged))
        );
        assert_eq!(shadows.count() > 0, !seen.is_empty());
        // The page itself sees no difference.
        let root = page.evaluate_main("document.querySelector('pay-form').shadowRoot", soon()).await.unwrap();
        assert!(root.is_null());
    }
}
