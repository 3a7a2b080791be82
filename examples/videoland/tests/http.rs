//! The server over real HTTP: who may do what, what is applied once, and what the test API says about it.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "the helpers of a test fail it by panicking"
)]

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use ureq::http::{Request, Response};
use ureq::{Agent, Body};
use videoland::{Options, Server, ServerError};

/// A server of its own for one test.
struct Site {
    runtime: Runtime,
    server: Server,
}

impl Site {
    fn with(options: Options) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let server = runtime.block_on(Server::start(options)).expect("a server");
        Self { runtime, server }
    }

    fn recording() -> Self {
        Self::with(Options { test_api: true, ..Options::default() })
    }

    fn visitor(&self) -> Client {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .build()
            .into();
        Client { origin: self.server.origin(), agent, cookie: None }
    }

    fn signed_in(&self, user: &str) -> Client {
        let mut client = self.visitor();
        let body = json!({ "user": user, "password": "videoland" }).to_string();
        let answer = client.raw("POST", "/api/login", Some(&body), &[]);
        let cookie = answer.headers().get("set-cookie").expect("a cookie").to_str().expect("plain text");
        client.cookie = cookie.split(';').next().map(str::to_owned);
        client
    }
}

struct Client {
    origin: String,
    agent: Agent,
    cookie: Option<String>,
}

impl Client {
    fn raw(&self, method: &str, path: &str, body: Option<&str>, headers: &[(&str, &str)]) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.origin));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        match body {
            Some(body) => self.agent.run(request.body(body.to_owned()).expect("a request")),
            None => self.agent.run(request.body(()).expect("a request")),
        }
        .expect("an answer")
    }

    /// Status and JSON, without a body for `null`.
    fn send(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let text = body.to_string();
        read(self.raw(method, path, (!body.is_null()).then_some(text.as_str()), &[]))
    }

    fn send_with_key(&self, path: &str, body: &Value, key: &str) -> (u16, Value) {
        read(self.raw("POST", path, Some(&body.to_string()), &[("idempotency-key", key)]))
    }

    fn get(&self, path: &str) -> (u16, Value) {
        self.send("GET", path, &Value::Null)
    }

    /// Kind and id of every effect since the last reset.
    fn effects(&self) -> Vec<String> {
        let (_, ledger) = self.get("/__test/ledger");
        let line = |effect: &Value| {
            format!("{} {}", effect["kind"].as_str().unwrap(), effect["id"].as_str().unwrap())
        };
        ledger["effects"].as_array().expect("a list").iter().map(line).collect()
    }

    fn reset(&self) {
        assert_eq!(self.send("POST", "/__test/reset", &Value::Null).0, 200);
    }
}

fn read(mut response: Response<Body>) -> (u16, Value) {
    let status = response.status().as_u16();
    (status, response.body_mut().read_json().unwrap_or(Value::Null))
}

#[test]
fn nobody_reads_without_signing_in() {
    let site = Site::recording();
    for path in ["/api/videos", "/api/videos/1", "/api/dashboard", "/api/team", "/api/settings", "/api/lab"] {
        let (status, body) = site.visitor().get(path);
        assert_eq!((status, &body["error"]["code"]), (401, &json!("sign_in_required")), "{path}");
    }
    assert_eq!(site.visitor().get("/api/session").1, json!({ "user": null }));
}

#[test]
fn a_wrong_password_is_refused_with_a_sentence() {
    let site = Site::recording();
    let (status, body) =
        site.visitor().send("POST", "/api/login", &json!({ "user": "admin", "password": "wrong" }));
    assert_eq!(status, 401);
    assert_eq!(body["error"]["message"], "name or password is wrong");
}

#[test]
fn signing_out_ends_the_session() {
    let site = Site::recording();
    let admin = site.signed_in("admin");
    assert_eq!(admin.get("/api/session").1["user"]["role"], "admin");
    assert_eq!(admin.send("POST", "/api/logout", &Value::Null).0, 200);
    assert_eq!(admin.get("/api/team").0, 401);
}

