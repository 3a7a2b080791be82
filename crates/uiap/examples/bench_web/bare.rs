//! A page without the publisher: what everything is compared with.

use anyhow::Context as _;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uiap_web::cdp::{Client, SessionId};
use uiap_web::{Browser, Deadline};

/// How long anything may take before it counts as broken.
pub(crate) const WAIT: Duration = Duration::from_mins(2);

pub(crate) fn soon() -> Deadline {
    Deadline::after(WAIT)
}

pub(crate) struct Bare {
    client: Client,
    session: SessionId,
    target: Value,
}

impl Bare {
    pub(crate) async fn open(browser: &Browser, url: &str) -> anyhow::Result<Self> {
        let client = browser.client().clone();
        let blank = json!({ "url": "about:blank", "newWindow": true });
        let target = client.send(None, "Target.createTarget", blank, soon()).await?;
        let id = target.get("targetId").context("no target")?.clone();
        let attach = json!({ "targetId": id, "flatten": true });
        let attached = client.send(None, "Target.attachToTarget", attach, soon()).await?;
        let session = serde_json::from_value(attached.get("sessionId").context("no session")?.clone())?;
        let bare = Self { client, session, target: id };
        bare.send("Page.enable", json!({})).await?;
        bare.send("Runtime.enable", json!({})).await?;
        let mut events = bare.client.subscribe(Some(&bare.session));
        bare.send("Page.navigate", json!({ "url": url })).await?;
        let loaded = async {
            while let Some(Ok(event)) = events.next().await {
                if event.method == "Page.loadEventFired" {
                    return;
                }
            }
        };
        tokio::time::timeout(WAIT, loaded).await.context("the page does not load")?;
        Ok(bare)
    }

    /// Closes the page, so that it takes nothing from the next one.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.client.send(None, "Target.closeTarget", json!({ "targetId": self.target }), soon()).await?;
        Ok(())
    }

    async fn evaluate(&self, expression: &str) -> anyhow::Result<Value> {
        self.send("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true })).await
    }

    /// The time from ordering each change to hearing of it through a binding, in milliseconds.
    pub(crate) async fn heard(&self, observer: &str, rounds: usize) -> anyhow::Result<Vec<f64>> {
        self.send("Runtime.addBinding", json!({ "name": "benchFloor" })).await?;
        self.evaluate(observer).await?;
        let mut events = self.client.subscribe(Some(&self.session));
        let mut times = Vec::new();
        for round in 0..rounds {
            let start = Instant::now();
            let change = format!("change({round})");
            let order = self.evaluate(&change);
            let heard = async {
                while let Some(Ok(event)) = events.next().await {
                    if event.method == "Runtime.bindingCalled" {
                        break;
                    }
                }
                start.elapsed()
            };
            let (ordered, heard) = tokio::join!(order, tokio::time::timeout(WAIT, heard));
            ordered?;
            times.push(heard.context("the change is not heard of")?.as_secs_f64() * 1e3);
        }
        Ok(times)
    }

    async fn send(&self, method: &'static str, params: Value) -> anyhow::Result<Value> {
        Ok(self.client.send(Some(&self.session), method, params, soon()).await?)
    }
}
