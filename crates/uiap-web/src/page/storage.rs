//! What a context remembers of whoever is logged in: taken out of one context, put into another.
//!
//! The form is that of Playwright's `storageState`, so that people can bring theirs. Beyond it stands what pages keep
//! for the time of one tab (`sessionStorage`); databases of pages are not taken along.

use super::Context;
use super::context::ContextHandle;
use crate::cdp::{CallError, Client, SessionId};
use crate::deadline::Deadline;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use url::Url;

/// Most cookies that are put into a context.
const COOKIES_MAX: usize = 10_000;
/// Most origins whose storage is taken out or put in.
const ORIGINS_MAX: usize = 256;
/// Most values of one origin.
const ENTRIES_MAX: usize = 10_000;
/// Most pages that are asked for what they keep.
const PAGES_MAX: usize = 256;
/// How deep frames in frames are followed.
const FRAMES_DEPTH_MAX: usize = 32;

/// What a context remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StorageState {
    /// Its cookies.
    #[serde(default)]
    pub cookies: Vec<Cookie>,
    /// What its pages keep, by origin.
    #[serde(default)]
    pub origins: Vec<OriginStorage>,
}

/// A cookie. Prints without its value.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whose it is; with a dot in front, of the hosts below as well.
    pub domain: String,
    /// Below which path it is sent.
    #[serde(default = "root")]
    pub path: String,
    /// Until when, in seconds since 1970; -1 if it ends with the context.
    #[serde(default = "never")]
    pub expires: f64,
    /// Pages cannot read it.
    #[serde(default)]
    pub http_only: bool,
    /// It is sent over encrypted connections only.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`; what the browser does if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
}

fn root() -> String {
    "/".to_owned()
}

fn never() -> f64 {
    -1.0
}

impl fmt::Debug for Cookie {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}=*** ({}{})", self.name, self.domain, self.path)
    }
}

/// What the pages of an origin keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginStorage {
    /// Such as `https://app.example`.
    pub origin: String,
    /// For as long as they like.
    #[serde(default)]
    pub local_storage: Vec<StorageEntry>,
    /// For the time of one tab. Every page that is opened later begins with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub session_storage: Vec<StorageEntry>,
}

/// A value that pages keep. Prints without it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageEntry {
    /// Its name.
    pub name: String,
    /// The value.
    pub value: String,
}

impl fmt::Debug for StorageEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}=***", self.name)
    }
}

/// Why a context cannot be given what another one remembers.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The browser does not play along.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The browser does not take what is given.
    #[error("the browser did not take the storage of {origin}: {reason}")]
    Refused {
        /// Of whom.
        origin: String,
        /// In its words.
        reason: String,
    },
    /// What should be an origin is none.
    #[error("\"{origin}\" is not an origin such as https://app.example")]
    Origin {
        /// What it says.
        origin: String,
    },
    /// There is more than anybody needs.
    #[error("there are more than {max} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// Most that are taken.
        max: usize,
    },
}

impl StorageState {
    /// Says what is wrong before anything is touched.
    fn check(&self) -> Result<(), StorageError> {
        let too_many = |what, max| Err(StorageError::TooMany { what, max });
        if self.cookies.len() > COOKIES_MAX {
            return too_many("cookies", COOKIES_MAX);
        }
        if self.origins.len() > ORIGINS_MAX {
            return too_many("origins", ORIGINS_MAX);
        }
        for kept in &self.origins {
            if kept.local_storage.len().max(kept.session_storage.len()) > ENTRIES_MAX {
                return too_many("values of one origin", ENTRIES_MAX);
            }
            let url = Url::parse(&kept.origin).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            if url.is_none_or(|url| url.origin().ascii_serialization() != kept.origin) {
                return Err(StorageError::Origin { origin: kept.origin.clone() });
            }
        }
        Ok(())
    }
}

