//! Enums of plain words: vocabularies, closed or open for `x.` words of vendors.

use crate::attributes::{Container, VariantNotes};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput};

pub(crate) fn expand(
    input: &DeriveInput,
    container: &Container,
    data: &DataEnum,
) -> syn::Result<TokenStream> {
    let mut idents = Vec::new();
    let mut words = Vec::new();
    let mut vendor = None;
    for variant in &data.variants {
        let notes = VariantNotes::read(&variant.attrs)?;
        if notes.vendor {
            vendor = Some(variant.ident.clone());
            continue;
        }
        if !variant.fields.is_empty() {
            return Err(syn::Error::new_spanned(variant, "a word has no fields; use `tag` for a union"));
        }
        words
            .push(notes.word.unwrap_or_else(|| spell(&variant.ident.to_string(), container.case.as_deref())));
        idents.push(variant.ident.clone());
    }
    let ident = &input.ident;
    let name = container.name(ident);
    let doc = &container.doc;
    let requirement = container.requirement();
    let open = vendor.is_some();
    let vendor_word = vendor.iter().map(|vendor| quote!(Self::#vendor(name) => name.as_str(),));
    let vendor_lookup = match &vendor {
        Some(vendor) => quote!(word => crate::ids::VendorName::new(word).ok().map(Self::#vendor),),
        None => quote!(_ => ::core::option::Option::None,),
    };
    Ok(quote! {
        impl #ident {
            /// Every word of the vocabulary, vendor words aside.
            pub const WORDS: &'static [&'static str] = &[#(#words),*];

            /// The word.
            pub fn as_str(&self) -> &str {
                match self { #(Self::#idents => #words,)* #(#vendor_word)* }
            }

            /// Looks a word up.
            pub fn from_word(word: &str) -> ::core::option::Option<Self> {
                match word { #(#words => ::core::option::Option::Some(Self::#idents),)* #vendor_lookup }
            }
        }

        impl ::core::fmt::Display for #ident {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl crate::wire::Wire for #ident {
            fn shape(book: &mut crate::wire::Book) -> crate::wire::Shape {
                book.enter::<Self>(#name, #doc, |_| crate::wire::Shape::Words { words: Self::WORDS, vendor: #open })
            }

            fn decode<'t>(
                node: &'t crate::text::Node<'t>,
                decoder: &mut crate::wire::Decoder<'t>,
            ) -> ::core::option::Option<Self> {
                decoder.under(#requirement, |decoder| {
                    crate::wire::decode_words(node, decoder, Self::WORDS, Self::from_word)
                })
            }
        }

        impl crate::wire::derived::Serialize for #ident {
            fn serialize<S: crate::wire::derived::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    })
}

/// `AwaitingConfirmation` in the spelling of its vocabulary.
pub(crate) fn spell(variant: &str, case: Option<&str>) -> String {
    match case {
        Some("PascalCase") => variant.to_owned(),
        Some("camelCase") => {
            let mut letters = variant.chars();
            letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
        }
        Some("kebab-case") => joined(variant, '-'),
        Some("SCREAMING") => joined(variant, '_').to_uppercase(),
        _ => joined(variant, '_'),
    }
}

fn joined(variant: &str, glue: char) -> String {
    let mut word = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push(glue);
        }
        word.extend(letter.to_lowercase());
    }
    word
}
