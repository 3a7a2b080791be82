//! Policies and questions as short texts.

use uiap_policy::risk::Assessment;
use uiap_policy::{CompiledPolicy, Facts, TargetFacts};
use uiap_protocol::capability::{DescribedKind, ExecutionMode, PrimitiveAction, RiskDescriptor, Role};
use uiap_protocol::ids::{ActionId, RouteId, ScopeId, StableId};
use uiap_protocol::policy::{DataClass, PolicyDocument, PolicyPrincipal, SideEffectClass};
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::wire::{Wire, accept};

/// Reads a value from YAML.
pub(crate) fn yaml<T: Wire>(text: &str) -> T {
    let tree = read(text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML");
    accept(&tree).expect("a sound value")
}

/// A document with these defaults and rules, both in YAML.
pub(crate) fn document(id: &str, defaults: &str, rules: &str) -> PolicyDocument {
    let rules = rules.replace('\n', "\n  ");
    yaml(&format!("modelVersion: '0.1'\nid: {id}\nrevision: '7'\ndefaults: {defaults}\nrules:\n  {rules}"))
}

pub(crate) fn compiled(documents: impl IntoIterator<Item = PolicyDocument>) -> CompiledPolicy {
    CompiledPolicy::compile(documents).expect("few rules")
}

/// A question that owns its facts.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) principal: PolicyPrincipal,
    pub(crate) action: ActionId,
    pub(crate) known: bool,
    pub(crate) target: Option<StableId>,
    pub(crate) scopes: Vec<ScopeId>,
    pub(crate) role: Option<Role>,
    pub(crate) sensitive: bool,
    pub(crate) route: Option<RouteId>,
    pub(crate) risk: RiskDescriptor,
    pub(crate) side_effect: SideEffectClass,
    pub(crate) guess: Option<Assessment>,
    pub(crate) data_classes: Vec<DataClass>,
    pub(crate) mode: Option<ExecutionMode>,
}

impl Question {
    /// An agent with the right to act asks for something harmless.
    pub(crate) fn new(action: &str) -> Self {
        Self {
            principal: yaml("{type: agent, id: helper, grants: [act]}"),
            action: ActionId::new(action).expect("an id"),
            known: true,
            target: None,
            scopes: Vec::new(),
            role: None,
            sensitive: false,
            route: None,
            risk: yaml("{level: safe}"),
            side_effect: SideEffectClass::LocalUi,
            guess: None,
            data_classes: Vec::new(),
            mode: None,
        }
    }

    pub(crate) fn grants(mut self, grants: &str) -> Self {
        self.principal = yaml(&format!("{{type: agent, id: helper, grants: [{grants}]}}"));
        self
    }

    pub(crate) fn risk(mut self, risk: &str) -> Self {
        self.risk = yaml(risk);
        self
    }

    pub(crate) fn changes(mut self, class: SideEffectClass) -> Self {
        self.side_effect = class;
        self
    }

    pub(crate) fn data(mut self, classes: &[DataClass]) -> Self {
        self.data_classes = classes.to_vec();
        self
    }

    pub(crate) fn mode(mut self, mode: ExecutionMode) -> Self {
        self.mode = Some(mode);
        self
    }

    pub(crate) fn unknown(mut self) -> Self {
        self.known = false;
        self
    }

    pub(crate) fn facts(&self) -> Facts<'_> {
        let primitive = PrimitiveAction::from_word(self.action.as_str()).is_some();
        Facts {
            principal: &self.principal,
            action: &self.action,
            action_kind: if primitive { DescribedKind::Primitive } else { DescribedKind::Domain },
            action_known: self.known,
            target: Some(TargetFacts {
                stable_id: self.target.as_ref(),
                scopes: &self.scopes,
                role: self.role.as_ref(),
                sensitive: self.sensitive,
            }),
            route: self.route.as_ref(),
            risk: &self.risk,
            side_effect: self.side_effect,
            guess: self.guess.as_ref(),
            data_classes: &self.data_classes,
            mode: self.mode,
        }
    }
}
