//! What can be asked for, and what carries it out.

use super::ManifestSelector;
use super::bindings::same_id_means_same;
use crate::capability::{ActionDescriptor, DescribedKind};
use crate::finding::Code;
use crate::ids::Text;
use crate::wire::{Decoder, JsonObject, Shared, Wire};

/// Actions.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.4-1", check = ActionsManifest::check)]
pub struct ActionsManifest {
    /// All of them.
    pub actions: Vec<Shared<AuthoredAction>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl ActionsManifest {
    fn check(&self, decoder: &mut Decoder<'_>) {
        decoder.under(Some("AUT-5.4-2"), |decoder| {
            same_id_means_same(
                self.actions.iter(),
                |action| action.descriptor.id.as_str(),
                "actions",
                decoder,
            );
        });
    }
}

/// An action and what carries it out.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.4-1", check = AuthoredAction::check)]
pub struct AuthoredAction {
    /// The action; it also keeps the members of later versions and vendors.
    #[wire(flatten)]
    pub descriptor: ActionDescriptor,
    /// What carries it out.
    pub implementation: Option<ActionImplementationRef>,
    /// When it is offered: any of these.
    pub selectors: Option<Vec<ManifestSelector>>,
}

impl AuthoredAction {
    fn check(&self, decoder: &mut Decoder<'_>) {
        decoder.under(Some("CAP-7-3"), |decoder| self.descriptor.check(decoder));
        if self.descriptor.kind == DescribedKind::Domain && self.implementation.is_none() {
            let message = format!("Nothing says what carries out \"{}\".", self.descriptor.id);
            let help = "Add \"implementation\"; kind sdkHandler is the preferred one.";
            decoder.under(Some("AUT-5.4-3"), |decoder| {
                decoder.warning(Code::ImplementationMissing, message, help);
            });
        }
    }
}

/// What carries out an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-5.4-1", case = "camelCase")]
pub enum ImplementationKind {
    /// A function registered with the SDK.
    SdkHandler,
    /// A function of the server.
    ServerAction,
    /// A driver outside the page.
    ExternalDriver,
    /// Nothing yet.
    None,
}

/// What carries out an action, and where it is.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.4-1")]
pub struct ActionImplementationRef {
    /// What.
    pub kind: ImplementationKind,
    /// Where, such as `app.actions.createVideo`.
    pub r#ref: Option<Text>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
