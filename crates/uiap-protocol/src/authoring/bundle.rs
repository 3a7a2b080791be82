//! What a runtime loads.

use super::bindings::same_id_means_same;
use super::{
    AppManifest, AuthoredAction, BindingsManifest, BuildContext, CompatibilitySpec, ScopedPolicyDocument,
};
use crate::capability::CapabilityDocument;
use crate::finding::Code;
use crate::ids::{Id, ProfileId, Text};
use crate::text_value::AuthoredText;
use crate::version::PackageVersion;
use crate::wire::{Decoder, JsonObject, Shared, Wire};
use crate::workflow::{StepBody, WorkflowDefinition};
use std::collections::BTreeMap;

/// A package, built for one context.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "UIAPCompiledBundle", requirement = "AUT-12-2", check = CompiledBundle::check)]
pub struct CompiledBundle {
    /// Which package.
    pub package_id: Id,
    /// In which version.
    pub version: PackageVersion,
    /// For which profile.
    pub profile: ProfileId,
    /// For whom and where.
    pub build_context: BuildContext,
    /// What it works with.
    pub compatibility: CompatibilitySpec,
    /// The application.
    pub app: AppManifest,
    /// What the application can do.
    pub capabilities: Option<CapabilityDocument>,
    /// Routes, areas and elements.
    pub bindings: Option<BindingsManifest>,
    /// Actions.
    pub actions: Option<Vec<Shared<AuthoredAction>>>,
    /// Policies.
    pub policies: Option<Vec<ScopedPolicyDocument>>,
    /// Workflows.
    pub workflows: Option<Vec<WorkflowDefinition>>,
    /// Texts, for the language of the context.
    pub locales: Option<BTreeMap<String, String>>,
    /// The manifests it was built from.
    pub manifest_index: Option<Vec<Id>>,
    /// What it hashes to.
    pub digest: Option<Text>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl CompiledBundle {
    fn check(&self, decoder: &mut Decoder<'_>) {
        let actions = self.actions.iter().flatten();
        same_id_means_same(actions, |action| action.descriptor.id.as_str(), "actions", decoder);
        same_id_means_same(self.policies.iter().flatten(), |policy| policy.id.as_str(), "policies", decoder);
        same_id_means_same(self.workflows.iter().flatten(), |item| item.id.as_str(), "workflows", decoder);
        decoder.under(Some("AUT-12-4"), |decoder| self.check_texts(decoder));
    }

    /// A bundle holds texts, not references to texts.
    fn check_texts(&self, decoder: &mut Decoder<'_>) {
        let bindings = self.bindings.as_ref();
        let routes = bindings.iter().flat_map(|bindings| bindings.routes.iter().flatten());
        let scopes = bindings.iter().flat_map(|bindings| bindings.scopes.iter().flatten());
        let elements = bindings.iter().flat_map(|bindings| bindings.elements.iter().flatten());
        decoder.at("bindings", |decoder| {
            resolved("routes", "title", routes.map(|route| route.title.as_ref()), decoder);
            resolved("scopes", "title", scopes.map(|scope| scope.title.as_ref()), decoder);
            resolved("elements", "name", elements.map(|element| element.name.as_ref()), decoder);
        });
        let workflows = self.workflows.iter().flatten();
        resolved("workflows", "title", workflows.clone().map(|workflow| Some(&workflow.title)), decoder);
        let descriptions = workflows.clone().map(|workflow| workflow.description.as_ref());
        resolved("workflows", "description", descriptions, decoder);
        for (index, workflow) in workflows.enumerate() {
            decoder.at("workflows", |decoder| {
                decoder.at_index(index, |decoder| {
                    let steps = workflow.steps.iter();
                    resolved("steps", "title", steps.clone().map(|step| step.title.as_ref()), decoder);
                    resolved("steps", "text", steps.clone().map(|step| step.text.as_ref()), decoder);
                    let reasons = steps.map(|step| match &step.body {
                        StepBody::Handoff { reason, .. } => reason.as_ref(),
                        _ => None,
                    });
                    resolved("steps", "reason", reasons, decoder);
                    let parameters = workflow.parameters.iter().flatten();
                    let descriptions = parameters.map(|parameter| parameter.description.as_ref());
                    resolved("parameters", "description", descriptions, decoder);
                });
            });
        }
    }
}

fn resolved<'b>(
    list: &'static str,
    member: &'static str,
    texts: impl Iterator<Item = Option<&'b AuthoredText>>,
    decoder: &mut Decoder<'_>,
) {
    for (index, text) in texts.enumerate() {
        if let Some(AuthoredText::Reference(reference)) = text {
            let message = format!("The text \"{}\" is still a reference.", reference.r#ref);
            decoder.at(list, |decoder| {
                decoder.at_index(index, |decoder| {
                    decoder.at(member, |decoder| decoder.error(Code::UnresolvedText, message));
                });
            });
        }
    }
}
