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

/// Ends when what changed is laid out and painted, so that a change never has to wait for the one before.
pub(crate) const CALM: &str = "new Promise((calm) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(calm)))))";

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

    /// Has every change pushed through a binding from now on, as it is or once it is laid out.
    pub(crate) async fn observe(&self, observer: &str, is_laid_out: bool) -> anyhow::Result<()> {
        self.send("Runtime.addBinding", json!({ "name": "benchFloor" })).await?;
        self.evaluate(&format!("globalThis.benchLaidOut = {is_laid_out};\n{observer}")).await?;
        Ok(())
    }

    /// The time from ordering a change to hearing of it through the binding, in milliseconds.
    pub(crate) async fn heard(&self, round: usize) -> anyhow::Result<f64> {
        let mut events = self.client.subscribe(Some(&self.session));
        let change = format!("change({round})");
        let start = Instant::now();
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
        Ok(heard.context("the change is not heard of")?.as_secs_f64() * 1e3)
    }

    /// Waits until the page has shown what changed.
    pub(crate) async fn calm(&self) -> anyhow::Result<()> {
        let params = json!({ "expression": CALM, "awaitPromise": true });
        self.send("Runtime.evaluate", params).await?;
        Ok(())
    }

    async fn send(&self, method: &'static str, params: Value) -> anyhow::Result<Value> {
        Ok(self.client.send(Some(&self.session), method, params, soon()).await?)
    }
}
