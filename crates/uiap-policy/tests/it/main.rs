//! Everything that `uiap-policy` promises, held against its public interface. One binary: it is linked once.

mod policy;
