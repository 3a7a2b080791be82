//! Everything that `uiap-authoring` promises, held against its public interface. One binary: it is linked once.

mod breaking;
mod builds;
mod dice;
mod lint;
mod packages;
mod policies;
mod proof;
mod rebuilding;
mod reference;
mod reproducible;
