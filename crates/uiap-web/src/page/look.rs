//! Looking at a page as a graph.

use super::navigate::settled;
use super::packed::unpack;
use super::refusals::is_replaced;
use super::track::End;
use super::{LookError, PUBLISHER, Page, Settled, WORLD};
use crate::cdp::{CallError, Text};
use crate::deadline::Deadline;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use std::time::{Duration, Instant};
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::web::{PageGraph, SnapshotOptions};
use uiap_runtime::consent::APPROVAL_PAGE_HEADER;

/// How often a look starts again because the page was replaced under it.
const ATTEMPTS_MAX: usize = 100;

/// How deep closed shadow roots in closed shadow roots are followed.
const CLOSED_DEPTH_MAX: usize = 16;
/// How long a document that replaced another may take until it can be used. One that replaces itself all the time never
/// gets there.
const USABLE_WAIT: Duration = Duration::from_secs(1);

/// What a look shows.
#[derive(Clone, Debug)]
pub struct Look {
    /// The page.
    pub graph: PageGraph,
    /// The size of the graph as it came out of the page, packed.
    pub json_bytes: usize,
    /// How far the page had come.
    pub settled: Settled,
    /// How long the page and the way to it took.
    pub asked: Duration,
    /// How long reading and checking the graph took.
    pub read: Duration,
}

/// The result of an expression.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluated<V> {
    result: Remote<V>,
    exception_details: Option<Thrown>,
}

#[derive(Deserialize)]
struct Remote<V> {
    value: Option<V>,
}

#[derive(Deserialize)]
struct Thrown {
    #[serde(default)]
    text: Text,
    exception: Option<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    description: Option<Text>,
    value: Option<serde_json::Value>,
}

impl<V: Default> Evaluated<V> {
    /// The value, or what was thrown.
    pub(crate) fn into_value(self) -> Result<V, String> {
        match self.exception_details {
            None => Ok(self.result.value.unwrap_or_default()),
            Some(Thrown { text, exception }) => {
                let (description, value) =
                    exception.map(|exception| (exception.description, exception.value)).unwrap_or_default();
                let value = value.as_ref().and_then(serde_json::Value::as_str).map(str::to_owned);
                Err(description.map(|Text(text)| text).or(value).unwrap_or(text.0))
            }
        }
    }
}

impl Page {
    /// The page as a graph, as it is now. If it is replaced meanwhile, the new one is looked at.
    pub async fn look(&self, options: &SnapshotOptions, deadline: Deadline) -> Result<Look, LookError> {
        let options = serde_json::to_string(options).map_err(|_| LookError::Options)?;
        let argument = serde_json::to_string(&options).map_err(|_| LookError::Options)?;
        let started = Instant::now();
        let (mut json, _) = self.admitted(&format!("packed({argument})"), deadline).await?;
        let read = |json: &str| read_graph(json, self.track.with(settled), started.elapsed());
        // Only a page that was looked at can be asked where it listens. What it showed is read meanwhile.
        let (hears_more, mut look) = tokio::join!(self.hears_more(deadline), async { read(&json) });
        if hears_more {
            (json, _) = self.publisher(&format!("snapshot({argument})"), deadline).await?;
            look = read(&json);
        }
        let mut look = look?;
        if let Some(bridges) = self.track.bridges() {
            bridges.cross(&mut look.graph, &self.main_frame(), &options, deadline).await;
        }
        Ok(look)
    }

    /// The answer of the publisher once it has been handed the closed shadow roots of named hosts, and those in them.
    pub(super) async fn admitted(
        &self,
        call: &str,
        deadline: Deadline,
    ) -> Result<(String, String), LookError> {
        let mut answer = self.publisher(call, deadline).await?;
        for _ in 0..CLOSED_DEPTH_MAX {
            if !self.admits_more(deadline).await? {
                break;
            }
            answer = self.publisher(call, deadline).await?;
        }
        Ok(answer)
    }