impl Context {
    /// What the context remembers: its cookies, and what the pages keep that are open now, in all their frames that
    /// are of the page's own site.
    pub async fn storage(&self, deadline: Deadline) -> Result<StorageState, StorageError> {
        #[derive(Deserialize)]
        struct Jar {
            cookies: Vec<Cookie>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Targets {
            target_infos: Vec<Target>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Target {
            target_id: String,
            browser_context_id: Option<String>,
        }
        let ContextHandle { client, id, .. } = self.handle();
        let params = json!({ "browserContextId": id });
        let Jar { mut cookies } = client.call(None, "Storage.getCookies", params, deadline).await?;
        let key = |cookie: &Cookie| (cookie.domain.clone(), cookie.path.clone(), cookie.name.clone());
        cookies.sort_by_key(key);
        let params = json!({ "filter": [{ "type": "page" }] });
        let Targets { target_infos } = client.call(None, "Target.getTargets", params, deadline).await?;
        let own = target_infos.into_iter().filter(|target| target.browser_context_id.as_ref() == Some(id));
        let mut origins = BTreeMap::new();
        for target in own.take(PAGES_MAX) {
            let visit = Visit::begin(client, &target.target_id, deadline).await?;
            for origin in visit.origins(deadline).await? {
                if origins.len() < ORIGINS_MAX && !origins.contains_key(&origin) {
                    let kept = visit.kept(&origin, deadline).await?;
                    origins.insert(origin, kept);
                }
            }
        }
        let is_used =
            |kept: &OriginStorage| !(kept.local_storage.is_empty() && kept.session_storage.is_empty());
        Ok(StorageState { cookies, origins: origins.into_values().filter(is_used).collect() })
    }

    /// Makes the context remember this as well. Pages that are opened from now on find it; the servers of the origins
    /// are not asked for anything.
    pub async fn restore(&self, state: &StorageState, deadline: Deadline) -> Result<(), StorageError> {
        state.check()?;
        let ContextHandle { client, id, .. } = self.handle();
        if !state.cookies.is_empty() {
            let params = json!({ "browserContextId": id, "cookies": state.cookies });
            client.call::<IgnoredAny>(None, "Storage.setCookies", params, deadline).await?;
        }
        let lasting: Vec<_> = state
            .origins
            .iter()
            .filter(|kept| !kept.local_storage.is_empty())
            .map(|kept| OriginStorage { session_storage: Vec::new(), ..kept.clone() })
            .collect();
        if !lasting.is_empty() {
            let target = self.empty_target(deadline).await?;
            let visit = Visit::begin(client, target.id(), deadline).await?;
            visit.plant(&lasting, deadline).await?;
        }
        let fleeting = state
            .origins
            .iter()
            .filter(|kept| !kept.session_storage.is_empty())
            .map(|kept| OriginStorage { local_storage: Vec::new(), ..kept.clone() });
        self.handle().give_every_page(fleeting.collect());
        Ok(())
    }
}

/// A short stay at a page.
pub(super) struct Visit<'c> {
    client: &'c Client,
    session: SessionId,
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        self.client.post(None, "Target.detachFromTarget", json!({ "sessionId": self.session }));
    }
}

