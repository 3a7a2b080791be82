//! The rules: what can change between two bundles, and how grave that is.
//!
//! Start at [`Rule::ALL`]; `docs/breaking.md` is written from it.

use super::Class;
use serde::Serialize;

macro_rules! rules {
    ($($group:literal { $($variant:ident $name:literal $class:ident $what:literal $meaning:literal;)+ })+) => {
        /// One kind of change. Its name is stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[doc = $what] $variant,)+)+
        }

        impl Rule {
            /// Every rule, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)+)+];

            /// Its stable name.
            pub fn name(self) -> &'static str {
                match self { $($(Self::$variant => $name,)+)+ }
            }

            /// How grave such a change is.
            pub fn class(self) -> Class {
                match self { $($(Self::$variant => Class::$class,)+)+ }
            }

            /// What changed, in one sentence.
            pub fn what(self) -> &'static str {
                match self { $($(Self::$variant => $what,)+)+ }
            }

            /// What that means for somebody who uses the bundle.
            pub fn meaning(self) -> &'static str {
                match self { $($(Self::$variant => $meaning,)+)+ }
            }

            /// What part of a bundle it is about.
            pub fn group(self) -> &'static str {
                match self { $($(Self::$variant => $group,)+)+ }
            }
        }
    };
}

impl Rule {
    /// The rule with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

rules! {
    "Bundle" {
        PackageIdChanged "package-id-changed" Major "The package has another id."
            "Whoever imports or loads it by its id finds nothing.";
        ProfileChanged "profile-changed" Major "The bundle is for another profile."
            "A runtime of the old profile refuses it.";
        BuildContextChanged "build-context-changed" Major "The bundle was built for another context."
            "Whoever it was for gets a bundle that is for somebody else.";
        DigestRemoved "digest-removed" Major "The bundle has no digest any more."
            "Nobody can sign it, and whoever loads only signed bundles refuses it.";
        DigestAdded "digest-added" Patch "The bundle has a digest."
            "It can be signed; nothing else is different.";
        ManifestIndexChanged "manifest-index-changed" Patch "The bundle was built from other manifests."
            "What they hold is compared on its own.";
        MetadataChanged "metadata-changed" Major
            "Metadata of the application was removed or says something else."
            "Only the application knows what it means, so it may rely on it.";
        MetadataAdded "metadata-added" Minor "There is new metadata of the application."
            "Nobody could rely on it before.";
        ReviewMetadataChanged "review-metadata-changed" Patch "Reviews or the provenance of an item changed."
            "Who stands behind the item changed, not the item.";
        TranslationRemoved "translation-removed" Major "A text has lost a language."
            "Who reads that language sees another one.";
        TranslationAdded "translation-added" Minor "A text has one more language."
            "Who reads that language sees it instead of another one.";
        ListReordered "list-reordered" Patch
            "A list whose order means nothing has another order, or says something twice."
            "Its items are found by what they are, not by their place.";
        EmptyRespelled "empty-respelled" Patch "Something empty was left out, or the other way round."
            "Both mean the same.";
        Unclassified "unclassified" Major "Something differs that no other rule knows."
            "Nobody can say what it means, so it counts as the gravest.";
    }
    "Compatibility" {
        CoreRangeNarrowed "core-range-narrowed" Major "A version of the core is not supported any more."
            "A runtime of that version refuses the bundle.";
        CoreRangeWidened "core-range-widened" Minor "One more version of the core is supported."
            "Runtimes that refused the bundle load it.";
        ExtensionRequired "extension-required" Major "An extension is required that was not."
            "A runtime without it refuses the bundle.";
        ExtensionReleased "extension-released" Minor "An extension is not required any more."
            "Runtimes that refused the bundle load it.";
        ExtensionMentioned "extension-mentioned" Minor "An optional extension was added or removed."
            "No runtime refuses the bundle because of it.";
        ExtensionRangeNarrowed "extension-range-narrowed" Major
            "A version of an extension is not supported any more."
            "A runtime with that version refuses the bundle, or does without the extension.";
        ExtensionRangeWidened "extension-range-widened" Minor "One more version of an extension is supported."
            "Runtimes that refused the bundle load it.";
        SdkRangeNarrowed "sdk-range-narrowed" Major "A version of the SDK is not supported any more."
            "An application that uses that version is left behind.";
        SdkRangeWidened "sdk-range-widened" Minor "One more version of the SDK is supported."
            "Applications that could not use the bundle can.";
        AppVersionsNarrowed "app-versions-narrowed" Major
            "A version of the application is not supported any more."
            "Whoever runs that version is left behind.";
        AppVersionsWidened "app-versions-widened" Minor "One more version of the application is supported."
            "Whoever runs that version can use the bundle.";
        RangeRespelled "range-respelled" Patch "A range is written differently and holds the same versions."
            "Nothing is different.";
    }
    "Application" {
        AppIdChanged "app-id-changed" Major "The application has another id."
            "Sessions, grants and policies that name it do not hold.";
        AppNameChanged "app-name-changed" Patch "The application is called something else."
            "People see another name.";
        DefaultLocaleChanged "default-locale-changed" Major "The application has another default language."
            "Who chose no language sees another one, and labels that were looked for are not there.";
        LocaleRemoved "locale-removed" Major "A language is not supported any more."
            "A session in that language has no texts.";
        LocaleAdded "locale-added" Minor "One more language is supported."
            "Sessions in that language have texts.";
        EnvironmentRemoved "environment-removed" Major "An environment is gone."
            "A session in it finds nothing.";
        EnvironmentAdded "environment-added" Minor "There is one more environment."
            "Sessions in it are possible.";
        EnvironmentAddressRemoved "environment-address-removed" Major "An environment has lost an address."
            "Pages at that address do not belong to the application any more.";
        EnvironmentAddressAdded "environment-address-added" Minor "An environment has one more address."
            "Pages at that address belong to the application.";
        EnvironmentLabelChanged "environment-label-changed" Major
            "A label of an environment was removed or says something else."
            "A machine that looks for the old label does not find the environment.";
        EnvironmentLabelAdded "environment-label-added" Minor "An environment has one more label."
            "Nobody could look for it before.";
        PrincipalProfileRemoved "principal-profile-removed" Major "A kind of user is gone."
            "Sessions of that kind cannot be opened.";
        PrincipalProfileAdded "principal-profile-added" Minor "There is one more kind of user."
            "Sessions of that kind are possible.";
        PrincipalProfileRoleRemoved "principal-profile-role-removed" Major "A kind of user has lost a role."
            "Policies that allow something to that role do not speak for it any more.";
        PrincipalProfileRoleAdded "principal-profile-role-added" Major "A kind of user has one more role."
            "Policies about that role, allowing or forbidding, speak for it.";
        PrincipalProfileGrantRemoved "principal-profile-grant-removed" Major "A kind of user has lost a right."
            "What needs the right is refused.";
        PrincipalProfileGrantAdded "principal-profile-grant-added" Major "A kind of user has one more right."
            "What was refused happens.";
        PrincipalProfileDescriptionChanged "principal-profile-description-changed" Patch
            "A kind of user is described differently." "People read another text.";
        RoutingModeChanged "routing-mode-changed" Major "The application finds its pages in another way."
            "Addresses that led to a page do not.";
        RouteProviderChanged "route-provider-changed" Major
            "Something else tells on which route the application is."
            "An application that does not have it cannot tell its route.";
        AnnotationPrefixChanged "annotation-prefix-changed" Major "Annotations begin differently."
            "Annotated pages are not recognised until they are changed too.";
        OverlayDisplayChanged "overlay-display-changed" Minor "What happens is shown, or is not shown any more."
            "People see it differently; requests are answered as before.";
    }
    "Capabilities" {
        CapabilitiesRemoved "capabilities-removed" Major "The capability document is gone."
            "Whoever asks for the capabilities gets none.";
        CapabilitiesAdded "capabilities-added" Minor "There is a capability document."
            "Whoever asks for the capabilities gets some.";
        CapabilityProfileChanged "capability-profile-changed" Major
            "The capability document is for another profile." "A session of the old profile cannot use it.";
        CapabilityRoleRemoved "capability-role-removed" Major "A role does not occur any more."
            "Targets that are named by that role are not found.";
        CapabilityStateKeyRemoved "capability-state-key-removed" Major "A state is not published any more."
            "Signals and conditions about it can never be observed.";
        CapabilityAffordanceRemoved "capability-affordance-removed" Major
            "An affordance does not occur any more." "Actions that need it have no target.";
        CapabilityRiskWordRemoved "capability-risk-word-removed" Major
            "A risk level or a risk tag does not occur any more." "Policies about it speak about nothing.";
        CapabilitySignalRemoved "capability-signal-removed" Major
            "A kind of signal cannot be observed any more." "A request that waits for it is never verified.";
        CapabilityWordAdded "capability-word-added" Minor
            "A role, state, affordance, risk word or signal occurs that did not." "It can be used from now on.";
    }
    "Routes" {
        RouteRemoved "route-removed" Major "A route is gone."
            "A request that leads to it is refused.";
        RouteAdded "route-added" Minor "There is one more route."
            "Requests can lead to it.";
        RouteMatcherRemoved "route-matcher-removed" Major
            "A way to recognise a route is gone, and no other took its place."
            "A page that only this recognised is on no known route.";
        RouteMatcherReplaced "route-matcher-replaced" Minor "A route is recognised differently; its id stays."
            "The binding follows the application; requests by id work as before.";
        RouteMatcherAdded "route-matcher-added" Minor "There is one more way to recognise a route."
            "More pages are on it.";
        RouteUnmatchable "route-unmatchable" Major "Nothing recognises a route any more."
            "It has an id and is never there.";
        RouteParameterChanged "route-parameter-changed" Major "The path of a route has other parameters."
            "A navigation that gives the old ones is refused.";
        RouteParentChanged "route-parent-changed" Major "A route belongs to another one."
            "Whatever follows the hierarchy of routes arrives elsewhere.";
        RouteTitleChanged "route-title-changed" Patch "A route is called something else."
            "People read another text.";
        RouteSignalAdded "route-signal-added" Major "Arriving at a route asks for one more signal."
            "An arrival that was recognised without it is not.";
        RouteSignalRemoved "route-signal-removed" Major
            "Arriving at a route is recognised without a signal that was asked for."
            "An arrival counts that did not.";
    }
    "Scopes" {
        ScopeRemoved "scope-removed" Major "An area is gone."
            "Targets and signals in it are not found.";
        ScopeAdded "scope-added" Minor "There is one more area."
            "Targets can be looked for in it.";
        ScopeKindChanged "scope-kind-changed" Major "An area is of another kind."
            "Signals about dialogs and forms mean something else there.";
        ScopeRouteRemoved "scope-route-removed" Major "An area is not on a route any more."
            "On that route it is not found.";
        ScopeRouteAdded "scope-route-added" Minor "An area is on one more route."
            "It is found there as well.";
        ScopeParentChanged "scope-parent-changed" Major "An area lies in another one."
            "Targets and policies by the outer area miss it.";
        ScopeStableIdRemoved "scope-stable-id-removed" Major
            "An area is not recognised by a stable id any more."
            "A page that only has that id has no such area.";
        ScopeStableIdAdded "scope-stable-id-added" Minor "An area is recognised by one more stable id."
            "More pages have it.";
        ScopeTitleChanged "scope-title-changed" Patch "An area is called something else."
            "People read another text.";
    }
    "Elements" {
        ElementRemoved "element-removed" Major "An element is gone, or has another id."
            "A request that names it finds no target.";
        ElementAdded "element-added" Minor "There is one more element."
            "Requests can name it.";
        ElementScopeChanged "element-scope-changed" Major "An element is in another area."
            "A request that expects it in the old one is refused.";
        ElementRouteRemoved "element-route-removed" Major "An element is not on a route any more."
            "On that route it is not found.";
        ElementRouteAdded "element-route-added" Minor "An element is on one more route."
            "It is found there as well.";
        ElementRoleChanged "element-role-changed" Major "An element has another role, or none."
            "A request that expects the old role is refused.";
        ElementRoleAdded "element-role-added" Minor "An element says what it is."
            "Before, only the page said so.";
        ElementNameChanged "element-name-changed" Patch "An element is called something else."
            "People read another text; requests by id work as before.";
        ElementMeaningChanged "element-meaning-changed" Patch "What an element means is said differently."
            "Another text is read.";
        ElementMatcherRemoved "element-matcher-removed" Major
            "A way to recognise an element is gone, and no other took its place."
            "A page where only this recognised it has no such element.";
        ElementMatcherNarrowed "element-matcher-narrowed" Major "A way to recognise an element asks for more."
            "An element that fulfilled only the old conditions is not found.";
        ElementMatcherWidened "element-matcher-widened" Minor "A way to recognise an element asks for less."
            "More elements are found; several are refused as ambiguous.";
        ElementMatcherReplaced "element-matcher-replaced" Minor
            "An element is recognised differently; its id stays."
            "The binding follows the page; requests by id work as before.";
        ElementMatcherAdded "element-matcher-added" Minor "There is one more way to recognise an element."
            "It is found on more pages.";
        ElementMatcherOrderChanged "element-matcher-order-changed" Minor
            "The ways to recognise an element are tried in another order."
            "Where two of them find different elements, another one is taken.";
        ElementHintChanged "element-hint-changed" Patch
            "A runtime hint was added, changed or removed beside better ways."
            "Hints follow the page and never identify anything alone.";
        ElementHintOnly "element-hint-only" Major "Only runtime hints are left to recognise an element."
            "It is lost with the next change of the page.";
        ElementUnmatchable "element-unmatchable" Major "Nothing recognises an element any more."
            "It has an id and is never there.";
        ElementRiskRaised "element-risk-raised" Major "An element is riskier."
            "What happened on its own asks a person first, or does not happen.";
        ElementRiskLowered "element-risk-lowered" Major "An element is less risky."
            "What asked a person first happens on its own.";
        ElementRiskTagAdded "element-risk-tag-added" Major "There is one more reason for care with an element."
            "Policies about it speak, and need other rights.";
        ElementRiskTagRemoved "element-risk-tag-removed" Major
            "There is one reason for care less with an element." "Policies about it are silent.";
        ElementDataClassAdded "element-data-class-added" Major "An element holds one more class of data."
            "Its value may be withheld, and writing it may need another right.";
        ElementDataClassRemoved "element-data-class-removed" Major
            "An element does not hold a class of data any more." "A value that was withheld may leave.";
        ElementDefaultActionChanged "element-default-action-changed" Major
            "Another action, or none, is requested of an element by default."
            "Whoever relies on the default does something else.";
        ElementDefaultActionAdded "element-default-action-added" Minor "An element has a default action."
            "There was none to rely on.";
        ElementSignalAdded "element-signal-added" Major "Success with an element asks for one more signal."
            "An action that was verified without it is not.";
        ElementSignalRemoved "element-signal-removed" Major
            "Success with an element is recognised without a signal that was asked for."
            "An action counts as done that did not.";
    }
    "Actions" {
        ActionRemoved "action-removed" Major "An action is gone."
            "A request for it is refused.";
        ActionAdded "action-added" Minor "There is one more action."
            "It can be requested.";
        ActionTitleChanged "action-title-changed" Patch "An action is called something else."
            "People read another text.";
        ActionDescriptionChanged "action-description-changed" Patch "An action is described differently."
            "People and agents read another text.";
        ActionTargetKindRemoved "action-target-kind-removed" Major
            "An action cannot be aimed at a kind of target any more."
            "A request with such a target is refused.";
        ActionTargetKindAdded "action-target-kind-added" Minor
            "An action can be aimed at one more kind of target." "Requests with such a target are accepted.";
        ActionAffordanceAdded "action-affordance-added" Major
            "An action asks for one more affordance of its target."
            "A target that does not offer it is refused.";
        ActionAffordanceRemoved "action-affordance-removed" Minor
            "An action asks for one affordance of its target less." "More targets are accepted.";
        ActionModeRemoved "action-mode-removed" Major "An action cannot be carried out in a way any more."
            "A request that asks for this way, or a surface that has no other, fails.";
        ActionModeAdded "action-mode-added" Minor "An action can be carried out in one more way."
            "It works on more surfaces.";
        ActionIdempotencyWeakened "action-idempotency-weakened" Major
            "An action may not be repeated as freely as before."
            "Whoever repeats it after a failure does it twice.";
        ActionIdempotencyStrengthened "action-idempotency-strengthened" Minor
            "An action may be repeated more freely." "Repeating it is safe where it was not.";
        ActionConfirmationAdded "action-confirmation-added" Major
            "A person must agree to an action that needed nobody." "A request that was done at once waits.";
        ActionConfirmationDropped "action-confirmation-dropped" Major
            "An action needs nobody to agree any more." "A request that waited for a person is done at once.";
        ActionBlocked "action-blocked" Major "An action is blocked."
            "A request for it is refused or handed to a person.";
        ActionUnblocked "action-unblocked" Major "An action is not blocked any more."
            "A request that was refused is done, after a confirmation or at once.";
        ActionRiskDeclared "action-risk-declared" Patch
            "An action declares the level that its tags asked for already, or does not any more."
            "The same level holds.";
        ActionRiskTagAdded "action-risk-tag-added" Major "There is one more reason for care with an action."
            "Policies about it speak, and need other rights.";
        ActionRiskTagRemoved "action-risk-tag-removed" Major "There is one reason for care less with an action."
            "Policies about it are silent.";
        ActionRiskReasonChanged "action-risk-reason-changed" Patch "Why an action is risky is said differently."
            "People read another text.";
        ActionSignalAdded "action-signal-added" Major "Success of an action asks for one more signal."
            "An action that was verified without it is not.";
        ActionSignalRemoved "action-signal-removed" Major
            "Success of an action is recognised without a signal that was asked for."
            "An action counts as done that did not.";
        ActionImplementationChanged "action-implementation-changed" Major
            "Something else, or nothing, carries out an action."
            "An application that does not have it cannot do the action.";
        ActionImplementationAdded "action-implementation-added" Minor
            "Something carries out an action that nothing did." "Requests for it can succeed.";
        ActionSelectorChanged "action-selector-changed" Major
            "An action is offered elsewhere or to somebody else."
            "A request from where it was offered may be refused.";
    }
    "Arguments" {
        ArgumentRemoved "argument-removed" Major "An action does not take an argument any more."
            "A request that gives it is refused.";
        ArgumentAddedRequired "argument-added-required" Major
            "An action demands an argument that it did not know." "A request without it is refused.";
        ArgumentAddedOptional "argument-added-optional" Minor "An action takes one more argument."
            "Requests may give it.";
        ArgumentMadeRequired "argument-made-required" Major "An argument must be given."
            "A request without it is refused.";
        ArgumentMadeOptional "argument-made-optional" Minor "An argument need not be given."
            "Requests without it are accepted.";
        ArgumentTypeChanged "argument-type-changed" Major "An argument has another type."
            "A request with a value of the old type is refused.";
        ArgumentEnumNarrowed "argument-enum-narrowed" Major "An argument does not take a value any more."
            "A request with that value is refused.";
        ArgumentEnumWidened "argument-enum-widened" Minor "An argument takes one more value."
            "Requests may give it.";
        ArgumentLimitChanged "argument-limit-changed" Major
            "A pattern, range, length or default of an argument changed."
            "A value that was accepted may be refused, or another one holds where none is given.";
        ArgumentDescriptionChanged "argument-description-changed" Patch "An argument is described differently."
            "People and agents read another text.";
    }
    "Policies" {
        PolicyRemoved "policy-removed" Major "A policy is gone."
            "What only it said holds no more.";
        PolicyAdded "policy-added" Minor
            "There is one more policy, and every question that was tried is answered as before."
            "It says what held already, or speaks about what is new.";
        PolicyStricter "policy-stricter" Major "A policy answers a question more strictly."
            "Something that was done waits for a person or is refused.";
        PolicyLooser "policy-looser" Major "A policy answers a question less strictly."
            "Something that waited for a person or was refused is done.";
        PolicyObligationsChanged "policy-obligations-changed" Major
            "A policy gives the same answer with other obligations."
            "What must come with an action is different.";
        PolicyRuleAdded "policy-rule-added" Minor
            "A policy has one more rule, and every question that was tried is answered as before."
            "The rule says what held already, or speaks about what is new.";
        PolicyUnproven "policy-unproven" Major
            "A rule or a default is gone or different, and no question that was tried shows what that means."
            "Nobody can say that it means nothing.";
        PolicySelectorChanged "policy-selector-changed" Major "A policy holds elsewhere or for somebody else."
            "Where it held, it may not.";
        PolicyDocumentIdChanged "policy-document-id-changed" Major "The document of a policy has another id."
            "Decisions and traces name another document.";
        PolicyRevisionChanged "policy-revision-changed" Patch "A policy has another revision."
            "What it says is compared on its own.";
        PolicyReasonChanged "policy-reason-changed" Patch "A rule of a policy is explained differently."
            "People read another text.";
        PolicyPriorityChanged "policy-priority-changed" Patch "A rule of a policy has another priority."
            "Reasons are listed in another order; the strictest rule holds in any case.";
        RedactionStricter "redaction-stricter" Major "A value is withheld more than before."
            "Who read it does not.";
        RedactionLooser "redaction-looser" Major "A value is withheld less than before."
            "Who could not read it can.";
        AuditReduced "audit-reduced" Major "Less is written down."
            "What had to be in the audit is not there.";
        AuditExtended "audit-extended" Minor "More is written down."
            "Nothing that was in the audit is missing.";
    }
    "Workflows" {
        WorkflowRemoved "workflow-removed" Major "A workflow is gone."
            "It cannot be started, and runs of it have no definition.";
        WorkflowAdded "workflow-added" Minor "There is one more workflow."
            "It can be started.";
        WorkflowVersionChanged "workflow-version-changed" Patch "A workflow has another version."
            "What it does is compared on its own.";
        WorkflowTitleChanged "workflow-title-changed" Patch "A workflow is called something else."
            "People read another text.";
        WorkflowDescriptionChanged "workflow-description-changed" Patch "A workflow is described differently."
            "People read another text.";
        WorkflowCategoryChanged "workflow-category-changed" Major "A workflow is for something else."
            "Who lists the old category does not find it.";
        WorkflowStartModeChanged "workflow-start-mode-changed" Major "Somebody else starts a workflow."
            "Who started it does not, or it starts on its own.";
        WorkflowModeRemoved "workflow-mode-removed" Major "A workflow does not run in a mode any more."
            "Starting it in that mode is refused.";
        WorkflowModeAdded "workflow-mode-added" Minor "A workflow runs in one more mode."
            "It can be started in it.";
        WorkflowInitialStepChanged "workflow-initial-step-changed" Major "A workflow begins with another step."
            "Its runs go another way.";
        WorkflowEntryConditionAdded "workflow-entry-condition-added" Major
            "A workflow asks for more before it starts." "Where it could start, it cannot.";
        WorkflowEntryConditionRemoved "workflow-entry-condition-removed" Minor
            "A workflow asks for less before it starts." "Where it could not start, it can.";
        WorkflowSignalAdded "workflow-signal-added" Major "Success of a workflow asks for one more signal."
            "A run that succeeded without it does not.";
        WorkflowSignalRemoved "workflow-signal-removed" Major
            "Success of a workflow is recognised without a signal that was asked for."
            "A run counts as a success that did not.";
        WorkflowGrantAdded "workflow-grant-added" Major "A workflow needs one more right."
            "Who does not have it cannot start it.";
        WorkflowGrantRemoved "workflow-grant-removed" Major "A workflow needs one right less."
            "Who could not start it can.";
        WorkflowRouteRemoved "workflow-route-removed" Major "A workflow does not play on a route any more."
            "Who lists the workflows of that route does not find it.";
        WorkflowRouteAdded "workflow-route-added" Minor "A workflow plays on one more route."
            "It is found there as well.";
        WorkflowRecoveryChanged "workflow-recovery-changed" Major
            "Something else is done after a failure of a workflow."
            "A run that recovered may fail, or do something else.";
        WorkflowTimeoutShortened "workflow-timeout-shortened" Major "A workflow may not take as long as before."
            "A run that was in time is not.";
        WorkflowTimeoutLengthened "workflow-timeout-lengthened" Minor "A workflow may take longer."
            "A run that was too late is in time.";
    }
    "Workflow steps" {
        StepRemoved "step-removed" Major "A step of a workflow is gone."
            "A run that is at it cannot go on.";
        StepAdded "step-added" Minor "A workflow has one more step."
            "Whether it is reached is told by the steps before it.";
        StepInserted "step-inserted" Minor "A new instruction stands between two steps."
            "A run says something more and then goes the same way.";
        StepTypeChanged "step-type-changed" Major "A step does something of another type."
            "A run does something else there.";
        StepTransitionChanged "step-transition-changed" Major "Another step follows a step."
            "A run goes another way.";
        StepErrorPathChanged "step-error-path-changed" Major "Another step follows a failure of a step."
            "A run that fails there goes another way.";
        StepActionChanged "step-action-changed" Major "A step requests another action."
            "A run does something else.";
        StepTargetChanged "step-target-changed" Major "The action of a step is aimed at something else."
            "A run does it to something else.";
        StepArgumentsChanged "step-arguments-changed" Major "The action of a step has other arguments."
            "A run does something else.";
        StepVerificationChanged "step-verification-changed" Major "Success of a step is recognised differently."
            "A step that passed may fail, or the other way round.";
        StepRetryLowered "step-retry-lowered" Major "A step is tried again less often."
            "A run that passed at a later attempt fails.";
        StepRetryRaised "step-retry-raised" Minor "A step is tried again more often."
            "A run that failed may pass.";
        StepConditionChanged "step-condition-changed" Major
            "A step is taken, fulfilled or left under other conditions."
            "A run goes another way, or waits for something else.";
        StepTimeoutShortened "step-timeout-shortened" Major "A step does not wait as long as before."
            "A run that was in time is not.";
        StepTimeoutLengthened "step-timeout-lengthened" Minor "A step waits longer."
            "A run that was too late is in time.";
        StepCollectsMore "step-collects-more" Major "A step asks for one more parameter."
            "Whoever answers without it is asked again.";
        StepCollectsLess "step-collects-less" Minor "A step asks for one parameter less."
            "Whoever gives it nevertheless is not refused.";
        StepOutcomeChanged "step-outcome-changed" Major "A workflow ends differently at a step."
            "A run that succeeded is aborted, or the other way round.";
        StepTextChanged "step-text-changed" Patch "A step says something else."
            "People read another text.";
        StepPresentationChanged "step-presentation-changed" Patch "A step is shown differently."
            "People see it differently; the run goes the same way.";
    }
    "Workflow parameters" {
        ParameterRemoved "parameter-removed" Major "A workflow does not take a parameter any more."
            "A start that gives it is refused.";
        ParameterAddedRequired "parameter-added-required" Major
            "A workflow demands a parameter that it did not know." "A start without it stops and asks.";
        ParameterAddedOptional "parameter-added-optional" Minor "A workflow takes one more parameter."
            "A start may give it.";
        ParameterMadeRequired "parameter-made-required" Major "A parameter must be given."
            "A start without it stops and asks.";
        ParameterMadeOptional "parameter-made-optional" Minor "A parameter need not be given."
            "A start without it goes on.";
        ParameterTypeChanged "parameter-type-changed" Major "A parameter has another type."
            "A start with a value of the old type is refused.";
        ParameterEnumNarrowed "parameter-enum-narrowed" Major "A parameter does not take a value any more."
            "A start with that value is refused.";
        ParameterEnumWidened "parameter-enum-widened" Minor "A parameter takes one more value."
            "A start may give it.";
        ParameterPatternChanged "parameter-pattern-changed" Major "A parameter must look different."
            "A value that was accepted may be refused.";
        ParameterPatternRemoved "parameter-pattern-removed" Minor "A parameter may look as it likes."
            "Values that were refused are accepted.";
        ParameterDefaultChanged "parameter-default-changed" Major "A parameter has another default, or none."
            "A start without it does something else, or stops and asks.";
        ParameterDefaultAdded "parameter-default-added" Minor "A parameter has a default."
            "A start without it goes on.";
        ParameterDataClassChanged "parameter-data-class-changed" Major
            "A parameter holds another class of data." "It is protected differently.";
        ParameterSourceChanged "parameter-source-changed" Major "Somebody else supplies a parameter."
            "Who supplied it is not asked.";
        ParameterDescriptionChanged "parameter-description-changed" Patch
            "A parameter is described differently." "People and agents read another text.";
    }
    "Texts" {
        LocaleTextRemoved "locale-text-removed" Major "A text is gone."
            "Who looks it up by its key finds nothing.";
        LocaleTextAdded "locale-text-added" Minor "There is one more text."
            "It can be looked up by its key.";
        LocaleTextChanged "locale-text-changed" Patch "A text says something else."
            "People read another text.";
    }
}
