//! The protocol stacks, one table (explained in docs/reference/stacks.md).
//!
//! Everything that may differ between two stacks under comparison is a field of [`Stack`]; whatever is not named here is the same for all.
//! A further stack takes one line in [`STACKS`].
//!
//! Pacing and congestion control mean the same in both transports: QUIC's are written as Linux behaves (`congestion`). With Cubic the rate is Linux's for TCP: twice the window a round trip in slow start, 1.2
//! times after it. For TCP the kernel does it and lets the first ten packets of a connection go at once; for QUIC the controller names
//! that rate (`congestion::pacing`), and the library's pacer lets up to 10 ms of it go at once, at most ten packets.

use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// What carries HTTP: TCP with TLS 1.3, or QUIC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    Tcp,
    Quic,
}

/// The version of HTTP that a stack uses, or changes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Http {
    #[serde(rename = "1.1")]
    Http1,
    #[serde(rename = "2")]
    Http2,
    #[serde(rename = "3")]
    Http3,
}

impl Http {
    /// Its name in TLS (RFC 7301).
    #[must_use]
    pub fn alpn(self) -> &'static str {
        match self {
            Self::Http1 => "http/1.1",
            Self::Http2 => "h2",
            Self::Http3 => "h3",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CongestionControl {
    Cubic,
    Bbr,
}

impl CongestionControl {
    /// As TCP_CONGESTION takes it.
    #[must_use]
    pub fn kernel_name(self) -> &'static str {
        match self {
            Self::Cubic => "cubic",
            Self::Bbr => "bbr",
        }
    }
}

/// Socket buffers of the server. QUIC keeps its send buffer in user space and has no such setting (`null`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Buffers {
    /// The kernel's defaults.
    Stock,
    /// Large enough that no buffer ever limits the congestion window; see [`TUNED_TCP_BUFFER_BYTES`].
    Tuned,
}

/// What a stack sets for one transport. A stack that discovers QUIC has two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Side {
    pub http: Http,
    pub initial_window_packets: u32,
    pub congestion_control: CongestionControl,
    pub pacing: bool,
    pub slow_start_after_idle: Option<bool>,
    pub buffers: Option<Buffers>,
    #[serde(skip_serializing_if = "is_one")]
    pub emulated_connections: u32,
}

impl Side {
    /// The congestion control as a server tells of it: `cubic`, or `cubic of 2 connections`.
    #[must_use]
    pub fn control_name(&self) -> String {
        name_of_control(self.congestion_control, self.emulated_connections)
    }
}

/// The same by its parts.
#[must_use]
pub fn name_of_control(control: CongestionControl, emulated_connections: u32) -> String {
    match emulated_connections {
        1 => control.kernel_name().to_owned(),
        several => format!("{} of {several} connections", control.kernel_name()),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_one(connections: &u32) -> bool {
    *connections == 1
}

/// The definition of one stack. Its digest is over the serialized definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stack {
    pub name: &'static str,
    pub transport: Transport,
    pub http: Http,
    /// Full-size packets in the first flight.
    pub initial_window_packets: u32,
    pub congestion_control: CongestionControl,
    pub pacing: bool,
    /// `None` where the transport has no such switch.
    pub slow_start_after_idle: Option<bool>,
    pub buffers: Option<Buffers>,
    /// TLS sessions are resumed, with data before the handshake is over (0-RTT).
    pub early_data: bool,
    /// QUIC is not known beforehand: the servers listen on TCP as well, and responses over it announce QUIC (RFC 7838).
    pub alt_svc: bool,
    /// Over QUIC, clients have to prove their address before anything else (Retry, RFC 9000, section 8.1.2), which takes a round trip.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub retry: bool,
    /// What the servers of a stack with `alt_svc` set for TCP. Left out: HTTP/2, and the other settings of the stack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tcp_side: Option<Side>,
    /// TLS sessions are resumed, without data before the handshake is over.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tickets: bool,
    /// The number of connections that QUIC's Cubic emulates: Google's emulates two.
    #[serde(skip_serializing_if = "is_one")]
    pub emulated_connections: u32,
    /// The round trip that QUIC's servers assume before they have measured one. A lost first flight is sent again after
    /// three.
    #[serde(skip_serializing_if = "is_standard_initial_rtt")]
    pub initial_rtt_ms: u32,
}

/// RFC 9002, section 6.2.2.
pub const STANDARD_INITIAL_RTT_MS: u32 = 333;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_standard_initial_rtt(milliseconds: &u32) -> bool {
    *milliseconds == STANDARD_INITIAL_RTT_MS
}

/// Whether a client may resume an earlier TLS session (RFC 8446, section 2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resumption {
    Never,
    Sessions,
    /// With data before the handshake is over (0-RTT).
    EarlyData,
}