impl<'c> Visit<'c> {
    pub(super) async fn begin(
        client: &'c Client,
        target: &str,
        deadline: Deadline,
    ) -> Result<Self, CallError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Attached {
            session_id: SessionId,
        }
        let params = json!({ "targetId": target, "flatten": true });
        let attached: Attached = client.call(None, "Target.attachToTarget", params, deadline).await?;
        Ok(Self { client, session: attached.session_id })
    }

    async fn call<R: serde::de::DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
        deadline: Deadline,
    ) -> Result<R, CallError> {
        self.client.call(Some(&self.session), method, params, deadline).await
    }

    /// The origins of the page and of its frames.
    async fn origins(&self, deadline: Deadline) -> Result<Vec<String>, CallError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Answer {
            frame_tree: Tree,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Tree {
            frame: Frame,
            #[serde(default)]
            child_frames: Vec<Tree>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Frame {
            #[serde(default)]
            security_origin: String,
        }
        let Answer { frame_tree } = self.call("Page.getFrameTree", json!({}), deadline).await?;
        let mut origins = Vec::new();
        let mut level = vec![frame_tree];
        for _ in 0..FRAMES_DEPTH_MAX {
            let mut next = Vec::new();
            for Tree { frame, child_frames } in level {
                let origin = frame.security_origin.trim_end_matches('/').to_owned();
                if origin.starts_with("http") && !origins.contains(&origin) {
                    origins.push(origin);
                }
                next.extend(child_frames);
            }
            level = next;
        }
        Ok(origins)
    }

    async fn kept(&self, origin: &str, deadline: Deadline) -> Result<OriginStorage, CallError> {
        let (local_storage, session_storage) =
            tokio::try_join!(self.entries(origin, true, deadline), self.entries(origin, false, deadline))?;
        Ok(OriginStorage { origin: origin.to_owned(), local_storage, session_storage })
    }

    async fn entries(
        &self,
        origin: &str,
        local: bool,
        deadline: Deadline,
    ) -> Result<Vec<StorageEntry>, CallError> {
        #[derive(Deserialize)]
        struct Items {
            entries: Vec<(String, String)>,
        }
        let params = json!({ "storageId": storage_id(origin, local) });
        let Items { mut entries } = match self.call("DOMStorage.getDOMStorageItems", params, deadline).await {
            Ok(items) => items,
            // A frame that may keep nothing, or that is another process by now.
            Err(CallError::Refused { .. }) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        entries.sort();
        let entry = |(name, value)| StorageEntry { name, value };
        Ok(entries.into_iter().take(ENTRIES_MAX).map(entry).collect())
    }

    /// Lets the page be of each origin for a moment, without asking its server, and puts the values there.
    pub(super) async fn plant(
        &self,
        origins: &[OriginStorage],
        deadline: Deadline,
    ) -> Result<(), StorageError> {
        self.call::<IgnoredAny>("Fetch.enable", json!({}), deadline).await?;
        for kept in origins {
            self.pretend(&kept.origin, deadline).await?;
            for (local, entries) in [(true, &kept.local_storage), (false, &kept.session_storage)] {
                for StorageEntry { name, value } in entries {
                    let params =
                        json!({ "storageId": storage_id(&kept.origin, local), "key": name, "value": value });
                    self.call::<IgnoredAny>("DOMStorage.setDOMStorageItem", params, deadline).await?;
                }
            }
        }
        self.call::<IgnoredAny>("Fetch.disable", json!({}), deadline).await?;
        let blank = json!({ "url": "about:blank" });
        self.call::<IgnoredAny>("Page.navigate", blank, deadline).await?;
        Ok(())
    }

    /// An empty document of an origin, which comes from us.
    async fn pretend(&self, origin: &str, deadline: Deadline) -> Result<(), StorageError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Navigated {
            error_text: Option<String>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Paused {
            request_id: String,
        }
        let mut events = self.client.subscribe(Some(&self.session));
        let params = json!({ "url": format!("{origin}/") });
        let mut navigation = Box::pin(self.call::<Navigated>("Page.navigate", params, deadline));
        loop {
            tokio::select! {
                navigated = &mut navigation => {
                    let failed = navigated?.error_text.filter(|text| !text.is_empty());
                    return match failed {
                        Some(reason) => Err(StorageError::Refused { origin: origin.to_owned(), reason }),
                        None => Ok(()),
                    };
                }
                event = events.next() => {
                    let Some(event) = event else { return Err(CallError::BrowserGone.into()) };
                    let paused = event.ok().filter(|event| event.method == "Fetch.requestPaused");
                    if let Some(Paused { request_id }) = paused.and_then(|event| event.params()) {
                        let headers = json!([{ "name": "Content-Type", "value": "text/html" }]);
                        // The icon that it has by this keeps the browser from asking for one.
                        let body = STANDARD.encode("<link rel=icon href='data:,'>");
                        let params =
                            json!({ "requestId": request_id, "responseCode": 200, "responseHeaders": headers, "body": body });
                        self.client.post(Some(&self.session), "Fetch.fulfillRequest", params);
                    }
                }
            }
        }
    }
}

fn storage_id(origin: &str, local: bool) -> Value {
    json!({ "securityOrigin": origin, "isLocalStorage": local })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_playwright_writes_is_read_and_prints_without_values() {
        let text = r#"{"cookies":[{"name":"sid","value":"s3cret","domain":"a.test","path":"/","expires":-1,
            "httpOnly":true,"secure":false,"sameSite":"Lax"}],
            "origins":[{"origin":"https://a.test","localStorage":[{"name":"jwt","value":"t0ken"}]}]}"#;
        let state: StorageState = serde_json::from_str(text).unwrap();
        state.check().unwrap();
        let printed = format!("{state:?}");
        assert!(printed.contains("sid=***") && printed.contains("jwt=***"), "{printed}");
        assert!(!printed.contains("s3cret") && !printed.contains("t0ken"), "{printed}");
        let written: Value = serde_json::to_value(&state).unwrap();
        let mut given: Value = serde_json::from_str(text).unwrap();
        given["cookies"][0]["expires"] = json!(-1.0);
        assert_eq!(written, given);
    }

    #[test]
    fn what_is_no_origin_is_refused() {
        for origin in ["", "a.test", "https://a.test/", "https://a.test/x", "file://", "https://A.test"] {
            let kept = OriginStorage {
                origin: origin.into(),
                local_storage: Vec::new(),
                session_storage: Vec::new(),
            };
            let state = StorageState { cookies: Vec::new(), origins: vec![kept] };
            assert!(matches!(state.check(), Err(StorageError::Origin { .. })), "{origin}");
        }
    }
}
