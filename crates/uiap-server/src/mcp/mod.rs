//! The door for models: an MCP server over any transport, in front of one application at a time.
//!
//! Start at [`Server`]; `tools` says what a model can ask for, `acting` what becomes of it. A model looks and acts;
//! it never agrees: what a person says comes through the client's own form (`consent`) or through a page of ours
//! (`approval`), which takes a code that the model does not see (`notifier`); no tool leads there.

mod acting;
mod advice;
mod answer;
mod approval;
mod arguments;
mod clients;
mod consent;
mod errand;
mod exclusion;
mod http;
mod looking;
mod notifier;
mod offers;
mod resources;
mod room;
mod tools;
mod watching;

pub use clients::CLIENTS_MAX;
pub use http::{HttpError, HttpOptions, serve_http};
pub use notifier::{ApprovalCode, ApprovalNotice, CodePlace, NotifyFuture, PersonNotifier};

use crate::host::Host;
use answer::{Answer, Refused};
use approval::Approvals;
use arguments::arguments;
use consent::OpenQuestions;
use errand::Errands;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestMethod, CompleteRequestParams, CompleteResult,
    Implementation, ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use room::Room;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::watch;
use uiap_protocol::capability::ActionDescriptor;
use uiap_protocol::ids::Id;
use uiap_runtime::catalogue::Catalogue;
use watching::{Subscriptions, WATCHED, Watch};

/// What a person decided before the model came.
#[derive(Clone, Debug)]
pub struct Rules {
    /// In whose name actions are done.
    pub agent: Id,
    /// The only origins that may be opened and acted on; all of them, if there is none here.
    pub origins: Vec<String>,
}

/// Why the door cannot be opened, or was closed.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The system gives no random numbers, without which nothing here is safe.
    #[error("the system gives no random numbers")]
    NoChance,
    /// The client said nothing that begins a conversation.
    #[error("the client did not begin: {0}")]
    Begin(String),
    /// The server broke down.
    #[error("the server ended: {0}")]
    Ended(String),
}

/// The MCP server. Clones are the same server, before the same client.
pub struct Server<H: Host>(Arc<Shared<H>>, Subscriptions);

impl<H: Host> Clone for Server<H> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0), self.1.clone())
    }
}

type Front<H> = Arc<RwLock<Option<Arc<Room<H>>>>>;

struct Shared<H: Host> {
    host: H,
    rules: Rules,
    catalogue: Catalogue,
    front: Front<H>,
    /// One opens at a time.
    opening: tokio::sync::Mutex<()>,
    /// One action begins at a time.
    acting: tokio::sync::Mutex<()>,
    errands: Errands,
    questions: OpenQuestions,
    approvals: Approvals,
    /// The actions that the application offers.
    offered: watch::Sender<Arc<Vec<ActionDescriptor>>>,
    /// Another application is open, or none.
    turned: watch::Sender<()>,
    /// An action has ended.
    done: watch::Sender<()>,
    /// Keeps apart what pages say; they cannot guess it.
    mark: String,
}

/// How many marks there are; a page has no second guess. Digits are what models read with the fewest tokens.
const MARKS: u64 = 1_000_000_000;

impl<H: Host> Server<H> {
    /// A server in front of a host. Nothing is started before a model opens something. Where the client has no forms, the
    /// notifier shows the person how to answer.
    pub fn new(host: H, rules: Rules, notifier: Arc<dyn PersonNotifier>) -> Result<Self, ServeError> {
        let mark = random_mark().ok_or(ServeError::NoChance)?;
        let catalogue = host.supplied().bundle.as_deref().map_or_else(Catalogue::new, Catalogue::of_bundle);
        let shared = Arc::new(Shared {
            host,
            rules,
            catalogue,
            front: Arc::default(),
            opening: tokio::sync::Mutex::default(),
            acting: tokio::sync::Mutex::default(),
            errands: Errands::default(),
            questions: OpenQuestions::default(),
            approvals: Approvals::new(notifier),
            offered: watch::Sender::new(Arc::default()),
            turned: watch::Sender::default(),
            done: watch::Sender::default(),
            mark,
        });
        Ok(Self(shared, Subscriptions::default()))
    }

    /// The same server before another client.
    fn for_client(&self) -> Self {
        Self(Arc::clone(&self.0), Subscriptions::default())
    }

    /// Serves one client on standard input and output, until it goes.
    pub async fn serve_stdio(&self) -> Result<(), ServeError> {
        let running = self.clone().serve(rmcp::transport::io::stdio()).await;
        let running = running.map_err(|error| ServeError::Begin(error.to_string()))?;
        let ended = running.waiting().await;
        self.close().await;
        ended.map(drop).map_err(|error| ServeError::Ended(error.to_string()))
    }

    /// Closes what is open.
    pub async fn close(&self) {
        let room = self.0.front.write().unwrap_or_else(PoisonError::into_inner).take();
        self.0.turned.send_replace(());
        if let Some(room) = room {
            self.0.host.close(Arc::clone(&room.application)).await;
        }
        self.0.host.end().await;
    }

