//! Enums whose forms are told apart by the word in a tag member.

use crate::attributes::{Container, VariantNotes};
use crate::fields::{WireField, take_all};
use crate::structs::wire_from_members;
use crate::words::spell;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput, Fields, Ident, Variant};

struct Form {
    ident: Ident,
    word: String,
    doc: String,
    fields: Vec<WireField>,
}

impl Form {
    fn read(variant: &Variant, notes: VariantNotes, case: Option<&str>) -> syn::Result<Self> {
        let fields = match &variant.fields {
            Fields::Unit => Vec::new(),
            Fields::Named(named) => named.named.iter().map(WireField::read).collect::<syn::Result<_>>()?,
            Fields::Unnamed(_) => {
                return Err(syn::Error::new_spanned(variant, "a form has named members or none"));
            }
        };
        let word = notes.word.unwrap_or_else(|| spell(&variant.ident.to_string(), case));
        Ok(Self { ident: variant.ident.clone(), word, doc: notes.doc, fields })
    }

    fn describe(&self) -> TokenStream {
        let Self { word, doc, .. } = self;
        let describe = self.fields.iter().map(WireField::describe);
        quote! {{
            let mut form = crate::wire::ObjectShape::default();
            { let object = &mut form; #(#describe)* let _ = object; }
            crate::wire::Form { word: #word, doc: #doc, members: form.members }
        }}
    }

    /// Decodes this form and refuses the members that only other forms have.
    fn take(&self, all: &[Self]) -> TokenStream {
        let Self { ident, word, .. } = self;
        let own: Vec<_> = self.fields.iter().map(|field| &field.name).collect();
        let mut foreign: Vec<&String> = Vec::new();
        for name in all.iter().flat_map(|form| &form.fields).map(|field| &field.name) {
            if !own.contains(&name) && !foreign.contains(&name) {
                foreign.push(name);
            }
        }
        let what = format!("the form \"{word}\"");
        let take = take_all(&self.fields);
        let idents: Vec<_> = self.fields.iter().map(|field| &field.ident).collect();
        quote! {
            #word => {
                let clean = object.refuse(&[#(#foreign),*], #what, decoder);
                #take
                clean?;
                ::core::option::Option::Some(Self::#ident { #(#idents: #idents?),* })
            }
        }
    }

    fn put(&self, tag: &str) -> TokenStream {
        let Self { ident, word, .. } = self;
        let idents = self.fields.iter().map(|field| &field.ident);
        let put = self.fields.iter().map(|field| {
            let ident = &field.ident;
            field.put(&quote!(#ident))
        });
        quote!(Self::#ident { #(#idents),* } => { map.serialize_entry(#tag, #word)?; #(#put)* })
    }
}

pub(crate) fn expand(
    input: &DeriveInput,
    container: &Container,
    data: &DataEnum,
) -> syn::Result<TokenStream> {
    let tag = container.tag.clone().unwrap_or_default();
    let mut forms = Vec::new();
    let mut vendor = None;
    for variant in &data.variants {
        let notes = VariantNotes::read(&variant.attrs)?;
        if notes.vendor {
            vendor = Some(variant.ident.clone());
        } else {
            forms.push(Form::read(variant, notes, container.case.as_deref())?);
        }
    }
    let ident = &input.ident;
    let words: Vec<_> = forms.iter().map(|form| &form.word).collect();
    let idents: Vec<_> = forms.iter().map(|form| &form.ident).collect();
    let open = vendor.is_some();
    let requirement = container.requirement();
    let describe = forms.iter().map(Form::describe);
    let names = forms.iter().flat_map(|form| &form.fields).map(WireField::names);
    let take = forms.iter().map(|form| form.take(&forms));
    let put = forms.iter().map(|form| form.put(&tag));
    let vendor_word = vendor.iter().map(|vendor| quote!(Self::#vendor(form) => form.word.as_str(),));
    let vendor_put = vendor.iter().map(|vendor| {
        quote!(Self::#vendor(form) => {
            map.serialize_entry(#tag, &form.word)?;
            for (name, value) in &form.members { map.serialize_entry(name, value)?; }
        })
    });
    let otherwise = match &vendor {
        Some(vendor) => quote! {
            word => {
                let word = crate::ids::VendorName::new(word).ok()?;
                let members = object.remaining(decoder)?;
                ::core::option::Option::Some(Self::#vendor(crate::ids::VendorForm { word, members }))
            }
        },
        None => quote!(_ => ::core::option::Option::None,),
    };
    let wire = wire_from_members(input, container);
    Ok(quote! {
        impl #ident {
            /// The words that choose a form, vendor words aside.
            pub const WORDS: &'static [&'static str] = &[#(#words),*];

            /// The word that chooses this form.
            pub fn word(&self) -> &str {
                match self { #(Self::#idents { .. } => #words,)* #(#vendor_word)* }
            }
        }

        impl crate::wire::Members for #ident {
            fn describe(book: &mut crate::wire::Book, object: &mut crate::wire::ObjectShape) {
                let forms = ::std::vec![#(#describe),*];
                object.union = ::core::option::Option::Some(crate::wire::UnionShape { tag: #tag, forms, vendor: #open });
            }

            fn names(names: &mut ::std::vec::Vec<&'static str>) {
                names.push(#tag);
                #(#names)*
            }

            fn take<'t>(
                object: &mut crate::wire::Object<'t>,
                decoder: &mut crate::wire::Decoder<'t>,
            ) -> ::core::option::Option<Self> {
                decoder.under(#requirement, |decoder| {
                    match object.tag(#tag, Self::WORDS, #open, decoder)? { #(#take)* #otherwise }
                })
            }

            fn put<M: crate::wire::derived::SerializeMap>(
                &self,
                map: &mut M,
            ) -> ::core::result::Result<(), M::Error> {
                match self { #(#put)* #(#vendor_put)* }
                ::core::result::Result::Ok(())
            }
        }

        #wire
    })
}
