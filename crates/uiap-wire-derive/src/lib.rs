//! Decoding, encoding and shape of wire types, derived from their definition.
