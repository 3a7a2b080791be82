//! Structs with named fields: objects.

use crate::attributes::Container;
use crate::fields::{WireField, take_all};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Fields};

pub(crate) fn expand(
    input: &DeriveInput,
    container: &Container,
    fields: &Fields,
) -> syn::Result<TokenStream> {
    let Fields::Named(named) = fields else {
        return Err(syn::Error::new_spanned(
            input,
            "only structs with named fields have a derived wire form",
        ));
    };
    let fields = named.named.iter().map(WireField::read).collect::<syn::Result<Vec<_>>>()?;
    let describe = fields.iter().map(WireField::describe);
    let names = fields.iter().map(WireField::names);
    let take = take_all(&fields);
    let idents: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let put = fields.iter().map(|field| {
        let ident = &field.ident;
        field.put(&quote!(&self.#ident))
    });
    let ident = &input.ident;
    let members = quote! {
        impl crate::wire::Members for #ident {
            fn describe(book: &mut crate::wire::Book, object: &mut crate::wire::ObjectShape) {
                #(#describe)*
            }

            fn names(names: &mut ::std::vec::Vec<&'static str>) {
                #(#names)*
            }

            fn take<'t>(
                object: &mut crate::wire::Object<'t>,
                decoder: &mut crate::wire::Decoder<'t>,
            ) -> ::core::option::Option<Self> {
                #take
                ::core::option::Option::Some(Self { #(#idents: #idents?),* })
            }

            fn put<M: crate::wire::derived::SerializeMap>(
                &self,
                map: &mut M,
            ) -> ::core::result::Result<(), M::Error> {
                #(#put)*
                ::core::result::Result::Ok(())
            }
        }
    };
    let wire = wire_from_members(input, container);
    Ok(quote!(#members #wire))
}

/// `Wire` and `Serialize` of a type that has `Members`.
pub(crate) fn wire_from_members(input: &DeriveInput, container: &Container) -> TokenStream {
    let ident = &input.ident;
    let name = container.name(ident);
    let doc = &container.doc;
    let requirement = container.requirement();
    let check = container
        .check
        .as_ref()
        .map(|check| quote!(decoder.under(#requirement, |decoder| #check(&value, decoder));));
    quote! {
        impl crate::wire::Wire for #ident {
            fn shape(book: &mut crate::wire::Book) -> crate::wire::Shape {
                book.enter::<Self>(#name, #doc, |book| {
                    let mut object = crate::wire::ObjectShape::default();
                    <Self as crate::wire::Members>::describe(book, &mut object);
                    crate::wire::Shape::Object(object)
                })
            }

            fn decode<'t>(
                node: &'t crate::text::Node<'t>,
                decoder: &mut crate::wire::Decoder<'t>,
            ) -> ::core::option::Option<Self> {
                let value: Self = crate::wire::decode_object(node, decoder, #requirement)?;
                #check
                ::core::option::Option::Some(value)
            }
        }

        impl crate::wire::derived::Serialize for #ident {
            fn serialize<S: crate::wire::derived::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                use crate::wire::derived::SerializeMap;
                let mut map = serializer.serialize_map(::core::option::Option::None)?;
                crate::wire::Members::put(self, &mut map)?;
                map.end()
            }
        }
    }
}
