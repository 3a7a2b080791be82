//! Everything that `uiap-discovery` promises, held against its public interface. One binary: it is linked once.

mod packages;
