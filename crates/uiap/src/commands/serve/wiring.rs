//! Opens the page that is served, and puts a house around it.

use super::{HouseOf, Serve, Who};
use crate::Trouble;
use crate::browsing::Browsing;
use crate::commands::supplies::Supplies;
use crate::discovering::Surveyor;
use crate::opening::{Opened, address_of, open};
use crate::report::ReportFormat;
use crate::running::{application_of, settings};
use anyhow::Context as _;
use std::convert::Infallible;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::Signal;
use tokio::time::Instant;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::capability::{CapabilityDocument, DescribedKind};
use uiap_protocol::core::AppInfo;
use uiap_protocol::ids::{BadForm, Id, PeerId, ProfileId};
use uiap_protocol::policy::PolicyDocument;
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::shell::Runtime;
use uiap_runtime::standing::Standing;
use uiap_runtime::surface::Surface;
use uiap_server::mapping::Mapper;
use uiap_server::serving::{House, Offer};
use uiap_store::SqliteJournal;
use uiap_web::{Deadline, WebSurface};
use url::Url;

/// How long a page may take to be there.
const PAGE_WAIT: Duration = Duration::from_secs(30);
/// In whose name the agents of sessions act.
const AGENT: &str = "uiap-serve";
/// How we call ourselves in messages.
const SOURCE: &str = "web-runtime";
/// The profile of pages.
const PROFILE: &str = "web@0.1";
/// The version of an application that nobody says.
const UNKNOWN_VERSION: &str = "unknown";

/// What is known before anything is opened.
pub(super) struct Known {
    pub(super) bundle: Option<CompiledBundle>,
    policies: Vec<PolicyDocument>,
    standing: Standing,
    pub(super) application: Id,
    journal: SqliteJournal,
}

impl Serve {
    /// Reads what was given about the application at an address.
    pub(super) fn known(&self, address: &str) -> Result<Known, Trouble> {
        let bundle = self.bundle.load(Supplies { format: ReportFormat::Human })?;
        let (policies, standing) = self.rules(bundle.as_ref())?;
        let application = application_of(bundle.as_ref(), address)?;
        Ok(Known { bundle, policies, standing, application, journal: self.journal.open()? })
    }

    /// The rules that hold: those of the bundle, and those of the files as they are now.
    fn rules(&self, bundle: Option<&CompiledBundle>) -> Result<(Vec<PolicyDocument>, Standing), Trouble> {
        let supplies = Supplies { format: ReportFormat::Human };
        let in_bundle = bundle.into_iter().flat_map(|bundle| bundle.policies.iter().flatten());
        let mut policies: Vec<_> = in_bundle.map(|policy| policy.document.clone()).collect();
        for path in &self.policy {
            policies.extend(supplies.policies(path)?);
        }
        let agent = Id::new(AGENT).map_err(unnamed)?;
        let standing = Standing::before_a_person(agent, policies.clone())
            .map_err(|error| Trouble::WrongUse(format!("The policies are too much: {error}.")))?;
        Ok((policies, standing))
    }

