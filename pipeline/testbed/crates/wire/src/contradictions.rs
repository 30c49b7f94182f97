//! Contradictions between measurements and the stack's definition. One sentence each; an unknown value contradicts
//! nothing.
//!
//! The bounds leave room for all that a page, a loss or a busy machine may do, for a run must not be void because its stack was slow:
//! settings in force are compared exactly, and packets only in the direction in which no delay can mislead. A late machine makes a
//! flight smaller and slower, never larger or quicker.

use std::fmt::Display;

use super::flows::Flow;
use super::server::{Connection, InForce, Kernel, ServerPart};
use eyelevel_definitions::stacks::{Buffers, Http, Resumption, Side, Stack, TUNED_TCP_BUFFER_BYTES, Transport};

/// In its first flight a paced stack may send ten packets at once, and sends the others at no more than 2.9 windows a round trip (BBR in
/// start-up), whose gaps Linux shrinks to no less than half. So 20 of 32 full packets take at least 0.05 round trips. Flights are judged
/// by their bytes: pacing counts them, and so does QUIC's window, which lets more packets go where they are small.
const JUDGED_PACKETS: u64 = 20;
const LEAST_SPREAD: f64 = 0.05;
/// A packet or two that belong to no response.
const ODD_PACKETS: u64 = 2;
/// Of packets of 1500 IP bytes; TCP's with timestamps.
const TCP_PAYLOAD_BYTES: u64 = 1448;
const UDP_PAYLOAD_BYTES: u64 = 1472;

/// The properties of a run, without its stack.
pub struct Evidence<'a> {
    pub flows: &'a [Flow],
    /// `None` where the servers left nothing.
    pub server: Option<&'a ServerPart>,
    /// The kernel's defaults: settings of an untouched namespace.
    pub untouched: &'a Kernel,
    /// The least round trip of the link; `None` where it has no delay of its own.
    pub rtt_ms: Option<f64>,
}

#[must_use]
pub fn contradictions(stack: &Stack, evidence: &Evidence<'_>) -> Vec<String> {
    let mut sentences = Sentences { stack: stack.name, sentences: vec![] };
    transports(stack, evidence.flows, &mut sentences);
    for flow in evidence.flows.iter().filter(|flow| flow.carried_data()) {
        let Some((transport, side)) = side_of(stack, flow) else { continue };
        handshake(stack, flow, &mut sentences);
        first_flight(transport, &side, flow, evidence.rtt_ms, &mut sentences);
    }
    if let Some(server) = evidence.server {
        for connection in &server.connections {
            of_connection(stack, connection, &mut sentences);
        }
        kernel(stack, &server.kernel, evidence.untouched, &mut sentences);
    }
    sentences.sentences
}

struct Sentences {
    stack: &'static str,
    sentences: Vec<String>,
}

impl Sentences {
    fn say(&mut self, defined: impl Display, seen: impl Display) {
        self.sentences.push(format!("stack {} {defined}, but {seen}", self.stack));
    }
}

fn name(transport: Transport) -> &'static str {
    match transport {
        Transport::Tcp => "tcp",
        Transport::Quic => "quic",
    }
}

/// The transport that carried a flow, and what the stack sets for it; `None` where the stack is not carried by it.
fn side_of(stack: &Stack, flow: &Flow) -> Option<(Transport, Side)> {
    let transport =
        [Transport::Tcp, Transport::Quic].into_iter().find(|transport| flow.transport == name(*transport))?;
    Some((transport, stack.side(transport)?))
}

fn transports(stack: &Stack, flows: &[Flow], sentences: &mut Sentences) {
    let wanted = name(stack.transport);
    let others: Vec<&Flow> =
        flows.iter().filter(|flow| flow.carried_data() && side_of(stack, flow).is_none()).collect();
    if let Some(first) = others.first() {
        let packets: u64 = others.iter().map(|flow| flow.down.data_packets + flow.up.data_packets).sum();
        let seen = format!(
            "{packets} packets with data went over {}, first between {} and {}",
            first.transport, first.client, first.server
        );
        sentences.say(format_args!("is carried by {wanted}"), seen);
    }
}

fn handshake(stack: &Stack, flow: &Flow, sentences: &mut Sentences) {
    let wanted = if flow.transport == name(Transport::Tcp) { 2 } else { 1 + u32::from(stack.retry) };
    // It may or may not come to it, and both is right.
    if stack.early_data {
        return;
    }
    if flow.early_data_packets > 0 {
        sentences.say(
            "sends no early data",
            format_args!("{} packets from {} held some", flow.early_data_packets, flow.client),
        );
    }
    if let Some(bytes) = flow.syn_data_bytes.filter(|bytes| *bytes > 0) {
        sentences.say("opens without TCP Fast Open", format_args!("the SYN from {} held {bytes} bytes", flow.client));
    }
    if flow.resumed == Some(true) && !stack.tickets {
        sentences.say("resumes no session", format_args!("the connection from {} was resumed", flow.client));
    }
    if let Some(seen) = flow.handshake_round_trips.filter(|seen| *seen != wanted) {
        let seen = format!("the connection from {} took {seen}", flow.client);
        sentences.say(format_args!("takes {wanted} round trip(s) before the request"), seen);
    }
}

