//! The same press without us: what everything is compared with.

use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uiap_web::cdp::{Client, SessionId};
use uiap_web::{Browser, Deadline};

/// How long anything may take before it counts as broken.
const WAIT: Duration = Duration::from_mins(1);
/// What the page says that it was pressed.
const PRESSED: &str = "document.getElementById('pressed').textContent";
const MIDDLE: &str = "(() => { const { x, y, width, height } = document.getElementById('press').getBoundingClientRect(); \
    return { x: x + width / 2, y: y + height / 2 }; })()";

pub(crate) fn soon() -> Deadline {
    Deadline::after(WAIT)
}

/// A page that is driven by nothing but the browser's protocol.
pub(crate) struct Bare {
    client: Client,
    session: SessionId,
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
        let bare = Self { client, session };
        bare.send("Page.enable", json!({})).await?;
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

    /// A click by a script, and what it did.
    pub(crate) async fn in_page(&self) -> anyhow::Result<f64> {
        let before = self.evaluate(PRESSED).await?;
        let start = Instant::now();
        let after = self.evaluate(&format!("document.getElementById('press').click(); {PRESSED}")).await?;
        let time = start.elapsed();
        if before == after {
            bail!("nothing was pressed");
        }
        Ok(time.as_secs_f64() * 1e3)
    }

    /// A click by the browser, looked for, made and confirmed.
    pub(crate) async fn trusted(&self) -> anyhow::Result<f64> {
        let before = self.evaluate(PRESSED).await?;
        let start = Instant::now();
        let at = self.evaluate(MIDDLE).await?;
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event =
                json!({ "type": kind, "x": at["x"], "y": at["y"], "button": button, "clickCount": 1 });
            self.send("Input.dispatchMouseEvent", event).await?;
        }
        while self.evaluate(PRESSED).await? == before {
            if start.elapsed() > WAIT {
                bail!("nothing was pressed");
            }
        }
        Ok(start.elapsed().as_secs_f64() * 1e3)
    }

    async fn evaluate(&self, expression: &str) -> anyhow::Result<Value> {
        let params = json!({ "expression": expression, "returnByValue": true });
        let answer = self.send("Runtime.evaluate", params).await?;
        Ok(answer.pointer("/result/value").cloned().unwrap_or_default())
    }

    async fn send(&self, method: &'static str, params: Value) -> anyhow::Result<Value> {
        Ok(self.client.send(Some(&self.session), method, params, soon()).await?)
    }
}
