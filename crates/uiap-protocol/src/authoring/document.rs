//! What all manifests have in common.

use super::{
    ActionsManifest, AppManifest, BindingsManifest, CapabilitiesManifest, DiscoveryImportManifest,
    LocalePackManifest, OverlayManifest, PackageManifest, PolicySetManifest, ReviewSetManifest,
    WorkflowCatalogManifest,
};
use crate::finding::Code;
use crate::ids::{Id, Text, constant};
use crate::text::Node;
use crate::time::Timestamp;
use crate::version::PackageVersion;
use crate::wire::{
    Book, Decoder, JsonObject, MemberShape, Members, Object, ObjectShape, Shape, Wire, decode_object,
};
use serde::ser::SerializeMap;
use std::collections::BTreeMap;

constant! {
    /// The version of the authoring format.
    AuthoringApiVersion, "uiap.authoring/v0.1", Some("AUT-3-1")
}

/// How far the review of content is. The order of the words is not the order of approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-3.1-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ReviewState {
    Draft,
    Generated,
    InReview,
    Approved,
    Rejected,
    Deprecated,
}

/// Who wrote a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-3.1-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ManifestSource {
    Manual,
    Generated,
    Mixed,
    Imported,
}

/// What an owner does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-3.1-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum OwnerRole {
    Owner,
    Maintainer,
    Reviewer,
    Approver,
}

/// Somebody who is responsible.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-3.1-1")]
pub struct OwnerRef {
    /// Who.
    pub id: Id,
    /// For what.
    pub role: Option<OwnerRole>,
    /// How to reach them.
    pub contact: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What is said about a manifest.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-3.1-1")]
pub struct ManifestMetadata {
    /// Which manifest; unique within its package.
    pub id: Id,
    /// Its name for people.
    pub title: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// Its version; a package must have one, others inherit it.
    pub version: Option<PackageVersion>,
    /// Its package.
    pub package_id: Option<Id>,
    /// For machines.
    pub labels: Option<BTreeMap<String, String>>,
    /// For searching.
    pub tags: Option<Vec<String>>,
    /// Who is responsible.
    pub owners: Option<Vec<OwnerRef>>,
    /// Who wrote it.
    pub source: Option<ManifestSource>,
    /// How far its review is.
    pub review_state: Option<ReviewState>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What tools know about a manifest.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "AUT-10-1")]
pub struct ManifestStatus {
    /// Where its content comes from.
    pub provenance: Option<Vec<ProvenanceRecord>>,
    /// What should be looked at.
    pub warnings: Option<Vec<String>>,
    /// What it hashes to.
    pub digest: Option<Text>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Where content comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-10-1", case = "kebab-case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ProvenanceSource {
    Manual,
    Discovery,
    Import,
    Generated,
    RuntimeTrace,
}

/// Where a piece of content comes from.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-10-1")]
pub struct ProvenanceRecord {
    /// From where.
    pub source: ProvenanceSource,
    /// From what exactly.
    pub r#ref: Option<Text>,
    /// For people.
    pub note: Option<String>,
    /// When.
    pub at: Option<Timestamp>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

macro_rules! manifests {
    ($($kind:ident $manifest:ty;)+) => {
        /// What a manifest is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
        #[wire(requirement = "AUT-3-2", case = "PascalCase")]
        pub enum AuthoringKind {
            $(#[doc = concat!("See [`", stringify!($manifest), "`].")] $kind,)+
        }

        /// The content of a manifest.
        #[derive(Clone, Debug, PartialEq)]
        pub enum ManifestSpec {
            $(#[doc = concat!("See [`", stringify!($manifest), "`].")] $kind($manifest),)+
        }

        impl ManifestSpec {
            /// What it is about.
            pub fn kind(&self) -> AuthoringKind {
                match self { $(Self::$kind(_) => AuthoringKind::$kind,)+ }
            }

            fn decode_as<'t>(kind: AuthoringKind, node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
                match kind {
                    $(AuthoringKind::$kind => <$manifest as Wire>::decode(node, decoder).map(Self::$kind),)+
                }
            }
        }

        impl serde::Serialize for ManifestSpec {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$kind(manifest) => manifest.serialize(serializer),)+ }
            }
        }

        /// The shape of the content of a kind.
        fn spec_shape(kind: AuthoringKind, book: &mut Book) -> Shape {
            match kind { $(AuthoringKind::$kind => <$manifest as Wire>::shape(book),)+ }
        }

        impl AuthoringKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)+];
        }
    };
}

manifests! {
    Package PackageManifest;
    App AppManifest;
    Capabilities CapabilitiesManifest;
    Bindings BindingsManifest;
    Actions ActionsManifest;
    PolicySet PolicySetManifest;
    WorkflowCatalog WorkflowCatalogManifest;
    LocalePack LocalePackManifest;
    Overlay OverlayManifest;
    ReviewSet ReviewSetManifest;
    DiscoveryImport DiscoveryImportManifest;
}

