//! Where a run lives: its namespaces, its links, its processes.

pub mod children;
pub mod error;
pub mod inner;
pub mod links;
pub mod namespace;
pub mod outer;
pub mod sys;