    /// Reads the files with policies again whenever somebody asks for it. Where that fails, the old rules hold.
    pub(super) async fn follow_rules<S: Surface + 'static>(
        &self,
        house: &HouseOf<S>,
        asked: &mut Signal,
    ) -> Infallible {
        loop {
            if asked.recv().await.is_none() {
                return std::future::pending().await;
            }
            let bundle = self.bundle.load(Supplies { format: ReportFormat::Human });
            let said = match bundle.and_then(|bundle| self.rules(bundle.as_ref())) {
                Ok((policies, standing)) => {
                    let count = policies.len();
                    house.replace_policies(policies, standing.policy);
                    format!("The policies were read again: {count} hold from now on.")
                }
                Err(trouble) => format!("error: The policies stay as they are: {trouble}"),
            };
            // Who does not read it sees what is decided.
            let _ = writeln!(std::io::stderr(), "{said}");
        }
    }

    /// Opens the page, and a house that nobody has entered.
    pub(super) async fn open(&self, url: &str) -> Result<(Browsing, HouseOf<WebSurface>), Trouble> {
        let address = address_of(url)?;
        let known = self.known(&address)?;
        let deadline = Deadline::after(PAGE_WAIT);
        let Opened { browsing, page } =
            open(&self.browser, &address, known.bundle.as_ref(), deadline).await?;
        let surface = WebSurface::new(page);
        surface.look(false, Instant::now() + PAGE_WAIT).await.map_err(anyhow::Error::new)?;
        let capabilities = surface.capabilities(deadline).await.context("nobody can say what can be done")?;
        Ok((browsing, self.house(surface, known, capabilities)?))
    }

    /// A house around a surface.
    pub(super) fn house<S: Surface + 'static>(
        &self,
        surface: S,
        known: Known,
        capabilities: CapabilityDocument,
    ) -> Result<HouseOf<S>, Trouble> {
        let app = known.app();
        let Known { bundle, policies, standing, application, journal } = known;
        let mapper = self.mapper(bundle.as_ref(), &policies)?;
        let offer = Offer {
            app,
            source: PeerId::new(SOURCE).map_err(unnamed)?,
            profiles: vec![ProfileId::new(PROFILE).map_err(unnamed)?],
            policies,
            capabilities: described(capabilities, bundle.as_ref()),
            asks_people: self.party == Who::Person || self.network.asks_people(),
            mapper,
        };
        let catalogue = bundle.as_ref().map_or_else(Catalogue::new, Catalogue::of_bundle);
        let runtime = Runtime::new(surface, journal, catalogue, settings(standing, application)?);
        Ok(House::new(runtime, offer))
    }
}

impl Serve {
    /// Whoever maps applications for peers, if somebody wants that.
    fn mapper(
        &self,
        bundle: Option<&CompiledBundle>,
        policies: &[PolicyDocument],
    ) -> Result<Option<Arc<dyn Mapper>>, Trouble> {
        let Some(folder) = &self.discovery else { return Ok(None) };
        let supplies = Supplies { format: ReportFormat::Human };
        let listed = self.discovery_environment.iter().map(|path| supplies.environment(path));
        let served = self.url.as_deref().or_else(|| self.network.application());
        let served = served.map(address_of).transpose()?.and_then(|address| Url::parse(&address).ok());
        Ok(Some(Arc::new(Surveyor {
            folder: folder.clone(),
            listed: listed.collect::<Result<_, _>>()?,
            browser: Arc::new(self.browser.alone()),
            bundle: served.map(|url| url.origin()).zip(bundle.cloned()),
            policies: policies.to_vec(),
        })))
    }
}

impl Known {
    /// The application, for whoever connects.
    pub(super) fn app(&self) -> AppInfo {
        let version = self.bundle.as_ref().map_or(UNKNOWN_VERSION, |bundle| bundle.version.as_str());
        AppInfo { id: self.application.clone(), version: version.to_owned(), locale: None }
    }
}

/// The document with the actions of every page, and those that the bundle describes. What this page offers by itself
/// is asked for anew each time: another page offers something else.
fn described(mut document: CapabilityDocument, bundle: Option<&CompiledBundle>) -> CapabilityDocument {
    document.actions.retain(|action| action.kind == DescribedKind::Primitive);
    let authored = bundle.into_iter().flat_map(|bundle| bundle.actions.iter().flatten());
    for descriptor in authored.map(|action| &action.descriptor) {
        match document.actions.iter_mut().find(|known| known.id == descriptor.id) {
            Some(known) => known.clone_from(descriptor),
            None => document.actions.push(descriptor.clone()),
        }
    }
    document
}

pub(super) fn unnamed(error: BadForm) -> Trouble {
    Trouble::Other(error.into())
}