#[test]
fn roles_are_enforced_by_the_server() {
    let site = Site::recording();
    let attempts = [
        ("POST", "/api/videos", json!({ "title": "Neu" }), "editor"),
        ("PATCH", "/api/videos/1", json!({ "title": "Anders" }), "editor"),
        ("POST", "/api/videos/1/duplicate", Value::Null, "editor"),
        ("POST", "/api/videos/1/share", json!({ "email": "a@example.com" }), "editor"),
        ("POST", "/api/videos/1/publish", Value::Null, "admin"),
        ("DELETE", "/api/videos/1", Value::Null, "admin"),
        ("POST", "/api/videos/1/restore", Value::Null, "admin"),
        ("POST", "/api/team/invitations", json!({ "email": "b@example.com", "role": "viewer" }), "admin"),
        ("PATCH", "/api/team/202", json!({ "role": "viewer" }), "admin"),
        ("DELETE", "/api/team/203", Value::Null, "admin"),
        ("POST", "/api/settings/tokens", json!({ "name": "neu" }), "admin"),
        ("PUT", "/api/settings/billing/plan", json!({ "plan": "business" }), "admin"),
    ];
    let people = [site.signed_in("viewer"), site.signed_in("editor"), site.signed_in("admin")];
    for (method, path, body, needed) in &attempts {
        let allowed_from = if *needed == "editor" { 1 } else { 2 };
        for (rank, person) in people.iter().enumerate() {
            let (status, answer) = person.send(method, path, body);
            if rank < allowed_from {
                assert_eq!(status, 403, "{method} {path} by rank {rank}");
            } else {
                assert!((200..300).contains(&status), "{method} {path} by rank {rank}: {answer}");
            }
        }
    }
}

#[test]
fn a_created_video_is_there_and_in_the_ledger() {
    let site = Site::recording();
    let editor = site.signed_in("editor");
    editor.reset();
    let (status, body) =
        editor.send("POST", "/api/videos", &json!({ "title": "  Erstes Video ", "useCase": "onboarding" }));
    assert_eq!((status, &body["video"]["title"]), (201, &json!("Erstes Video")));
    let id = body["video"]["id"].as_u64().expect("a number");
    assert_eq!(editor.get(&format!("/api/videos/{id}")).1["video"]["owner"], "editor");
    assert_eq!(editor.effects(), [format!("video.created {id}")]);
}

#[test]
fn the_same_key_applies_once_and_answers_alike() {
    let site = Site::recording();
    let editor = site.signed_in("editor");
    editor.reset();
    let draft = json!({ "title": "Einmal" });
    let first = editor.send_with_key("/api/videos", &draft, "key-1");
    let second = editor.send_with_key("/api/videos", &draft, "key-1");
    assert_eq!(first, second);
    assert_eq!(editor.effects().len(), 1);
    assert_eq!(editor.get("/__test/ledger").1["effects"][0]["idempotencyKey"], "key-1");

    let (status, body) = editor.send_with_key("/api/videos", &json!({ "title": "Anderes" }), "key-1");
    assert_eq!((status, &body["error"]["code"]), (409, &json!("key_reused")));
    let other = site.signed_in("admin").send_with_key("/api/videos", &draft, "key-1");
    assert_eq!(other.0, 201);
    assert_eq!(editor.effects().len(), 3, "the admin's sign-in and video come on top");
}

#[test]
fn equal_requests_at_the_same_moment_apply_once() {
    let site = Site::recording();
    let editor = site.signed_in("editor");
    editor.reset();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| editor.send_with_key("/api/videos", &json!({ "title": "Wettlauf" }), "race"));
        }
    });
    assert_eq!(editor.effects().len(), 1);
}

#[test]
fn a_refused_request_leaves_no_effect_and_may_be_repeated() {
    let site = Site::recording();
    let editor = site.signed_in("editor");
    editor.reset();
    let (status, body) = editor.send_with_key("/api/videos", &json!({ "title": " " }), "again");
    assert_eq!((status, &body["error"]["fields"]), (422, &json!({ "title": "required" })));
    assert_eq!(
        editor.send("PATCH", "/api/videos/1", &json!({ "title": "X", "description": "y".repeat(5000) })).0,
        422
    );
    assert_eq!(editor.get("/api/videos/1").1["video"]["title"], "Erster Tag im Unternehmen – Grundlagen");
    assert!(editor.effects().is_empty());
    assert_eq!(editor.send_with_key("/api/videos", &json!({ "title": "Gut" }), "again").0, 201);
}

#[test]
fn every_write_is_recorded_even_a_refused_one() {
    let site = Site::recording();
    let viewer = site.signed_in("viewer");
    viewer.reset();
    viewer.get("/api/videos");
    viewer.send("DELETE", "/api/videos/1", &Value::Null);
    viewer.send("POST", "/api/nowhere?x=1", &json!({ "a": 1 }));
    let (_, body) = viewer.get("/__test/writes");
    assert_eq!(
        body["writes"],
        json!([
            { "method": "DELETE", "path": "/api/videos/1", "body": null, "status": 403, "origin": "app" },
            { "method": "POST", "path": "/api/nowhere?x=1", "body": { "a": 1 }, "status": 404, "origin": "app" },
        ])
    );
    assert!(viewer.effects().is_empty());
}

