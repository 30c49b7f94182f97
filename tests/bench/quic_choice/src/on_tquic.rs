//! The wire test's server on tquic: an event loop of its own, as the library asks for.

use std::collections::HashMap;
use std::net::UdpSocket;
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use bytes::Bytes;
use nix::poll::{ppoll, PollFd, PollFlags};
use nix::sys::time::TimeSpec;
use tquic::{
    Config, CongestionControlAlgorithm, Connection, Endpoint, PacketInfo, PacketSendHandler,
    TlsConfig, TransportHandler,
};

use crate::server::{
    Congestion, Identity, Order, Request, ResponseStart, Server, Setup, ALPN, BIG_WINDOW,
    DATAGRAM_BYTES, INITIAL_WINDOW_DATAGRAMS,
};

const LONGEST_WAIT: Duration = Duration::from_millis(20);
static ZEROS: [u8; 64 << 10] = [0; 64 << 10];

pub fn start(setup: Setup, identity: &Identity) -> Result<Server> {
    let files = tempfile::tempdir()?;
    let file = |name: &str, pem: String| -> Result<String> {
        let path = files.path().join(name);
        std::fs::write(&path, pem)?;
        Ok(path.to_string_lossy().into_owned())
    };
    let cert = file("cert.pem", identity.cert.pem())?;
    let key = file("key.pem", identity.key.serialize_pem())?;
    let tls = TlsConfig::new_server_config(&cert, &key, vec![ALPN.to_vec()], false)?;
    let mut config = Config::new()?;
    config.set_tls_config(tls);
    config.enable_dplpmtud(false);
    config.set_send_udp_payload_size(DATAGRAM_BYTES.into());
    config.set_initial_congestion_window(INITIAL_WINDOW_DATAGRAMS);
    config.set_congestion_control_algorithm(match setup.congestion {
        Congestion::Cubic => CongestionControlAlgorithm::Cubic,
        Congestion::Bbr => CongestionControlAlgorithm::Bbr,
    });
    config.set_max_connection_window(BIG_WINDOW.into());
    config.set_max_stream_window(BIG_WINDOW.into());

    let socket = UdpSocket::bind("127.0.0.1:0").context("bind tquic")?;
    socket.set_nonblocking(true)?;
    let addr = socket.local_addr()?;
    let response_start = ResponseStart::default();
    let stop = Arc::new(AtomicBool::new(false));
    let thread = std::thread::spawn({
        let (stop, start, order) = (stop.clone(), response_start.clone(), setup.order);
        move || event_loop(config, socket, order, start, &stop)
    });
    let guard = Guard {
        stop,
        thread: Some(thread),
    };
    Ok(Server {
        addr,
        response_start,
        _guard: Box::new(guard),
    })
}

struct Guard {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(Ok(Err(error))) = self.thread.take().map(JoinHandle::join) {
            eprintln!("tquic server: {error:#}");
        }
    }
}

fn event_loop(
    config: Config,
    socket: UdpSocket,
    order: Order,
    start: ResponseStart,
    stop: &AtomicBool,
) -> Result<()> {
    let local = socket.local_addr()?;
    let socket = Rc::new(socket);
    let handler = Responses {
        order,
        start,
        left: HashMap::new(),
    };
    let out = Rc::new(Out(socket.clone()));
    let mut endpoint = Endpoint::new(Box::new(config), true, Box::new(handler), out);
    let mut buffer = vec![0u8; 65_535];
    while !stop.load(Ordering::Relaxed) {
        endpoint.process_connections()?;
        let wait = endpoint.timeout().unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT);
        let mut fds = [PollFd::new(socket.as_fd(), PollFlags::POLLIN)];
        ppoll(&mut fds, Some(TimeSpec::from_duration(wait)), None)?;
        while let Ok((bytes, src)) = socket.recv_from(&mut buffer) {
            let info = PacketInfo {
                src,
                dst: local,
                time: Instant::now(),
            };
            // A datagram that it cannot use (a stray one after close) is not the test's concern.
            let _ = endpoint.recv(&mut buffer[..bytes], &info);
        }
        endpoint.on_timeout(Instant::now());
    }
    Ok(())
}

struct Out(Rc<UdpSocket>);

impl PacketSendHandler for Out {
    fn on_packets_send(&self, packets: &[(Vec<u8>, PacketInfo)]) -> tquic::Result<usize> {
        let sent = packets
            .iter()
            .take_while(|(bytes, info)| self.0.send_to(bytes, info.dst).is_ok())
            .count();
        Ok(sent)
    }
}

struct Responses {
    order: Order,
    start: ResponseStart,
    left: HashMap<u64, u64>,
}

impl Responses {
    fn write(&mut self, connection: &mut Connection, stream: u64) {
        let Some(left) = self.left.get_mut(&stream) else {
            return;
        };
        while *left > 0 {
            let part = (*left).min(ZEROS.len() as u64);
            let chunk = Bytes::from_static(&ZEROS[..part as usize]);
            match connection.stream_write(stream, chunk, part == *left) {
                Ok(written) => *left -= written as u64,
                // Done for now: the stream is asked to tell when it takes more.
                Err(_) => break,
            }
        }
        let more = *left > 0;
        let _ = connection.stream_want_write(stream, more);
    }
}

impl TransportHandler for Responses {
    fn on_conn_created(&mut self, _: &mut Connection) {}
    fn on_conn_established(&mut self, _: &mut Connection) {}
    fn on_conn_closed(&mut self, _: &mut Connection) {}
    fn on_stream_created(&mut self, _: &mut Connection, _: u64) {}
    fn on_new_token(&mut self, _: &mut Connection, _: Vec<u8>) {}

    fn on_stream_readable(&mut self, connection: &mut Connection, stream: u64) {
        let mut raw = [0; Request::ENCODED_BYTES];
        // The client sends a request in one datagram: it is there whole or not at all.
        if !matches!(connection.stream_read(stream, &mut raw), Ok((n, _)) if n == raw.len()) {
            return;
        }
        let request = Request::decode(raw);
        if self.order == Order::Library {
            let _ = connection.stream_set_priority(stream, request.urgency, false);
        }
        self.start.mark();
        self.left.insert(stream, request.bytes);
        self.write(connection, stream);
    }

    fn on_stream_writable(&mut self, connection: &mut Connection, stream: u64) {
        self.write(connection, stream);
    }

    fn on_stream_closed(&mut self, _: &mut Connection, stream: u64) {
        self.left.remove(&stream);
    }
}
