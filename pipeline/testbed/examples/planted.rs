//! The testbed with a planted fault: EYELEVEL_TEST_FAULT names a deviation from the stack's definition. The tests run
//! it to check that every fault is detected on the wire. It is not installed.

use std::process::ExitCode;

use eyelevel_definitions::stacks::{Buffers, CongestionControl, Http, Stack, Transport};
use eyelevel_testbed::cli;
use eyelevel_testbed::sandbox::sys::{Urgency, run_at_once};

fn main() -> ExitCode {
    cli::main(planted)
}

fn planted(stack: &'static Stack) -> &'static Stack {
    let fault = std::env::var("EYELEVEL_TEST_FAULT").unwrap_or_default();
    let mut other = stack.clone();
    match fault.as_str() {
        "" => {}
        "window of 10" => other.initial_window_packets = 10,
        "window of 64" => other.initial_window_packets = 64,
        "no pacing" => other.pacing = false,
        "bbr" => other.congestion_control = CongestionControl::Bbr,
        "cubic" => (other.congestion_control, other.emulated_connections) = (CongestionControl::Cubic, 1),
        "cubic without pacing" => (other.congestion_control, other.pacing) = (CongestionControl::Cubic, false),
        "slow start after idle" => other.slow_start_after_idle = Some(true),
        "stock buffers" => other.buffers = Some(Buffers::Stock),
        "early data" => other.early_data = true,
        "tickets" => other.tickets = true,
        "retry" => other.retry = true,
        "tuned tcp side" => other.tcp_side = None,
        "no alt-svc" => (other.transport, other.http, other.alt_svc) = (Transport::Tcp, Http::Http2, false),
        "spinning" => {
            run_at_once(Urgency::Server).expect("real-time priority");
            loop {
                std::hint::spin_loop();
            }
        }
        "h2" => (other.transport, other.http) = (Transport::Tcp, Http::Http2),
        unknown => panic!("no such fault: {unknown}"),
    }
    Box::leak(Box::new(other))
}
