//! The emulated link between the two namespaces.