#[test]
fn reset_restores_the_seed_and_keeps_people_signed_in() {
    let site = Site::recording();
    let admin = site.signed_in("admin");
    let seed = admin.get("/api/videos?perPage=500").1;
    assert_eq!(seed["total"], 200);
    admin.send("DELETE", "/api/videos/3", &Value::Null);
    admin.send("POST", "/api/videos", &json!({ "title": "Neu" }));
    admin.reset();
    assert_eq!(admin.get("/api/videos?perPage=500").1, seed);
    assert!(admin.effects().is_empty());
    admin.send("POST", "/__test/reset?sessions=drop", &Value::Null);
    assert_eq!(admin.get("/api/videos").0, 401);
}

#[test]
fn two_servers_start_alike() {
    let lists = [Site::recording(), Site::recording()]
        .map(|site| site.signed_in("viewer").get("/api/videos?perPage=500"));
    assert_eq!(lists[0], lists[1]);
}

#[test]
fn the_test_api_is_off_unless_asked_for() {
    let site = Site::with(Options::default());
    let admin = site.signed_in("admin");
    for (method, path) in
        [("GET", "/__test/writes"), ("GET", "/__test/ledger"), ("POST", "/__test/reset"), ("GET", "/__test")]
    {
        assert_eq!(admin.send(method, path, &Value::Null).0, 404, "{method} {path}");
    }
}

#[test]
fn a_deleted_video_can_be_brought_back_once() {
    let site = Site::recording();
    let admin = site.signed_in("admin");
    admin.reset();
    assert_eq!(admin.send("DELETE", "/api/videos/5", &Value::Null).0, 200);
    assert_eq!(admin.get("/api/videos/5").0, 404);
    assert_eq!(admin.send("POST", "/api/videos/5/restore", &Value::Null).0, 200);
    assert_eq!(admin.send("POST", "/api/videos/5/restore", &Value::Null).0, 404);
    assert_eq!(admin.effects(), ["video.deleted 5", "video.restored 5"]);
}

#[test]
fn publishing_happens_once() {
    let site = Site::recording();
    let admin = site.signed_in("admin");
    admin.reset();
    assert_eq!(admin.send("POST", "/api/videos/1/publish", &Value::Null).0, 200);
    assert_eq!(admin.send("POST", "/api/videos/1/publish", &Value::Null).0, 409);
    assert_eq!(admin.effects(), ["video.published 1"]);
}

#[test]
fn bodies_are_bounded() {
    let site = Site::recording();
    let editor = site.signed_in("editor");
    editor.reset();
    let (status, body) = editor.send("POST", "/api/videos", &json!({ "title": "x".repeat(70_000) }));
    assert_eq!((status, &body["error"]["code"]), (413, &json!("too_large")));
    assert!(editor.effects().is_empty());
}