    /// A look from the start, whatever is known already. Only for tests, which must not believe what they test.
    #[doc(hidden)]
    pub async fn look_fresh(&self, deadline: Deadline) -> Result<Look, LookError> {
        let started = Instant::now();
        let (json, _) = self.publisher(r#"snapshot('{"fresh":true}')"#, deadline).await?;
        read_graph(&json, self.track.with(settled), started.elapsed())
    }

    /// Calls the publisher and gives its answer and the world it lives in. If the page is replaced meanwhile, the
    /// publisher of the new one is called.
    pub(super) async fn publisher(
        &self,
        call: &str,
        deadline: Deadline,
    ) -> Result<(String, String), LookError> {
        for attempts in 0..ATTEMPTS_MAX {
            match self.attempt(call, deadline).await {
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) => {
                    let usable = self.track.until(|facts| facts.end.is_some() || facts.document.interactive);
                    // A document that does not get there is looked at as it is.
                    let _ = deadline.half().at_most(USABLE_WAIT).limit(usable).await;
                }
                Err(LookError::Call(CallError::SessionGone)) if self.has_crashed() => {
                    return Err(LookError::Crashed);
                }
                Err(LookError::Call(CallError::Deadline { .. })) if let Some(dialog) = self.dialog() => {
                    return Err(LookError::Dialog { message: dialog.message });
                }
                Err(LookError::Call(CallError::Deadline { .. })) if attempts > 0 => {
                    return Err(LookError::Restless { attempts });
                }
                Err(error) => return Err(error),
            }
        }
        Err(LookError::Restless { attempts: ATTEMPTS_MAX })
    }

    /// One attempt to call the publisher; nothing if the document was replaced meanwhile.
    async fn attempt(&self, call: &str, deadline: Deadline) -> Result<Option<(String, String)>, LookError> {
        let Some(world) = self.world(deadline).await? else { return Ok(None) };
        let expression = publisher_expression(call);
        let Some(answered) = self.evaluate::<Option<Text>>(&world, &expression, deadline).await? else {
            return Ok(None);
        };
        match answered.into_value().map_err(|message| LookError::Publisher { message })? {
            Some(Text(json)) => Ok(Some((json, world))),
            // Whoever made the world was stopped before there was a publisher in it.
            None => {
                self.install(&world, deadline).await?;
                Ok(None)
            }
        }
    }

