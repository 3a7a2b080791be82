//! Everything that `uiap-runtime` promises, held against its public interface. One binary: it is linked once.

mod adjust;
mod bad_input;
mod cases;
mod changes;
mod consent;
mod consent_attacks;
mod gate;
mod journal;
mod judge;
mod kinds;
mod life;
mod planning;
mod resolve;
mod simulation;
mod support;
mod traces;
mod view_reaches_everything;
mod wait;
