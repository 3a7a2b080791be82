//! What a closed guard says to requests: the cases of `spec/cases/guard`.
//!
//! `addresses.yaml` lists addresses of plain GETs. `requests.yaml` lists whole requests: `method` (GET), `address`,
//! `wanted` (`part`, `frame`, `page`), `upgrade`, `override`, `type` and `body`, or `json` for both; a `type` without a
//! body is one that is too long. `because` is the code of the reason.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use serde_json::Value;
use std::path::Path;
use uiap_protocol::text::{Format, Limits, read};
use uiap_web::guard::{Asked, AskedBody, Judgement, Procedures, Rules, Wanted, judge};
use url::Url;

const HOME: &str = "https://app.test";

fn file(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/guard").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    read(&text, Format::Yaml, Limits::DOCUMENT).unwrap().to_json()
}

fn list<'c>(case: &'c Value, name: &str) -> &'c [Value] {
    case[name].as_array().unwrap()
}

fn url(address: &str) -> Url {
    Url::parse(HOME).unwrap().join(address).unwrap()
}

fn rules() -> Rules {
    Rules {
        elsewhere: vec![url("https://login.test").origin()],
        reads: vec!["POST /api/search".parse().unwrap()],
        sockets: vec!["/live".parse().unwrap(), "wss://feed.test/prices".parse().unwrap()],
        procedures: vec![Procedures { at: "/rpc".parse().unwrap(), reads: vec!["stats".to_owned()] }],
        ..Rules::of(&[url("/")])
    }
}

/// What is said: `pass`, or the code of the reason.
fn said(case: &Value) -> &'static str {
    let text = |name: &str| case[name].as_str();
    let sent = case.get("json").map(ToString::to_string).or(text("body").map(str::to_owned));
    let whole = sent.as_deref().or(text("type").is_none().then_some(""));
    let asked = Asked {
        method: text("method").unwrap_or("GET"),
        url: &url(text("address").unwrap()),
        wanted: match text("wanted") {
            Some("page") => Wanted::Page,
            Some("frame") => Wanted::Frame,
            _ => Wanted::Part,
        },
        upgrade: case["upgrade"] == true,
        other_method: case["override"] == true,
        content_type: text("type").unwrap_or(if case.get("json").is_some() {
            "application/json"
        } else {
            ""
        }),
        body: whole.map_or(AskedBody::Unknown, |text| AskedBody::Whole(text.as_bytes())),
    };
    match judge(&rules(), &asked) {
        Judgement::Pass(_) => "pass",
        Judgement::Hold(reason) => reason.code(),
    }
}

#[test]
fn every_request_is_judged_as_its_case_says() {
    let (mut wrong, mut passes, mut holds) = (Vec::new(), 0, 0);
    for name in ["addresses.yaml", "requests.yaml"] {
        let cases = file(name);
        for case in list(&cases, "pass") {
            passes += 1;
            let whole = case
                .as_str()
                .map_or_else(|| case.clone(), |address| serde_json::json!({ "address": address }));
            let said = said(&whole);
            if said != "pass" {
                wrong.push(format!("{case} should pass, but: {said}"));
            }
        }
        for case in list(&cases, "hold") {
            holds += 1;
            let said = said(case);
            if case["because"] != said {
                wrong.push(format!("{case} is judged {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(passes >= 80 && holds >= 100, "only {passes} and {holds} cases");
}
