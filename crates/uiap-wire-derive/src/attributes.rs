//! Reads `#[wire(...)]` and doc comments.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Path};

/// What is said about a type.
#[derive(Default)]
pub(crate) struct Container {
    pub(crate) requirement: Option<String>,
    pub(crate) check: Option<Path>,
    pub(crate) case: Option<String>,
    pub(crate) tag: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) doc: String,
}

impl Container {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut container = Self { doc: doc(attributes), ..Self::default() };
        each(attributes, |meta| {
            if meta.path.is_ident("check") {
                container.check = Some(meta.value()?.parse()?);
                return Ok(());
            }
            let slot = match () {
                () if meta.path.is_ident("requirement") => &mut container.requirement,
                () if meta.path.is_ident("case") => &mut container.case,
                () if meta.path.is_ident("tag") => &mut container.tag,
                () if meta.path.is_ident("name") => &mut container.name,
                () => return Err(meta.error("unknown wire attribute of a type")),
            };
            *slot = Some(meta.value()?.parse::<LitStr>()?.value());
            Ok(())
        })?;
        Ok(container)
    }

    /// The name of the type outside Rust.
    pub(crate) fn name(&self, ident: &syn::Ident) -> String {
        self.name.clone().unwrap_or_else(|| ident.to_string())
    }

    pub(crate) fn requirement(&self) -> TokenStream {
        optional(self.requirement.as_ref())
    }
}

/// What is said about a field.
#[derive(Default)]
pub(crate) struct FieldNotes {
    pub(crate) rename: Option<String>,
    pub(crate) requirement: Option<String>,
    pub(crate) flatten: bool,
    pub(crate) extra: bool,
    pub(crate) vendor: bool,
    pub(crate) doc: String,
}

impl FieldNotes {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut notes = Self { doc: doc(attributes), ..Self::default() };
        each(attributes, |meta| {
            if meta.path.is_ident("flatten") {
                notes.flatten = true;
            } else if meta.path.is_ident("extra") {
                notes.extra = true;
            } else if meta.path.is_ident("vendor") {
                notes.vendor = true;
            } else if meta.path.is_ident("rename") {
                notes.rename = Some(meta.value()?.parse::<LitStr>()?.value());
            } else if meta.path.is_ident("requirement") {
                notes.requirement = Some(meta.value()?.parse::<LitStr>()?.value());
            } else {
                return Err(meta.error("unknown wire attribute of a field"));
            }
            Ok(())
        })?;
        Ok(notes)
    }
}

/// What is said about a variant.
#[derive(Default)]
pub(crate) struct VariantNotes {
    pub(crate) word: Option<String>,
    pub(crate) vendor: bool,
    pub(crate) doc: String,
}

impl VariantNotes {
    pub(crate) fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut notes = Self { doc: doc(attributes), ..Self::default() };
        each(attributes, |meta| {
            if meta.path.is_ident("vendor") {
                notes.vendor = true;
            } else if meta.path.is_ident("word") {
                notes.word = Some(meta.value()?.parse::<LitStr>()?.value());
            } else {
                return Err(meta.error("unknown wire attribute of a variant"));
            }
            Ok(())
        })?;
        Ok(notes)
    }
}

fn each(
    attributes: &[Attribute],
    mut read: impl FnMut(syn::meta::ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("wire"))
        .try_for_each(|attribute| attribute.parse_nested_meta(&mut read))
}

/// The doc comment as one paragraph.
fn doc(attributes: &[Attribute]) -> String {
    let lines =
        attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).filter_map(|attribute| {
            let value = &attribute.meta.require_name_value().ok()?.value;
            let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = value else { return None };
            Some(text.value().trim().to_owned())
        });
    lines.collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// An optional text as code.
pub(crate) fn optional(text: Option<&String>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}
