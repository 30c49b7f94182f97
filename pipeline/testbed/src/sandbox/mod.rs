//! Namespaces and processes.
