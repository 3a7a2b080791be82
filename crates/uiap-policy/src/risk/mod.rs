//! How risky something is that nobody described.
