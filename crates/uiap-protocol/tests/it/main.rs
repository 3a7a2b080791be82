//! Everything that `uiap-protocol` promises, held against its public interface. One binary: it is linked once.

mod admission;
mod canonical;
mod documents;
mod hostile_text;
mod requirement_ids;
mod round_trip;
mod schema_agrees;
mod store;
mod vocabularies;