fn first_flight(transport: Transport, side: &Side, flow: &Flow, rtt_ms: Option<f64>, sentences: &mut Sentences) {
    let (Some(flight), Some(rtt_ms)) = (&flow.first_flight, rtt_ms) else { return };
    let full_bytes = match transport {
        Transport::Tcp => TCP_PAYLOAD_BYTES,
        Transport::Quic => UDP_PAYLOAD_BYTES,
    };
    let window = u64::from(side.initial_window_packets);
    // Slow start may have grown the window by each packet of the handshake.
    let most_bytes = (window + flow.handshake_packets + ODD_PACKETS) * full_bytes;
    if flight.bytes > most_bytes {
        let seen = format!("the first flight to {} has {} bytes, above {most_bytes}", flow.client, flight.bytes);
        sentences.say(format_args!("starts with a window of {window} packets"), seen);
    }
    let least_ms = LEAST_SPREAD * rtt_ms;
    if side.pacing && flight.bytes >= JUDGED_PACKETS * full_bytes && flight.spread_ms < least_ms {
        let seen = format!(
            "{} bytes of the first flight to {} left within {} ms, which takes at least {least_ms:.1} ms",
            flight.bytes, flow.client, flight.spread_ms
        );
        sentences.say("is paced", seen);
    }
}

fn of_connection(stack: &Stack, connection: &Connection, sentences: &mut Sentences) {
    let to = connection.peer.as_deref().unwrap_or("a client");
    // A browser drops connections that it opened ahead of need. One without ALPN never completed its handshake, and only TCP has
    // anything in force before that.
    let speaks = |side: &Side| connection.alpn.as_deref().is_none_or(|alpn| alpn == side.http.alpn());
    let announcing = stack.side(Transport::Tcp).filter(|side| stack.alt_svc && speaks(side));
    let Some(side) = announcing.or(stack.side(stack.transport)) else { return };
    let alpn = side.http.alpn();
    differs(sentences, "speaks", &alpn, connection.alpn.as_deref(), to);
    if connection.resumed == Some(true) && stack.resumption() == Resumption::Never {
        sentences.say("resumes no session", format_args!("the server resumed one for {to}"));
    }
    if announcing.is_some() && connection.requests > 0 && connection.alt_svc_answers == Some(0) {
        sentences
            .say("announces QUIC over TCP", format_args!("none of the {} answer(s) to {to} did", connection.requests));
    }
    if connection.hello_retried == Some(true) {
        sentences.say("takes the first ClientHello", format_args!("the server asked {to} for another"));
    }
    let Some(in_force) = &connection.at_open else { return };
    let control = side.control_name();
    differs(sentences, "has the congestion control", &control, in_force.congestion_control.clone(), to);
    let window = side.initial_window_packets;
    differs(sentences, "has the initial window", &window, in_force.initial_window_packets, to);
    match (side.pacing, in_force.pacing) {
        (true, Some(false)) => sentences.say("is paced", format_args!("nothing paced the connection to {to}")),
        (false, Some(true)) => sentences.say("is not paced", format_args!("the connection to {to} was")),
        _ => {}
    }
    if side.buffers == Some(Buffers::Tuned) && alpn != Http::Http3.alpn() {
        send_buffer(in_force, to, sentences);
    }
}

fn differs<T: Display + PartialEq>(sentences: &mut Sentences, what: &str, wanted: &T, seen: Option<T>, to: &str) {
    if let Some(seen) = seen.filter(|seen| seen != wanted) {
        sentences.say(format_args!("{what} {wanted}"), format_args!("the connection to {to} had {seen}"));
    }
}

/// Compares a configured size with the initial one, which the kernel only ever raises.
fn send_buffer(in_force: &InForce, to: &str, sentences: &mut Sentences) {
    let least = u64::from(TUNED_TCP_BUFFER_BYTES[1]);
    if let Some(bytes) = in_force.send_buffer_bytes.filter(|bytes| *bytes < least) {
        let seen = format!("the connection to {to} had {bytes} bytes");
        sentences.say(format_args!("has send buffers of at least {least} bytes"), seen);
    }
}

fn kernel(stack: &Stack, kernel: &Kernel, untouched: &Kernel, sentences: &mut Sentences) {
    let Some(tcp) = stack.side(Transport::Tcp) else { return };
    match (tcp.slow_start_after_idle, kernel.slow_start_after_idle) {
        (Some(false), Some(true)) => {
            sentences.say("keeps its window when idle", "the servers' kernel starts slowly after it")
        }
        (Some(true), Some(false)) => sentences.say("starts slowly after idle", "the servers' kernel keeps the window"),
        _ => {}
    }
    let tuned = Some(TUNED_TCP_BUFFER_BYTES.map(u64::from));
    let (wanted_wmem, wanted_rmem) = match tcp.buffers {
        Some(Buffers::Tuned) => (tuned, tuned),
        Some(Buffers::Stock) => (untouched.tcp_wmem_bytes, untouched.tcp_rmem_bytes),
        None => return,
    };
    sizes(sentences, "tcp_wmem", wanted_wmem, kernel.tcp_wmem_bytes);
    sizes(sentences, "tcp_rmem", wanted_rmem, kernel.tcp_rmem_bytes);
}

fn sizes(sentences: &mut Sentences, what: &str, wanted: Option<[u64; 3]>, seen: Option<[u64; 3]>) {
    if let (Some(wanted), Some(seen)) = (wanted, seen)
        && wanted != seen
    {
        sentences.say(
            format_args!("has {what} {}", words(&wanted)),
            format_args!("the servers' kernel has {}", words(&seen)),
        );
    }
}

fn words(sizes: &[u64; 3]) -> String {
    sizes.map(|size| size.to_string()).join(" ")
}

#[cfg(test)]
mod tests;
