//! The experiments: what goes over which path, and what is read off it.

use std::time::Duration;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::client::{self, Arrival};
use crate::link::{Link, LinkSpec};
use crate::path::{now_ns, Path};
use crate::server::{self, Identity, Request, Setup};
use crate::wire::{self, Bulk, Flight};

const MS_NS: f64 = 1e6;
/// No experiment may take longer.
const LIMIT: Duration = Duration::from_secs(180);
const FLIGHT_BYTES: u64 = 1_000_000;

/// Most urgent first is not the order of opening.
const URGENCIES: [u8; 6] = [5, 1, 4, 0, 3, 2];
const ORDER_BYTES: u64 = 100_000;
const LATE_BACKGROUND_BYTES: u64 = 1_000_000;
const LATE_BYTES: u64 = 50_000;
const LATE_AFTER: Duration = Duration::from_millis(250);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// 100 ms round trip, nothing else: for the first flight.
    Unlimited,
    Dsl,
    /// DSL that never drops, so that no retransmission blurs an order.
    DslDeep,
    Mss,
}

impl Network {
    pub const fn rtt_ms(self) -> u64 {
        match self {
            Self::Unlimited => 100,
            Self::Dsl | Self::DslDeep => 24,
            Self::Mss => 760,
        }
    }

    /// Downlink.
    pub const fn rate_bps(self) -> Option<u64> {
        match self {
            Self::Unlimited => None,
            Self::Dsl | Self::DslDeep => Some(25_000_000),
            Self::Mss => Some(1_890_000),
        }
    }