/// A manifest of any kind.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthoringDocument {
    /// What is said about it.
    pub metadata: ManifestMetadata,
    /// Its content.
    pub spec: ManifestSpec,
    /// What tools know about it.
    pub status: Option<ManifestStatus>,
    /// Members of later versions and vendors.
    pub extra: JsonObject,
}

/// The shape of a document of one kind.
pub(crate) fn shape_of(kind: AuthoringKind, book: &mut Book) -> Shape {
    let spec = spec_shape(kind, book);
    let mut object = ObjectShape::default();
    describe(book, &mut object, Shape::Exactly(kind.as_str().into()), spec);
    if kind == AuthoringKind::Package
        && let Some(Shape::Object(metadata)) = versioned_metadata(book)
        && let Some(member) = object.members.iter_mut().find(|member| member.name == "metadata")
    {
        member.shape = Shape::Object(metadata);
    }
    Shape::Object(object)
}

/// Metadata in which the version is mandatory: that of a package.
fn versioned_metadata(book: &mut Book) -> Option<Shape> {
    let mut object = ObjectShape::default();
    ManifestMetadata::describe(book, &mut object);
    object.members.iter_mut().find(|member| member.name == "version")?.required = true;
    Some(Shape::Object(object))
}

fn describe(book: &mut Book, object: &mut ObjectShape, kind: Shape, spec: Shape) {
    let mut member = |name, doc, required, shape| {
        object.members.push(MemberShape { name, doc, required, shape });
    };
    member("apiVersion", "The version of the format.", true, AuthoringApiVersion::shape(book));
    member("kind", "What the manifest is about.", true, kind);
    member("metadata", "What is said about it.", true, ManifestMetadata::shape(book));
    member("spec", "Its content.", true, spec);
    member("status", "What tools know about it.", false, ManifestStatus::shape(book));
}

impl Wire for AuthoringDocument {
    fn shape(book: &mut Book) -> Shape {
        let forms = AuthoringKind::ALL.iter().map(|kind| shape_of(*kind, book)).collect();
        Shape::Either(forms)
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        decode_object(node, decoder, Some("AUT-3-1"))
    }
}

impl Members for AuthoringDocument {
    fn describe(book: &mut Book, object: &mut ObjectShape) {
        let kind = AuthoringKind::shape(book);
        describe(book, object, kind, Shape::Anything);
    }

    fn names(names: &mut Vec<&'static str>) {
        names.extend(["apiVersion", "kind", "metadata", "spec", "status"]);
    }

    fn take<'t>(object: &mut Object<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        let api_version = object.required::<AuthoringApiVersion>("apiVersion", None, decoder);
        let kind = object.required::<AuthoringKind>("kind", None, decoder);
        let metadata = object.required::<ManifestMetadata>("metadata", None, decoder);
        let spec = object.required_node("spec", decoder);
        let spec = spec.zip(kind).and_then(|(spec, kind)| {
            decoder.at("spec", |decoder| ManifestSpec::decode_as(kind, spec, decoder))
        });
        let status = object.optional("status", None, decoder);
        let extra = object.rest::<Self>(decoder);
        if let (Some(AuthoringKind::Package), Some(metadata)) = (kind, &metadata) {
            check_package_version(metadata, spec.as_ref(), decoder);
        }
        api_version?;
        Some(Self { metadata: metadata?, spec: spec?, status: status?, extra: extra? })
    }

    fn put<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("apiVersion", &AuthoringApiVersion)?;
        map.serialize_entry("kind", &self.spec.kind())?;
        map.serialize_entry("metadata", &self.metadata)?;
        map.serialize_entry("spec", &self.spec)?;
        if let Some(status) = &self.status {
            map.serialize_entry("status", status)?;
        }
        self.extra.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))
    }
}

impl serde::Serialize for AuthoringDocument {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.put(&mut map)?;
        map.end()
    }
}

/// A package has a version, and says the same one twice (finding M1).
fn check_package_version(
    metadata: &ManifestMetadata,
    spec: Option<&ManifestSpec>,
    decoder: &mut Decoder<'_>,
) {
    let Some(version) = &metadata.version else {
        decoder.under(Some("AUT-3.1-3"), |decoder| {
            decoder.at("metadata", |decoder| {
                let message = "A package must have a version in \"metadata\".";
                decoder.error_with_help(Code::MissingMember, message, "Add \"version\".");
            });
        });
        return;
    };
    if let Some(ManifestSpec::Package(package)) = spec
        && package.version != *version
    {
        let message = format!("The metadata say version {version}, the package says {}.", package.version);
        decoder.under(Some("AUT-11.1-1"), |decoder| {
            decoder.at("metadata", |decoder| {
                decoder.at("version", |decoder| {
                    decoder.error_with_help(Code::Inconsistent, message, "Make them equal.");
                });
            });
        });
    }
}
