#![no_main]

use libfuzzer_sys::fuzz_target;
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::web::{GraphStore, PageGraph, WebStateDelta};
use uiap_protocol::wire::accept;

const PAGE: &str = r#"{"modelVersion":"0.1","profile":"web@0.1","revision":"r","seq":1,
    "capturedAt":"2026-03-26T14:03:00.000Z","route":{"url":"https://app.example.com/"},
    "documents":[{"id":"d","boundary":{"kind":"root","opaque":false}}],
    "scopes":[{"id":"s","kind":"form","documentId":"d"}],
    "elements":[{"instanceId":"a","documentId":"d","scopeId":"s","role":"button","state":{}},
                {"instanceId":"b","documentId":"d","stableId":"x","role":"link","state":{"visible":true}}]}"#;

fuzz_target!(|bytes: &[u8]| {
    let Some(tree) = uiap_fuzz::read_json(bytes) else { return };
    let Some(delta) = uiap_fuzz::decode_both_ways::<WebStateDelta>(&tree) else { return };
    let page = read(PAGE, Format::Json, Limits::MESSAGE).expect("the page is well-formed");
    let graph: PageGraph = accept(&page).expect("the page is sound");
    let mut store = GraphStore::new(graph.clone());
    match store.apply(&delta) {
        Ok(()) => {
            let after = store.graph();
            assert_eq!(after.revision, delta.revision);
            assert_eq!(GraphStore::new(after.clone()).graph(), after, "the lists are out of step");
        }
        Err(_) => assert_eq!(store.graph(), graph, "a refused delta left traces"),
    }
});
