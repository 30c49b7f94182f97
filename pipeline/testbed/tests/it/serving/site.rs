//! A small recording of our own, and servers for it.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::SystemTime;

use bytes::Bytes;
use eyelevel_definitions::stacks;
use eyelevel_replay::matching::Replay;
use eyelevel_replay::placement::{Grouping, Placement};
use eyelevel_replay::recording::{Recording, Response};
use eyelevel_replay::request_body::BodyDigest;
use eyelevel_replay::volatile::Volatile;
use eyelevel_scheduling::{SchedulerKind, Scheduling};
use eyelevel_testbed::serve::{Announcement, Served, Servers, Serving};
use http::HeaderMap;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::support::{Turn, turn};

pub const BIG_BYTES: usize = 1_000_000;
pub const HUGE_BYTES: usize = 8_000_000;

/// Different at every place, so that no byte can stand for another.
pub fn pattern(seed: u8, bytes: usize) -> Bytes {
    (0..bytes).map(|at| (at * 31 + at / 251) as u8 ^ seed).collect::<Vec<u8>>().into()
}

fn response(path: &str, status: u16, kind: &str, body: Bytes) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(if status / 100 == 3 { "location" } else { "content-type" }, kind.parse().expect("a value"));
    headers.insert("strict-transport-security", "max-age=1".parse().expect("a value"));
    Response {
        url: format!("http://a.test{path}").parse().expect("a URL"),
        method: "GET".to_owned(),
        status,
        headers,
        body,
        address: None,
        asked_body: Some(BodyDigest::empty()),
        asked_range: None,
    }
}

pub fn recording() -> Recording {
    let mut responses = vec![
        response("/", 200, "text/html", pattern(1, 20_000)),
        response("/old", 301, "http://a.test/", Bytes::new()),
        response("/list?page=1", 200, "application/json", pattern(2, 10)),
        response("/empty", 204, "text/html", Bytes::new()),
        response("/huge", 200, "image/png", pattern(3, HUGE_BYTES)),
    ];
    responses.extend((0..4).map(|n| response(&format!("/big{n}"), 200, "image/png", pattern(n, BIG_BYTES))));
    responses.extend((0..150).map(|n| response(&format!("/small{n}"), 200, "image/png", pattern(n, 500))));
    let posts = [(1, &b"a=1"[..]), (2, &b"a=2"[..])].map(|(n, asked)| Response {
        method: "POST".to_owned(),
        asked_body: Some(BodyDigest::of(asked)),
        ..response("/api", 200, "application/json", pattern(n, 30 + usize::from(n)))
    });
    responses.extend(posts);
    Recording { digest: "of the test".to_owned(), responses, flaws: vec![] }
}

/// Servers that run until [`Site::stop`].
pub struct Site {
    pub at: SocketAddr,
    pub announcement: Announcement,
    stop: oneshot::Sender<()>,
    _turn: Turn,
    served: JoinHandle<Served>,
}

impl Site {
    /// With a scheduler that ignores what clients prefer.
    pub fn start(stack: &str) -> Self {
        Self::start_with(stack, Scheduling { kind: SchedulerKind::RoundRobin, ..Scheduling::default() })
    }

    /// That listens at another recorded port, too.
    pub fn start_at(stack: &str, other_port: u16) -> Self {
        Self::launch(stack, Scheduling::default(), BTreeSet::from([other_port]))
    }

    pub fn start_with(stack: &str, scheduling: Scheduling) -> Self {
        Self::launch(stack, scheduling, BTreeSet::new())
    }

    fn launch(stack: &str, scheduling: Scheduling, other_ports: BTreeSet<u16>) -> Self {
        let turn = turn();
        // Every site has the same address and a port of its own.
        let address = Ipv4Addr::new(127, 77, 1, 1);
        let hosts = BTreeMap::from([("a.test".to_owned(), address)]);
        let (ports, unserved) = (BTreeMap::from([("a.test".to_owned(), other_ports)]), BTreeSet::new());
        let start_url = "https://a.test/".to_owned();
        let placement = Placement { hosts, ports, unserved, start_url, grouping: Grouping::ByHost };
        let recording = recording();
        let stack = stacks::find(stack).expect("a known stack");
        let replay = Replay::sent_at(&recording, Volatile::default(), SystemTime::now());
        let site =
            eyelevel_replay::site::Site { digest: recording.digest, volatile: None, flaws: vec![], replay, placement };
        let serving = Serving { stack, carried: stack, scheduling, seed: 1, series: false, port: 0, real_time: false };
        let servers = Servers::bind(site, &serving).expect("free ports on loopback");
        let announcement = servers.announcement().clone();
        let at = SocketAddr::from((address, announcement.port));
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(servers.run(async {
            let _ = stopped.await;
        }));
        Self { at, announcement, stop, _turn: turn, served }
    }

    pub async fn stop(self) -> Served {
        let _ = self.stop.send(());
        self.served.await.expect("servers that do not panic")
    }
}
