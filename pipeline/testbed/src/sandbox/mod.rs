//! The namespaces, links and processes of a run.

pub mod children;
pub mod error;
pub mod inner;
pub mod links;
pub mod namespace;
pub mod outer;
pub mod signals;
pub mod sys;
