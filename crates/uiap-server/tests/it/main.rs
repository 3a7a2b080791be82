//! Everything that `uiap-server` promises, held against its public interface. One binary: it is linked once.

mod doors;
mod sessions;
