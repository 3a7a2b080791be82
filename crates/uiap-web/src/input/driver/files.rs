//! Files for a page: straight into the control, or through the chooser that it opens.

use super::{Aimed, Driver, Files, spot};
use crate::cdp::Subscription;
use crate::input::deed::Press;
use crate::input::delivery::{Hindrance, Interruption, Stop};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;
use uiap_protocol::ids::ElementInstanceId;

/// How long a chooser may take to open after it was asked for.
const CHOOSER_WAIT: Duration = Duration::from_secs(3);

const SET_FILES: &str = "DOM.setFileInputFiles";
const INTERCEPT: &str = "Page.setInterceptFileChooserDialog";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chooser {
    backend_node_id: Option<u64>,
    mode: Mode,
}

#[derive(PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Mode {
    SelectSingle,
    #[serde(other)]
    Several,
}

/// A browser takes the name of a missing file and fails much later.
pub(super) fn check(files: &[PathBuf]) -> Result<(), Stop> {
    match files.iter().find(|path| !path.is_file()) {
        Some(path) => Err(Stop::Hindered(Hindrance::NoFile { path: path.clone() })),
        None => Ok(()),
    }
}

impl Driver<'_> {
    pub(super) async fn upload(
        &mut self,
        target: Option<&ElementInstanceId>,
        files: &[PathBuf],
        aimed: &Aimed,
    ) -> Result<(), Stop> {
        let Some(takes) = aimed.files else { return self.through_chooser(files, aimed).await };
        if takes == Files::One && files.len() > 1 {
            return Err(Stop::Hindered(Hindrance::OneFileOnly));
        }
        let instance = target.map_or("", ElementInstanceId::as_str);
        let object = self.page.object_of(instance, self.deadline).await;
        let object = object.map_err(|error| Stop::Hindered(error.hindrance()))?;
        let given = self.dispatch([(SET_FILES, json!({ "files": files, "objectId": object }))]).await;
        self.page.post("Runtime.releaseObject", json!({ "objectId": object }));
        given
    }

    async fn through_chooser(&mut self, files: &[PathBuf], aimed: &Aimed) -> Result<(), Stop> {
        let at = spot(aimed.point)?;
        let mut events = self.page.subscribe();
        let intercept =
            |enabled: bool| -> (&'static str, Value) { (INTERCEPT, json!({ "enabled": enabled })) };
        self.dispatch([intercept(true)]).await?;
        self.begun = false;
        let given = match self.press(at, Press::default()).await {
            Ok(()) => self.answer(&mut events, files).await,
            Err(stop) => Err(stop),
        };
        let _ = self.dispatch([intercept(false)]).await;
        given
    }

    async fn answer(&mut self, events: &mut Subscription, files: &[PathBuf]) -> Result<(), Stop> {
        let opened = async {
            while let Some(event) = events.next().await {
                let opened = event.ok().filter(|event| event.method == "Page.fileChooserOpened");
                if let Some(chooser) = opened.and_then(|event| event.params::<Chooser>()) {
                    return Some(chooser);
                }
            }
            None
        };
        let opened = self.deadline.at_most(CHOOSER_WAIT).limit(opened).await.flatten();
        let Some(Chooser { backend_node_id: Some(node), mode }) = opened else {
            return Err(Stop::Interrupted(Interruption::NoChooser));
        };
        if mode == Mode::SelectSingle && files.len() > 1 {
            return Err(Stop::Interrupted(Interruption::NoChooser));
        }
        self.dispatch([(SET_FILES, json!({ "files": files, "backendNodeId": node }))]).await
    }
}
