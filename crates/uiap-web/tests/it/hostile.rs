//! Pages that get in the way of a look: a true answer within the deadline, or a clear error.

use crate::support::*;
use std::time::{Duration, Instant};
use uiap_protocol::web::SnapshotOptions;
use uiap_web::{CallError, Deadline, LookError, OpenError};

/// What a page does, and what is seen of it.
struct Case {
    what: &'static str,
    page: &'static str,
    seen: &'static str,
}

const CASES: &[Case] = &[
    Case {
        what: "throws wherever it can",
        page: "<button>Here</button><script>
            addEventListener('error', () => { throw 2; }); onload = () => { throw 1; };
            new MutationObserver(() => { throw 3; }).observe(document, { subtree: true, childList: true });
            document.body.append(Object.assign(document.createElement('button'), { textContent: 'There' }));
            throw 0;</script>",
        seen: "button Here\nbutton There",
    },
    Case {
        what: "replaces its body",
        page: "<button>Old</button><script>
            const body = document.createElement('body'); body.innerHTML = '<button>New</button>';
            document.body = body;</script>",
        seen: "button New",
    },
    Case {
        what: "replaces its root",
        page: "<button>Old</button><script>
            const root = document.createElement('html'); root.innerHTML = '<body><button>New</button>';
            document.replaceChild(root, document.documentElement);</script>",
        seen: "button New",
    },
    Case {
        what: "has no root",
        page: "<button>Old</button><script>onload = () => document.documentElement.remove();</script>",
        seen: "",
    },
    Case {
        what: "overrides Array.prototype",
        page: "<button>Real</button><script>
            for (const name of Object.getOwnPropertyNames(Array.prototype)) try { Array.prototype[name] = () => { throw name; }; } catch {}
            Array.prototype[Symbol.iterator] = () => { throw 1; }; Array.from = Array.isArray = null;</script>",
        seen: "button Real",
    },
    Case {
        what: "overrides Element.prototype and Node.prototype",
        page: "<button>Real</button><script>
            for (const owner of [Element, Node, HTMLElement, Document, DocumentFragment, EventTarget])
              for (const [name, { configurable }] of Object.entries(Object.getOwnPropertyDescriptors(owner.prototype)))
                if (configurable && name !== 'constructor') Object.defineProperty(owner.prototype, name, { get() { throw name; }, set() {}, configurable: true });
            </script>",
        seen: "button Real",
    },
    Case {
        what: "overrides JSON, Map, WeakMap, Set and Object",
        page: "<button>Real</button><script>
            JSON.stringify = () => '{}'; JSON.parse = () => { throw 1; };
            Map.prototype.get = WeakMap.prototype.get = Set.prototype.has = () => { throw 2; };
            Object.defineProperty = Object.freeze = Object.entries = () => { throw 3; };
            globalThis.Map = globalThis.WeakMap = globalThis.Set = globalThis.MutationObserver = null;</script>",
        seen: "button Real",
    },
    Case {
        what: "redefines attachShadow and shadowRoot",
        page: "<div id=host></div><script>
            const attach = Element.prototype.attachShadow;
            Element.prototype.attachShadow = function (init) { throw 1; };
            attach.call(host, { mode: 'open' }).innerHTML = '<button>Inside</button>';
            Object.defineProperty(Element.prototype, 'shadowRoot', { get: () => null });</script>",
        seen: "button Inside",
    },
    Case {
        what: "names its fields like members of a form",
        page: "<form><input name=children><input name=attributes><input name=parentNode><input name=localName><button>Send</button></form>",
        seen: "textbox -\ntextbox -\ntextbox -\ntextbox -\nbutton Send",
    },
    Case {
        what: "removes every script and our handle",
        page: "<button>Here</button><script>
            delete globalThis.__uiap; globalThis.__uiap = null;
            document.querySelectorAll('script').forEach((script) => script.remove());</script>",
        seen: "button Here",
    },
    Case {
        what: "freezes and seals what it finds",
        page: "<button>Here</button><script>
            for (const thing of [Object.prototype, Array.prototype, Element.prototype, document.body]) Object.freeze(thing);
            Object.preventExtensions(globalThis.document);</script>",
        seen: "button Here",
    },
    Case {
        what: "changes itself all the time",
        page: "<button>Here</button><p id=p></p><script>
            const tick = () => { p.textContent = Math.random(); p.toggleAttribute('x'); requestAnimationFrame(tick); queueMicrotask(() => 0); }; tick();</script>",
        seen: "button Here",
    },
];

#[tokio::test]
async fn a_page_cannot_hide_what_it_shows() {
    let browser = browser().await;
    let context = context(&browser).await;
    for Case { what, page, seen: expected } in CASES {
        let site = site_of(page).await;
        let page = context.open(&site.url("/"), soon()).await.unwrap();
        let look = page.look(&SnapshotOptions::default(), soon()).await.unwrap();
        assert_eq!(lines(&look.graph), *expected, "a page that {what}");
        assert_eq!((look.graph.truncated, &look.graph.metadata), (None, &None), "a page that {what}");
        // And once more, now that there is something to be disturbed.
        assert_eq!(seen(&page).await, *expected, "a page that {what}, again");
    }
}