#[test]
fn bad_bodies_are_refused_with_a_message() {
    let site = Site::recording();
    let editor = site.signed_in("editor");
    let cases = [
        ("{", 400, "bad_json"),
        ("not json", 400, "bad_json"),
        ("[]", 422, "bad_shape"),
        ("{}", 422, "bad_shape"),
        (r#"{"title":7}"#, 422, "bad_shape"),
        (r#"{"title":"x","surprise":1}"#, 422, "bad_shape"),
        (r#"{"title":"x","quality":42}"#, 422, "invalid"),
        (r#"{"title":"x","volume":0}"#, 422, "invalid"),
        (r#"{"title":"x","date":"2026-13-01"}"#, 422, "invalid"),
        (r#"{"title":"x","useCase":"no"}"#, 422, "invalid"),
    ];
    for (text, status, code) in cases {
        let answer = read(editor.raw("POST", "/api/videos", Some(text), &[]));
        assert_eq!((answer.0, &answer.1["error"]["code"]), (status, &json!(code)), "{text}");
        assert!(!answer.1["error"]["message"].as_str().unwrap_or_default().is_empty(), "{text}");
    }
}

#[test]
fn unknown_addresses_are_not_found() {
    let site = Site::recording();
    let admin = site.signed_in("admin");
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/__test",
        "/__test/",
        "/__test/nothing",
        "/api/videos/9999",
        "/api/videos/abc",
        "/missing.js",
        "/../Cargo.toml",
    ] {
        assert_eq!(admin.get(path).0, 404, "{path}");
    }
    assert_eq!(admin.send("DELETE", "/api/team", &Value::Null).0, 405);
}

#[test]
fn pages_of_the_application_get_the_shell() {
    let site = Site::with(Options::default());
    for path in ["/", "/login", "/videos/new", "/videos/7?lang=en", "/nowhere"] {
        let response = site.visitor().raw("GET", path, None, &[]);
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert!(
            response.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'self'")
        );
    }
    let script = site.visitor().raw("GET", "/app.js", None, &[]);
    assert_eq!(script.headers()["content-type"], "text/javascript; charset=utf-8");
}

#[test]
fn writes_from_other_origins_are_refused() {
    let site = Site::recording();
    let editor = site.signed_in("editor");
    editor.reset();
    let send = |origin: &str| {
        read(editor.raw("POST", "/api/videos", Some(r#"{"title":"x"}"#), &[("origin", origin)])).0
    };
    assert_eq!(send("http://evil.example"), 403);
    assert_eq!(send(&site.server.frame_origin()), 403);
    assert_eq!(send("null"), 403);
    assert!(editor.effects().is_empty());
    assert_eq!(send(&site.server.origin()), 201);
}

#[test]
fn the_foreign_frame_orders_into_the_same_ledger() {
    let site = Site::recording();
    let viewer = site.signed_in("viewer");
    viewer.reset();
    let stranger = Client { origin: site.server.frame_origin(), ..site.visitor() };
    assert_eq!(stranger.raw("GET", "/", None, &[]).headers()["content-type"], "text/html; charset=utf-8");
    assert_eq!(stranger.send("POST", "/api/order", &Value::Null).0, 200);
    assert_eq!(viewer.effects(), ["frame.ordered popcorn"]);
    assert_eq!(viewer.get("/__test/writes").1["writes"][0]["origin"], "frame");
}

#[test]
fn secrets_are_shown_once_and_never_kept() {
    let site = Site::recording();
    let admin = site.signed_in("admin");
    let (_, body) = admin.send("POST", "/api/settings/tokens", &json!({ "name": "Export" }));
    let secret = body["secret"].as_str().expect("a secret");
    let card = json!({ "holder": "Alma Adler", "number": "4111 1111 1111 1234" });
    assert_eq!(admin.send("PUT", "/api/settings/billing/card", &card).1["billing"]["cardHint"], "1234");
    let settings = admin.get("/api/settings").1.to_string();
    assert!(!settings.contains(secret) && !settings.contains("4111 1111") && !settings.contains("41111111"));
    assert_eq!(site.signed_in("editor").get("/api/settings").1["billing"], Value::Null);
}

#[test]
fn the_lab_counts_and_refuses() {
    let site = Site::recording();
    let viewer = site.signed_in("viewer");
    viewer.reset();
    viewer.send("POST", "/api/lab/effects/double_submit", &json!({ "n": 1 }));
    viewer.send("POST", "/api/lab/effects/double_submit", &json!({ "n": 2 }));
    assert_eq!(viewer.send("POST", "/api/lab/refusals/refused", &json!({})).0, 409);
    assert_eq!(viewer.send("POST", "/api/lab/effects/NOT-A-NAME", &json!({})).0, 404);
    assert_eq!(
        viewer.get("/api/lab").1["effects"],
        json!({ "double_submit": { "count": 2, "last": { "n": 2 } } })
    );
    viewer.get("/api/lab/links/get_effect?delete=old");
    viewer.send("POST", "/api/lab/graphql", &json!({ "query": "query { likes }" }));
    let (_, liked) = viewer.send("POST", "/api/lab/graphql", &json!({ "query": "mutation { like }" }));
    assert_eq!(liked, json!({ "data": { "likes": 1 } }));
    assert_eq!(viewer.effects()[2..], ["lab.effect get_effect", "lab.effect graphql"]);
    let (_, body) = viewer.get("/api/lab/modules");
    assert!(body["modules"].as_array().expect("a list").len() >= 15);
}

#[test]
fn a_taken_port_says_so() {
    let site = Site::recording();
    let port = site.server.address().port();
    let second = site.runtime.block_on(Server::start(Options { port, ..Options::default() }));
    assert!(matches!(second, Err(ServerError::PortTaken { port: taken }) if taken == port));
}

#[test]
fn a_shut_down_server_frees_its_port() {
    // Nobody who needs any port gets this one meanwhile.
    let closed = uiap_testkit::ClosedPort::take().expect("a port");
    let options = Options { port: closed.port(), ..Options::default() };
    for _ in 0..2 {
        let Site { runtime, server } = Site::with(options.clone());
        runtime.block_on(server.shut_down());
    }
}
