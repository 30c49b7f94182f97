//! Kernel settings of a network namespace, read from it.

use eyelevel_wire::server::Kernel;

/// The settings of the calling thread's network namespace.
#[must_use]
pub fn here() -> Kernel {
    Kernel::read(|name| std::fs::read_to_string(format!("/proc/sys/net/ipv4/{name}")).ok())
}