    /// The publisher's world in the present document. It is there already, unless the document is older than the
    /// order to install it or the browser has not told yet; then it is made.
    pub(crate) async fn world(&self, deadline: Deadline) -> Result<Option<String>, LookError> {
        if let Some(world) = self.track.with(|facts| facts.world.clone()) {
            return Ok(Some(world));
        }
        let params = json!({ "frameId": self.main_frame(), "worldName": WORLD });
        match self.call::<IgnoredAny>("Page.createIsolatedWorld", params, deadline).await {
            Ok(_) => {}
            Err(error) if is_replaced(&error) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let Some(world) = self.track.with(|facts| facts.world.clone()) else { return Ok(None) };
        Ok(self.install(&world, deadline).await?.then_some(world))
    }

    /// Brings the publisher into a world, with all it was told; false if that world is gone.
    async fn install(&self, world: &str, deadline: Deadline) -> Result<bool, LookError> {
        let told = [self.annotation.call(), self.binding.call()].into_iter().flatten();
        let told = told.map(|call| publisher_expression(&call));
        for expression in std::iter::once(PUBLISHER.to_owned()).chain(told) {
            let done = self.evaluate::<IgnoredAny>(world, &expression, deadline).await?;
            let Some(done) = done else { return Ok(false) };
            done.into_value().map_err(|message| LookError::Publisher { message })?;
        }
        Ok(true)
    }

    /// Runs an expression in a world; `None` if that world is gone.
    pub(super) async fn evaluate<V: serde::de::DeserializeOwned>(
        &self,
        world: &str,
        expression: &str,
        deadline: Deadline,
    ) -> Result<Option<Evaluated<V>>, CallError> {
        let params = json!({ "expression": expression, "uniqueContextId": world, "returnByValue": true });
        match self.call("Runtime.evaluate", params, deadline).await {
            Ok(evaluated) => Ok(Some(evaluated)),
            Err(error) if is_replaced(&error) => {
                // The news of its end may still be on the way; nobody should try it again until then.
                self.track.forget_world(world);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The publisher was handed closed shadow roots that it has not looked into yet.
    async fn admits_more(&self, deadline: Deadline) -> Result<bool, LookError> {
        let Some(bridges) = self.track.bridges() else { return Ok(false) };
        match bridges.admit_closed(&self.main_frame(), deadline).await {
            Ok(admitted) => Ok(admitted > 0),
            // The document is being replaced; what was seen of it is complete in itself.
            Err(error) if is_replaced(&error) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn main_frame(&self) -> String {
        self.track.with(|facts| facts.frame.clone())
    }

    /// A world turned out to be gone.
    pub(crate) fn forget_world(&self, world: &str) {
        self.track.forget_world(world);
    }

    fn has_crashed(&self) -> bool {
        self.track.with(|facts| facts.end) == Some(End::Crashed)
    }
}

/// What calls the publisher; it gives nothing where there is none.
pub(super) fn publisher_expression(call: &str) -> String {
    // Thrown as a text: an error would come back as an object in place of the text that is expected. A page that was open
    // before we came was let in by no filter.
    format!(
        "(() => {{ try {{ if (Document.prototype.getElementsByName.call(document, '{APPROVAL_PAGE_HEADER}').length > 0) \
         throw 'a person agrees to actions of agents here'; \
         return globalThis.__uiap?.{call}; }} catch (error) {{ throw String(error); }} }})()"
    )
}

/// A whole, sound graph, or why there is none.
pub(super) fn graph_of(json: &str) -> Result<PageGraph, LookError> {
    unpack(read(json, Format::Json, Limits::DOCUMENT)?)
}

fn read_graph(json: &str, settled: Settled, asked: Duration) -> Result<Look, LookError> {
    let started = Instant::now();
    let graph = graph_of(json)?;
    Ok(Look { graph, json_bytes: json.len(), settled, asked, read: started.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(json: &str) -> String {
        match read_graph(json, Settled::Loaded, Duration::ZERO) {
            Ok(look) => format!("{} elements", look.graph.elements.len()),
            Err(error) => error.to_string(),
        }
    }

    fn graph(documents: &str) -> String {
        format!(
            r#"{{"modelVersion":"0.1","profile":"web@0.1","revision":"r1","seq":1,
            "capturedAt":"2026-01-01T00:00:00Z","route":{{"url":"http://x/"}},"documents":{documents},"scopes":[],
            "elements":[{{"instanceId":"e1","documentId":"doc","role":"button","state":{{}}}}]}}"#
        )
    }

    #[test]
    fn only_a_sound_graph_is_handed_on() {
        let root = r#"[{"id":"doc","boundary":{"kind":"root","opaque":false}}]"#;
        assert_eq!(said(&graph(root)), "1 elements");
        assert_eq!(
            said(&graph("[]")),
            "the publisher's answer is not a sound PageGraph: 1 errors, the first at /elements/0/documentId: There is no document \"doc\" in this graph."
        );
        assert!(said("").starts_with("the publisher's answer cannot be read: "), "{}", said(""));
        assert!(
            said("{}").starts_with("the publisher's answer is not a sound PageGraph: "),
            "{}",
            said("{}")
        );
    }

    #[test]
    fn what_the_publisher_throws_is_told() {
        let thrown = r#"{"result":{"type":"string","value":"TypeError: x"},
            "exceptionDetails":{"text":"Uncaught","exception":{"type":"string","value":"TypeError: x"}}}"#;
        let evaluated: Evaluated<Text> = serde_json::from_str(thrown).unwrap();
        assert_eq!(evaluated.into_value(), Err("TypeError: x".to_owned()));
    }
}
