//! The servers' part of the report, as far as it is compared with the stack's definition.

use serde::Serialize;

/// The transport's settings in force when a connection opened, as the kernel's socket or the library's controller
/// report them. Null where they do not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct InForce {
    pub congestion_control: Option<String>,
    /// Full-size packets; null where the handshake lost packets, after which it is another by right.
    pub initial_window_packets: Option<u32>,
    pub pacing: Option<bool>,
    pub send_buffer_bytes: Option<u64>,
    pub receive_buffer_bytes: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Connection {
    pub address: String,
    pub peer: Option<String>,
    pub alpn: Option<String>,
    pub tls: Option<String>,
    pub resumed: Option<bool>,
    pub hello_retried: Option<bool>,
    pub at_open: Option<InForce>,
    pub at_close: Option<Counts>,
    pub requests: u64,
    pub alt_svc_answers: Option<u64>,
}

/// Of a connection that has ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Of TCP.
    pub retransmitted_packets: Option<u64>,
    /// Of QUIC.
    pub lost_packets: Option<u64>,
}

/// Kernel settings of the server's network namespace, read there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Kernel {
    pub slow_start_after_idle: Option<bool>,
    /// Least, initial and largest.
    pub tcp_wmem_bytes: Option<[u64; 3]>,
    pub tcp_rmem_bytes: Option<[u64; 3]>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerPart {
    pub connections: Vec<Connection>,
    pub kernel: Kernel,
}

impl Kernel {
    /// `read` gives the text of a setting by its name below `/proc/sys/net/ipv4`.
    #[must_use]
    pub fn read(read: impl Fn(&str) -> Option<String>) -> Self {
        let sizes = |name: &str| {
            let sizes: Vec<u64> = read(name)?.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
            sizes.try_into().ok()
        };
        Self {
            slow_start_after_idle: read("tcp_slow_start_after_idle").map(|text| text.trim() != "0"),
            tcp_wmem_bytes: sizes("tcp_wmem"),
            tcp_rmem_bytes: sizes("tcp_rmem"),
        }
    }
}