    fn host(&self) -> &H {
        &self.0.host
    }

    /// The application that is open, if the model may see it.
    fn room(&self) -> Result<Arc<Room<H>>, Refused> {
        let room = in_front(&self.0.front)
            .ok_or_else(|| Refused::new("No page is open.", "Open one with the tool open."))?;
        if let Some(address) = room.address() {
            self.check_address(&address)?;
        }
        Ok(room)
    }

    /// Refuses what is not for the model.
    fn check_address(&self, address: &str) -> Result<(), Refused> {
        let origins = &self.0.rules.origins;
        let origin = url::Url::parse(address).map(|url| url.origin().ascii_serialization());
        let is_allowed = origins.is_empty() || origin.as_ref().is_ok_and(|origin| origins.contains(origin));
        if is_allowed {
            return Ok(());
        }
        let origin = origin.unwrap_or_else(|_| address.to_owned());
        let next = format!("Stay at: {}.", origins.join(", "));
        Err(Refused::new(format!("The person does not allow {origin} here."), next))
    }

    async fn call(
        &self,
        call: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let given = call.arguments.clone();
        let answered = match call.name.as_ref() {
            tools::OPEN => self.open(arguments(given)).await,
            tools::LOOK => self.look(arguments(given)).await,
            tools::TRACE => self.trace(arguments(given)).await,
            tools::WAIT => return Ok(self.wait(arguments(given), &call, context).await),
            tools::READ => return Ok(self.read(arguments(given), &call, context).await),
            tools::ACT => return Ok(self.act(arguments(given), &call, context).await),
            name => {
                let offered = self.offered();
                let Some(action) = offered.iter().find(|action| action.id.as_str() == name) else {
                    let message = format!("Unknown tool: {name}. tools/list says what there is now.");
                    return Err(ErrorData::invalid_params(message, None));
                };
                return Ok(self.act(acting::of_tool(action, given), &call, context).await);
            }
        };
        Ok(self.finished(answered))
    }

    fn finished(&self, answered: Result<Answer, Refused>) -> CallToolResponse {
        answered.unwrap_or_else(Answer::from).finish(&self.0.mark, &self.host().supplied().secrets).into()
    }

    fn offered(&self) -> Arc<Vec<ActionDescriptor>> {
        Arc::clone(&self.0.offered.borrow())
    }

    /// Finds out what the application offers now, and tells clients if that is something else.
    async fn refresh_offers(&self) {
        let room = in_front(&self.0.front);
        let now = match &room {
            Some(room) => offers::offers(room, self.host().supplied()).await,
            None => Vec::new(),
        };
        self.0.offered.send_if_modified(|offered| {
            let is_new = **offered != now;
            if is_new {
                *offered = Arc::new(now);
            }
            is_new
        });
    }
}

fn random_mark() -> Option<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:09}", u64::from_le_bytes(bytes) % MARKS))
}

fn in_front<H: Host>(front: &Front<H>) -> Option<Arc<Room<H>>> {
    front.read().unwrap_or_else(PoisonError::into_inner).clone()
}

impl<H: Host> ServerHandler for Server<H> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
        let secrets = if self.host().supplied().secrets.is_empty() { "" } else { tools::SECRETS };
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("uiap", env!("CARGO_PKG_VERSION")))
            .with_instructions(format!("{}{secrets}", tools::INSTRUCTIONS))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let offered = self.offered();
        let all = tools::tools().into_iter().chain(offered.iter().map(offers::as_tool));
        Ok(ListToolsResult::with_all_items(all.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let answer = self.call(request, &context).await;
        self.refresh_offers().await;
        answer
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(resources::list())
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.resource(&request.uri).await.map(Into::into)
    }

    /// There are none, and a client is told so before.
    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    /// Nobody completes what a model writes.
    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut offered = self.0.offered.subscribe();
        tokio::spawn(async move {
            // Ends with the server or with the client.
            while offered.changed().await.is_ok() {
                if context.peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        resources::check(&request.uri)?;
        self.1.add(self, &request.uri, context.peer);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.1.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, _requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().resource_subscriptions(WATCHED).build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut offered = self.0.offered.subscribe();
        let hears_tools = context.accepted().tools_list_changed == Some(true);
        let resources = context.accepted().resource_subscriptions.iter().flatten();
        let mut watch = Watch::new(self, resources.map(String::as_str));
        let mut is_watching = true;
        loop {
            let told = tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = offered.changed(), if hears_tools => match changed {
                    Ok(()) => context.sink().notify_tool_list_changed().await,
                    Err(_) => return Ok(()),
                },
                changed = watch.next(), if is_watching => match changed {
                    Some(uri) => context.sink().notify_resource_updated(uri).await,
                    None => {
                        is_watching = false;
                        continue;
                    }
                },
            };
            if told.is_err() {
                return Ok(());
            }
        }
    }
}
