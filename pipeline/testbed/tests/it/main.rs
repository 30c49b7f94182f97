//! The testbed's tests against real kernels, sockets and clocks, in one program.
//!
//! Tests that time something take a turn (`support::turn`), so that they run one at a time. Tests in namespaces that compute little
//! and time nothing share theirs; `make test` runs four of them at once. Tests of statistics, and those that repeat something for
//! confidence, are `#[ignore = "soak: ..."]`: `cargo test ... -- --ignored` runs them.

mod architecture;
mod calibrate;
mod cleanup;
mod client;
mod command;
mod congestion;
mod first_flight;
mod link;
mod order;
mod recordings;
mod serve_command;
mod serving;
mod stacks_page;
mod support;
mod windows;
mod wire;