#[tokio::test]
async fn a_page_that_is_deep_or_long_is_seen_and_its_limits_are_said() {
    let browser = browser().await;
    let context = context(&browser).await;
    let deep = "let at = document.body; for (let n = 0; n < 1000; n += 1) at = at.appendChild(document.createElement('div'));";
    for (what, script) in [
        ("1,000 levels deep", format!("{deep} at.innerHTML = '<button>Deep</button>';")),
        (
            "1,000 shadow roots deep",
            "let at = document.body; for (let n = 0; n < 1000; n += 1) at = at.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
             at.innerHTML = '<button>Deep</button>';"
                .to_owned(),
        ),
        (
            "1 MB of text in one node",
            "document.body.append('x'.repeat(1 << 20)); document.body.insertAdjacentHTML('beforeend', '<button>Deep</button>');"
                .to_owned(),
        ),
    ] {
        let site = site_of(&format!("<script>onload = () => {{ {script} }};</script>")).await;
        let page = context.open(&site.url("/"), soon()).await.unwrap();
        assert_eq!(seen(&page).await, "button Deep", "{what}");
    }
    // A name that nobody can use is cut, and the rest of the graph is not drowned in it.
    let site = site_of("<button id=b></button><script>b.textContent = 'x'.repeat(1 << 20);</script>").await;
    let page = context.open(&site.url("/"), soon()).await.unwrap();
    let look = page.look(&SnapshotOptions::default(), soon()).await.unwrap();
    assert!(look.json_bytes < 16 * 1024, "{}", look.json_bytes);
}

#[tokio::test]
async fn a_page_that_is_busy_forever_costs_the_deadline_and_can_be_closed() {
    let site = site_of("<button>Loop</button>").await;
    let browser = browser().await;
    let context = context(&browser).await;
    let page = context.open(&site.url("/"), soon()).await.unwrap();
    let other = context.open(&site.other_url("/"), soon()).await.unwrap();
    page.evaluate_main("void setTimeout(() => { for (;;); })", soon()).await.unwrap();
    let wait = Duration::from_millis(500);
    let end = Instant::now() + WAIT;
    // Whoever asks before the timer fires is answered; from then on nobody is.
    let error = loop {
        assert!(Instant::now() < end);
        let started = Instant::now();
        if let Err(error) = page.look(&SnapshotOptions::default(), Deadline::after(wait)).await {
            assert!(started.elapsed() < WAIT / 2, "{:?}", started.elapsed());
            break error;
        }
    };
    assert!(matches!(error, LookError::Call(CallError::Deadline { .. })), "{error}");
    // Others are not disturbed, and dropping the page ends it.
    assert_eq!(seen(&other).await, "button Loop");
    let id = page.id().to_owned();
    drop(page);
    until_async("the page is closed", async || {
        let targets =
            browser.client().send(None, "Target.getTargets", serde_json::json!({}), soon()).await.unwrap();
        !targets.to_string().contains(&id)
    })
    .await;
}

#[tokio::test]
async fn strict_policies_do_not_matter() {
    let browser = browser().await;
    let context = context(&browser).await;
    for policy in [
        "Content-Security-Policy: default-src 'none'",
        "Content-Security-Policy: require-trusted-types-for 'script'; trusted-types 'none'",
        "Content-Security-Policy: script-src 'nonce-x'; object-src 'none'; base-uri 'none'; sandbox allow-scripts",
        "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp",
        "Permissions-Policy: unload=(), sync-xhr=()",
    ] {
        let site = Site::start(move |_, _| Reply::Header(policy, "<button>Safe</button>")).await;
        let page = context.open(&site.url("/"), soon()).await.unwrap();
        assert_eq!(seen(&page).await, "button Safe", "{policy}");
        // Nothing of ours is reported to the page as a violation.
        let signals = page.signals().since(uiap_web::Position::default()).signals;
        let complaint =
            signals.iter().map(|signal| json_of(signal).to_string()).find(|text| text.contains("Policy"));
        assert_eq!(complaint, None, "{policy}");
    }
}

#[tokio::test]
async fn a_page_that_reloads_without_end_gives_an_answer_or_a_clear_error() {
    let site = site_of("<button>Again</button><script>location.reload()</script>").await;
    let browser = browser().await;
    let context = context(&browser).await;
    let short = || Deadline::after(Duration::from_secs(3));
    // Opened before, so that only what is about the restless page must be short.
    let mut page = context.open("about:blank", soon()).await.unwrap();
    if let Err(error) = page.go(&site.url("/"), short()).await {
        assert!(matches!(error, OpenError::NoAnswer { .. }), "{error}");
    }
    for _ in 0..3 {
        match page.look(&SnapshotOptions::default(), short()).await {
            // The document may be looked at before its body came.
            Ok(look) => assert!(["", "button Again"].contains(&lines(&look.graph).as_str())),
            // Restless if a document went while it was looked at; the deadline may come before one has.
            Err(error) => {
                let is_clear =
                    matches!(error, LookError::Restless { .. } | LookError::Call(CallError::Deadline { .. }));
                assert!(is_clear, "{error}");
            }
        }
    }
}
