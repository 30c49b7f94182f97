//! The emulated networks.