    fn links(self) -> (LinkSpec, LinkSpec) {
        // 6 % of round trips: each direction drops 1 - sqrt(1 - 0.06).
        let (up_bps, queue_ms, loss) = match self {
            Self::Unlimited => (None, 0, 0.0),
            Self::Dsl => (Some(5_000_000), 12, 0.0),
            Self::DslDeep => (Some(5_000_000), 2_000, 0.0),
            Self::Mss => (Some(1_890_000), 200, 1.0 - 0.94_f64.sqrt()),
        };
        let down = LinkSpec {
            rate_bps: self.rate_bps(),
            delay_ns: self.rtt_ms() * 1_000_000 / 2,
            queue_ns: queue_ms * 1_000_000,
            loss,
            loss_before_link: false,
        };
        (
            down,
            LinkSpec {
                rate_bps: up_bps,
                loss_before_link: true,
                ..down
            },
        )
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct BulkRun {
    pub duration_ms: f64,
    /// One round trip plus the response at the full link rate: no headers, loss or slow start.
    pub bound_ms: f64,
    /// `bound_ms / duration_ms`; 1 is unreachable.
    pub ratio_to_bound: f64,
    pub wire: Bulk,
}

#[derive(Debug, Clone, Serialize)]
pub struct PriorityRun {
    /// Streams in the order in which they were complete, by urgency.
    pub completed: Vec<u8>,
    /// Share of body bytes that arrived while a more urgent stream was incomplete.
    pub out_of_order_share: f64,
    /// Time of a late, urgent response, from its request to its last byte.
    pub late_ms: f64,
    /// One round trip, plus the response at link rate, plus a full queue.
    pub late_bound_ms: f64,
}

struct Session {
    _server: server::Server,
    path: Path,
    connection: quinn::Connection,
    start: server::ResponseStart,
}

async fn session(
    setup: Setup,
    network: Network,
    seed: u64,
    identity: &Identity,
) -> Result<Session> {
    let server = server::start(setup, identity)?;
    let (down, up) = network.links();
    // Seeds of both directions differ, and never meet those of another run.
    let path = Path::start(
        server.addr,
        Link::new(down, 2 * seed),
        Link::new(up, 2 * seed + 1),
    )?;
    let connection = client::connect(path.client_side, identity).await?;
    let start = server.response_start.clone();
    Ok(Session {
        _server: server,
        path,
        connection,
        start,
    })
}

async fn fetch_one(session: &Session, bytes: u64) -> Result<f64> {
    let (tx, _rx) = mpsc::unbounded_channel();
    let asked_ns = now_ns();
    let request = Request { bytes, urgency: 3 };
    client::fetch(session.connection.clone(), 0, request, tx).await?;
    Ok((now_ns() - asked_ns) as f64 / MS_NS)
}

pub async fn flight(setup: Setup, seed: u64, identity: &Identity) -> Result<Flight> {
    let network = Network::Unlimited;
    let run = async {
        let session = session(setup, network, seed, identity).await?;
        fetch_one(&session, FLIGHT_BYTES).await?;
        let rtt_ns = network.rtt_ms() * 1_000_000;
        wire::flight(&session.path.sent(), session.start.get_ns(), rtt_ns)
            .context("no body datagram seen")
    };
    timeout(LIMIT, run)
        .await
        .context("first flight took too long")?
}

pub async fn bulk(
    setup: Setup,
    network: Network,
    bytes: u64,
    seed: u64,
    identity: &Identity,
) -> Result<BulkRun> {
    let run = async {
        let session = session(setup, network, seed, identity).await?;
        let duration_ms = fetch_one(&session, bytes).await?;
        let (rtt_ns, rate) = (network.rtt_ms() * 1_000_000, network.rate_bps());
        let sent = session.path.sent();
        let wire = wire::bulk(&sent, session.start.get_ns(), bytes, rate, rtt_ns)
            .context("no body datagram seen")?;
        let bound_ms = bound_ms(network, bytes);
        Ok(BulkRun {
            duration_ms,
            bound_ms,
            ratio_to_bound: bound_ms / duration_ms,
            wire,
        })
    };
    timeout(LIMIT, run)
        .await
        .context("transfer took too long")?
}

fn bound_ms(network: Network, bytes: u64) -> f64 {
    let transfer = network
        .rate_bps()
        .map_or(0.0, |rate| bytes as f64 * 8e3 / rate as f64);
    network.rtt_ms() as f64 + transfer
}

pub async fn priority(setup: Setup, seed: u64, identity: &Identity) -> Result<PriorityRun> {
    let network = Network::Dsl;
    let run = async {
        let first = session(setup, Network::DslDeep, seed, identity).await?;
        let (completed, out_of_order_share) = order(&first).await?;
        drop(first);
        let second = session(setup, network, seed, identity).await?;
        let late_ms = late(&second).await?;
        let (down, _) = network.links();
        let late_bound_ms = bound_ms(network, LATE_BYTES) + down.queue_ns as f64 / MS_NS;
        Ok(PriorityRun {
            completed,
            out_of_order_share,
            late_ms,
            late_bound_ms,
        })
    };
    timeout(LIMIT, run)
        .await
        .context("priorities took too long")?
}

/// All requests at once, the least urgent first.
async fn order(session: &Session) -> Result<(Vec<u8>, f64)> {
    let (tx, mut rx) = mpsc::unbounded_channel();
    let mut fetches = JoinSet::new();
    for (stream, urgency) in URGENCIES.into_iter().enumerate() {
        let request = Request {
            bytes: ORDER_BYTES,
            urgency,
        };
        fetches.spawn(client::fetch(
            session.connection.clone(),
            stream,
            request,
            tx.clone(),
        ));
    }
    drop(tx);
    while let Some(done) = fetches.join_next().await {
        done??;
    }
    let mut arrivals = Vec::new();
    while let Some(arrival) = rx.recv().await {
        arrivals.push(arrival);
    }
    Ok(judge_order(&arrivals, &URGENCIES, ORDER_BYTES))
}

/// Urgencies in order of completion, and the share of bytes that overtook a more urgent stream.
fn judge_order(arrivals: &[Arrival], urgencies: &[u8], each_bytes: u64) -> (Vec<u8>, f64) {
    let mut left = vec![each_bytes; urgencies.len()];
    let (mut completed, mut overtook) = (Vec::new(), 0);
    for arrival in arrivals {
        let urgency = urgencies[arrival.stream];
        let behind = |(&left, &other): (&u64, &u8)| left > 0 && other < urgency;
        if left.iter().zip(urgencies).any(behind) {
            overtook += arrival.bytes;
        }
        left[arrival.stream] -= arrival.bytes;
        if left[arrival.stream] == 0 {
            completed.push(urgency);
        }
    }
    (
        completed,
        overtook as f64 / (each_bytes * urgencies.len() as u64) as f64,
    )
}

/// Two large responses are under way when a small urgent one is asked for.
async fn late(session: &Session) -> Result<f64> {
    let (tx, _rx) = mpsc::unbounded_channel();
    let mut background = JoinSet::new();
    for stream in 0..2 {
        let request = Request {
            bytes: LATE_BACKGROUND_BYTES,
            urgency: 5,
        };
        background.spawn(client::fetch(
            session.connection.clone(),
            stream,
            request,
            tx.clone(),
        ));
    }
    sleep(LATE_AFTER).await;
    let asked_ns = now_ns();
    let urgent = Request {
        bytes: LATE_BYTES,
        urgency: 0,
    };
    client::fetch(session.connection.clone(), 2, urgent, tx).await?;
    let late_ms = (now_ns() - asked_ns) as f64 / MS_NS;
    while let Some(done) = background.join_next().await {
        done??;
    }
    Ok(late_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(stream: usize, bytes: u64) -> Arrival {
        Arrival {
            stream,
            at_ns: 0,
            bytes,
        }
    }

    #[test]
    fn bytes_in_order_of_urgency_overtake_nobody() {
        let arrivals = [arrival(1, 10), arrival(0, 10)];
        assert_eq!(judge_order(&arrivals, &[5, 1], 10), (vec![1, 5], 0.0));
    }

    #[test]
    fn bytes_before_a_more_urgent_stream_is_complete_are_counted() {
        let arrivals = [arrival(0, 5), arrival(1, 10), arrival(0, 5)];
        assert_eq!(judge_order(&arrivals, &[5, 1], 10), (vec![1, 5], 0.25));
    }
}