use Buffers::{Stock, Tuned};
use CongestionControl::{Bbr, Cubic};
use Http::{Http1, Http2, Http3};
use Transport::{Quic, Tcp};

/// The defaults of an operating system, with HTTP/2: the TCP side of the stack TCP.
const STOCK_TCP: Side = Side {
    http: Http2,
    initial_window_packets: 10,
    congestion_control: Cubic,
    pacing: false,
    slow_start_after_idle: Some(true),
    buffers: Some(Stock),
    emulated_connections: 1,
};

#[rustfmt::skip]
pub const STACKS: &[Stack] = &[
    Stack { name: "TCP",         transport: Tcp,  http: Http2, initial_window_packets: 10, congestion_control: Cubic, pacing: false, slow_start_after_idle: Some(true),  buffers: Some(Stock), early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: false, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "TCP+",        transport: Tcp,  http: Http2, initial_window_packets: 32, congestion_control: Cubic, pacing: true,  slow_start_after_idle: Some(false), buffers: Some(Tuned), early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: false, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "TCP+BBR",     transport: Tcp,  http: Http2, initial_window_packets: 32, congestion_control: Bbr,   pacing: true,  slow_start_after_idle: Some(false), buffers: Some(Tuned), early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: false, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "QUIC",        transport: Quic, http: Http3, initial_window_packets: 32, congestion_control: Cubic, pacing: true,  slow_start_after_idle: None,        buffers: None,        early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: false, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "QUIC+BBR",    transport: Quic, http: Http3, initial_window_packets: 32, congestion_control: Bbr,   pacing: true,  slow_start_after_idle: None,        buffers: None,        early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: false, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "TCP+H1",      transport: Tcp,  http: Http1, initial_window_packets: 32, congestion_control: Cubic, pacing: true,  slow_start_after_idle: Some(false), buffers: Some(Tuned), early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: false, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "QUIC+ALTSVC", transport: Quic, http: Http3, initial_window_packets: 32, congestion_control: Cubic, pacing: true,  slow_start_after_idle: Some(false), buffers: Some(Tuned), early_data: false, alt_svc: true,  retry: false, tcp_side: None, tickets: false, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "TCP-H1-STOCK", transport: Tcp, http: Http1, initial_window_packets: 10, congestion_control: Cubic, pacing: false, slow_start_after_idle: Some(true), buffers: Some(Stock), early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: false, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "QUIC+ALTSVC-STOCK", transport: Quic, http: Http3, initial_window_packets: 32, congestion_control: Cubic, pacing: true, slow_start_after_idle: None, buffers: None,  early_data: false, alt_svc: true,  retry: false, tcp_side: Some(STOCK_TCP), tickets: false, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "TCP+TICKETS",  transport: Tcp,  http: Http2, initial_window_packets: 32, congestion_control: Cubic, pacing: true, slow_start_after_idle: Some(false), buffers: Some(Tuned), early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: true, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "QUIC+TICKETS", transport: Quic, http: Http3, initial_window_packets: 32, congestion_control: Cubic, pacing: true, slow_start_after_idle: None, buffers: None, early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: true, emulated_connections: 1, initial_rtt_ms: 333 },
    Stack { name: "QUIC-2C", transport: Quic, http: Http3, initial_window_packets: 32, congestion_control: Cubic, pacing: true, slow_start_after_idle: None, buffers: None, early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: false, emulated_connections: 2, initial_rtt_ms: 333 },
    Stack { name: "QUIC-RTT100", transport: Quic, http: Http3, initial_window_packets: 32, congestion_control: Cubic, pacing: true, slow_start_after_idle: None, buffers: None, early_data: false, alt_svc: false, retry: false, tcp_side: None, tickets: false, emulated_connections: 1, initial_rtt_ms: 100 },
];

/// Minimum, initial and largest socket buffer of tuned stacks. The largest bandwidth-delay product of the emulated networks
/// with a full queue is below 1 MiB, so even the initial size never limits; 16 MiB leaves room for faster networks.
pub const TUNED_TCP_BUFFER_BYTES: [u32; 3] = [4096, 1_048_576, 16_777_216];

