//! `#[derive(Wire)]`: decoding, encoding and the shape of a wire type, written from its definition.
//!
//! Used by `uiap-protocol` only; the generated code names that crate's modules. Three kinds of type are
//! understood: structs with named fields (`structs.rs`), enums of plain words (`words.rs`) and enums told apart by
//! a tag member (`unions.rs`).
//!
//! On the type: `requirement = "ID"`, `check = path` (a function that looks at the decoded value), `case = "..."`
//! (spelling of words: `snake_case`, `camelCase`, `kebab-case`, `PascalCase`, `SCREAMING`), `tag = "member"`,
//! `name = "..."` (the name outside Rust).
//! On a field: `rename = "name"`, `requirement = "ID"`, `flatten`, `extra` (keeps unknown
//! members), `vendor` (unknown members must have `x.` names).
//! On a variant: `word = "..."`, `vendor`.

mod attributes;
mod fields;
mod structs;
mod unions;
mod words;

use proc_macro::TokenStream;
use syn::{Data, DeriveInput, parse_macro_input};

/// Derives `Wire`, and `Members` for types that have members.
#[proc_macro_derive(Wire, attributes(wire))]
pub fn derive_wire(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

fn expand(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    let container = attributes::Container::read(&input.attrs)?;
    match &input.data {
        Data::Struct(data) => structs::expand(input, &container, &data.fields),
        Data::Enum(data) if container.tag.is_some() => unions::expand(input, &container, data),
        Data::Enum(data) => words::expand(input, &container, data),
        Data::Union(_) => Err(syn::Error::new_spanned(input, "unions have no wire form")),
    }
}
