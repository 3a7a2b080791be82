//! What structs and the forms of unions have in common: named fields.

use crate::attributes::{FieldNotes, optional};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Field, GenericArgument, Ident, PathArguments, Type};

/// How a field stands on the wire.
pub(crate) enum Kind {
    Required,
    Optional,
    Flatten,
    Extra,
    /// Members that must have vendor names: the object is a vocabulary.
    Vendor,
}

/// A field, ready to be written into code.
pub(crate) struct WireField {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The type of the member; for an optional field the type inside the `Option`.
    ty: Type,
    doc: String,
    requirement: TokenStream,
}

impl WireField {
    pub(crate) fn read(field: &Field) -> syn::Result<Self> {
        let notes = FieldNotes::read(&field.attrs)?;
        let ident = field.ident.clone().ok_or_else(|| syn::Error::new_spanned(field, "fields need names"))?;
        let plain = ident.to_string();
        let name = notes.rename.unwrap_or_else(|| camel_case(plain.trim_start_matches("r#")));
        let (kind, ty) = match inside_option(&field.ty) {
            _ if notes.flatten => (Kind::Flatten, field.ty.clone()),
            _ if notes.extra => (Kind::Extra, field.ty.clone()),
            _ if notes.vendor => (Kind::Vendor, field.ty.clone()),
            Some(inner) => (Kind::Optional, inner.clone()),
            None => (Kind::Required, field.ty.clone()),
        };
        let requirement = optional(notes.requirement.as_ref());
        Ok(Self { ident, name, kind, ty, doc: notes.doc, requirement })
    }

    /// Adds the field to an `ObjectShape` called `object`.
    pub(crate) fn describe(&self) -> TokenStream {
        let Self { name, ty, doc, .. } = self;
        let required = matches!(self.kind, Kind::Required);
        match self.kind {
            Kind::Flatten => quote!(<#ty as crate::wire::Members>::describe(book, object);),
            Kind::Extra => quote!(),
            Kind::Vendor => quote!(object.closed = true;),
            Kind::Required | Kind::Optional => quote! {
                let shape = <#ty as crate::wire::Wire>::shape(book);
                object.members.push(crate::wire::MemberShape { name: #name, doc: #doc, required: #required, shape });
            },
        }
    }

    /// Adds the names to a list called `names`.
    pub(crate) fn names(&self) -> TokenStream {
        let Self { name, ty, .. } = self;
        match self.kind {
            Kind::Flatten => quote!(<#ty as crate::wire::Members>::names(names);),
            Kind::Extra | Kind::Vendor => quote!(),
            Kind::Required | Kind::Optional => quote!(names.push(#name);),
        }
    }

    /// Binds a variable of the field's name to the decoded member, in an `Option`.
    pub(crate) fn take(&self) -> TokenStream {
        let Self { ident, name, ty, requirement, .. } = self;
        match self.kind {
            Kind::Required => {
                quote!(let #ident = object.required::<#ty>(#name, #requirement, decoder);)
            }
            Kind::Optional => {
                quote!(let #ident = object.optional::<#ty>(#name, #requirement, decoder);)
            }
            Kind::Flatten => quote!(let #ident = <#ty as crate::wire::Members>::take(object, decoder);),
            Kind::Extra => quote!(let #ident = object.rest::<Self>(decoder);),
            Kind::Vendor => quote!(let #ident = object.vendor_members::<Self>(decoder);),
        }
    }

    /// Writes the field, found behind the reference `value`, into a map called `map`.
    pub(crate) fn put(&self, value: &TokenStream) -> TokenStream {
        let name = &self.name;
        match self.kind {
            Kind::Required => quote!(map.serialize_entry(#name, #value)?;),
            Kind::Optional => quote! {
                if let ::core::option::Option::Some(value) = #value { map.serialize_entry(#name, value)?; }
            },
            Kind::Flatten => quote!(crate::wire::Members::put(#value, map)?;),
            Kind::Extra | Kind::Vendor => {
                quote!(for (name, value) in #value { map.serialize_entry(name, value)?; })
            }
        }
    }
}

/// Decoding of all fields: own members first, then those of flattened types, then whatever is left.
pub(crate) fn take_all(fields: &[WireField]) -> TokenStream {
    let rank = |field: &&WireField| match field.kind {
        Kind::Required | Kind::Optional => 0,
        Kind::Flatten => 1,
        Kind::Extra | Kind::Vendor => 2,
    };
    let mut ordered: Vec<&WireField> = fields.iter().collect();
    ordered.sort_by_key(rank);
    ordered.into_iter().map(WireField::take).collect()
}

fn inside_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

/// `action_id` -> `actionId`.
fn camel_case(snake: &str) -> String {
    let mut words = snake.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let head: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        name + &head + letters.as_str()
    })
}