/// Which stack is carried out for the one that is named.
pub type Carry = fn(&'static Stack) -> &'static Stack;

/// The error for an unknown stack.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown stack \"{name}\"; the stacks are {}", names().join(", "))]
pub struct UnknownStack {
    pub name: String,
}

#[must_use]
pub fn names() -> Vec<&'static str> {
    STACKS.iter().map(|stack| stack.name).collect()
}

/// # Errors
/// [`UnknownStack`] names the known ones.
pub fn find(name: &str) -> Result<&'static Stack, UnknownStack> {
    STACKS.iter().find(|stack| stack.name == name).ok_or_else(|| UnknownStack { name: name.to_owned() })
}

impl Stack {
    /// What the servers set for a transport; `None` where they do not listen on it.
    #[must_use]
    pub fn side(&self, transport: Transport) -> Option<Side> {
        let main_side = Side {
            http: self.http,
            initial_window_packets: self.initial_window_packets,
            congestion_control: self.congestion_control,
            pacing: self.pacing,
            slow_start_after_idle: self.slow_start_after_idle,
            buffers: self.buffers,
            emulated_connections: self.emulated_connections,
        };
        if transport == self.transport {
            Some(main_side)
        } else if transport == Tcp && self.alt_svc {
            Some(self.tcp_side.unwrap_or(Side { http: Http2, ..main_side }))
        } else {
            None
        }
    }

    #[must_use]
    pub fn resumption(&self) -> Resumption {
        match (self.early_data, self.tickets) {
            (true, _) => Resumption::EarlyData,
            (false, true) => Resumption::Sessions,
            (false, false) => Resumption::Never,
        }
    }

    /// Kernel settings of the server's network namespace, as (name below `/proc/sys` with dots, value).
    #[must_use]
    pub fn sysctls(&self) -> Vec<(&'static str, String)> {
        let mut settings = vec![
            // No run may pass its slow-start threshold or round-trip time on to the next one.
            ("net.ipv4.tcp_no_metrics_save", "1".to_owned()),
        ];
        let Some(tcp) = self.side(Tcp) else { return settings };
        if let Some(slow_start) = tcp.slow_start_after_idle {
            settings.push(("net.ipv4.tcp_slow_start_after_idle", u8::from(slow_start).to_string()));
        }
        if tcp.buffers == Some(Tuned) {
            let sizes = TUNED_TCP_BUFFER_BYTES.map(|size| size.to_string()).join(" ");
            settings.push(("net.ipv4.tcp_wmem", sizes.clone()));
            settings.push(("net.ipv4.tcp_rmem", sizes));
        }
        settings
    }

    /// Options of the server's route towards the client, as (name, value) for `ip route`.
    #[must_use]
    pub fn route_options(&self) -> Vec<(&'static str, String)> {
        self.side(Tcp).map(|tcp| ("initcwnd", tcp.initial_window_packets.to_string())).into_iter().collect()
    }

    /// SHA-256 (hex) over the definition as compact JSON in the order of the fields.
    #[must_use]
    pub fn digest(&self) -> String {
        let json = serde_json::to_vec(self).expect("a plain struct of plain values always serializes");
        HEXLOWER.encode(&Sha256::digest(json))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stock_tcp_side_is_the_tcp_of_the_stack_tcp() {
        let [plain, discovered] = ["TCP", "QUIC+ALTSVC-STOCK"].map(|name| find(name).expect("known"));
        assert_eq!(discovered.side(Tcp), plain.side(Tcp));
        assert_eq!(discovered.side(Quic), find("QUIC").expect("known").side(Quic));
        let of_the_kernel = |stack: &Stack| (stack.sysctls(), stack.route_options());
        assert_eq!(of_the_kernel(discovered), of_the_kernel(plain));
    }

    #[test]
    fn a_tcp_side_that_is_not_defined_has_http_2_and_the_settings_of_the_stack() {
        let [tuned, discovered, quic] = ["TCP+", "QUIC+ALTSVC", "QUIC"].map(|name| find(name).expect("known"));
        assert_eq!(discovered.side(Tcp), tuned.side(Tcp));
        assert_eq!((quic.side(Tcp), tuned.side(Quic)), (None, None));
        assert_eq!(quic.route_options(), []);
    }
}
