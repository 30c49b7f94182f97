//! TCP, TLS 1.3, and HTTP/2 or HTTP/1.1.

mod connection;
mod http1;
mod watch;

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use rustls::HandshakeKind;
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::error::ServeError;
use super::sampling;
use super::shared::{Life, Shared};
use super::state::TransportState;
use super::tls;
use crate::certs::Identity;
use crate::socket;
use eyelevel_definitions::stacks::{Http, Resumption, Side};
use eyelevel_scheduling::UNSENT_LIMIT_BYTES;
use eyelevel_wire::server::InForce;

/// As many as a browser's burst of connections may want at once.
const BACKLOG: i32 = 1024;

/// 10 Gbit/s: far above any emulated link, so it switches pacing on and never sets the pace.
const PACING_CEILING_BYTES_PER_S: u64 = 1_250_000_000;

pub struct Listener {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    address: SocketAddr,
    http: Http,
}

impl Listener {
    pub fn bind(at: SocketAddr, identity: Identity, side: &Side, resumption: Resumption) -> Result<Self, ServeError> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP))
            .map_err(|reason| ServeError::Bind { address: at, reason })?;
        prepare(&socket, side)?;
        let listener = listen(&socket, at)
            .and_then(|()| TcpListener::from_std(socket.into()))
            .map_err(|reason| ServeError::Bind { address: at, reason })?;
        let address = listener.local_addr().map_err(|reason| ServeError::Bind { address: at, reason })?;
        let tls = tls::config(identity, side.http.alpn().as_bytes(), resumption)?;
        Ok(Self { listener, acceptor: TlsAcceptor::from(Arc::new(tls)), address, http: side.http })
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    pub async fn serve(self, shared: Arc<Shared>, mut life: Life) {
        loop {
            let accepted = tokio::select! {
                () = life.ended() => return,
                accepted = self.listener.accept() => accepted,
            };
            // What fails here is one client's connection, such as one reset before it was accepted.
            let Ok((stream, peer)) = accepted else { continue };
            let (acceptor, shared, life) = (self.acceptor.clone(), Arc::clone(&shared), life.clone());
            tokio::spawn(serve_stream(stream, (acceptor, self.http), (self.address, peer), shared, life));
        }
    }
}

/// Accepted connections inherit all of these.
fn prepare(socket: &Socket, side: &Side) -> Result<(), ServeError> {
    let named = |option: &'static str| move |reason: io::Error| ServeError::Option { option, reason };
    socket.set_reuse_address(true).map_err(named("SO_REUSEADDR"))?;
    socket.set_nonblocking(true).map_err(named("O_NONBLOCK"))?;
    socket.set_tcp_nodelay(true).map_err(named("TCP_NODELAY"))?;
    socket.set_tcp_notsent_lowat(UNSENT_LIMIT_BYTES).map_err(named("TCP_NOTSENT_LOWAT"))?;
    socket.set_tcp_congestion(side.congestion_control.kernel_name().as_bytes()).map_err(named("TCP_CONGESTION"))?;
    if side.pacing {
        socket::set_max_pacing_rate(socket.as_fd(), PACING_CEILING_BYTES_PER_S).map_err(named("SO_MAX_PACING_RATE"))?;
    }
    Ok(())
}

fn listen(socket: &Socket, at: SocketAddr) -> io::Result<()> {
    socket.bind(&at.into())?;
    socket.listen(BACKLOG)
}

async fn serve_stream(
    stream: TcpStream,
    (acceptor, http): (TlsAcceptor, Http),
    (address, peer): (SocketAddr, SocketAddr),
    shared: Arc<Shared>,
    mut life: Life,
) {
    // The second handle outlives the connection's own, so that its last state can be read.
    let Ok(probe) = stream.as_fd().try_clone_to_owned() else { return };
    let number = shared.log.opened(address, peer);
    shared.log.in_force(number, in_force(&probe));
    let end = tokio::select! {
        () = life.ended() => Ok(()),
        () = sampling::keep(&shared, number, || state(&probe)) => Ok(()),
        end = converse(stream, (&acceptor, http), number, &shared) => end,
    };
    shared.log.closed(number, state(&probe), end.err().filter(|error| !is_leave(error)).map(|fault| fault.to_string()));
}

/// Browsers drop connections that they opened ahead of need, and do not say goodbye.
fn is_leave(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe)
}

async fn converse(
    stream: TcpStream,
    (acceptor, http): (&TlsAcceptor, Http),
    number: usize,
    shared: &Arc<Shared>,
) -> io::Result<()> {
    let stream = acceptor.accept(stream).await?;
    let (_, session) = stream.get_ref();
    shared.log.secured(
        number,
        session.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned()),
        session.protocol_version().and_then(|version| version.as_str().map(str::to_owned)),
        session.handshake_kind().map(|kind| kind == HandshakeKind::Resumed),
        session.handshake_kind().map(|kind| kind == HandshakeKind::FullWithHelloRetryRequest),
    );
    if http == Http::Http1 {
        return http1::run(stream, number, shared).await;
    }
    connection::run(stream, number, shared).await.map_err(|error| {
        if error.is_io() {
            error.into_io().unwrap_or_else(|| io::ErrorKind::Other.into())
        } else {
            io::Error::other(error)
        }
    })
}

/// As the kernel says it of the accepted socket.
fn in_force(probe: &OwnedFd) -> Option<InForce> {
    let info = socket::tcp_info(probe.as_fd()).ok()?;
    let socket = SockRef::from(probe);
    let congestion_control = congestion_control(probe);
    // BBR paces whether or not anybody asked for it.
    let has_rate = socket::max_pacing_rate(probe.as_fd()).ok().map(|rate| rate != u64::MAX);
    let pacing = if congestion_control.as_deref() == Some("bbr") { Some(true) } else { has_rate };
    Some(InForce {
        congestion_control,
        // After two lost SYN-ACKs the window is one packet (RFC 6298, section 5).
        initial_window_packets: (info.retransmitted_packets == 0).then_some(info.cwnd_packets),
        pacing,
        send_buffer_bytes: socket.send_buffer_size().ok().map(|bytes| bytes as u64),
        receive_buffer_bytes: socket.recv_buffer_size().ok().map(|bytes| bytes as u64),
    })
}

fn congestion_control(probe: &OwnedFd) -> Option<String> {
    let name = SockRef::from(probe).tcp_congestion().ok()?;
    Some(String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned())
}

fn state(probe: &OwnedFd) -> Option<TransportState> {
    let info = socket::tcp_info(probe.as_fd()).ok()?;
    Some(TransportState::Tcp {
        congestion_control: congestion_control(probe),
        cwnd_packets: info.cwnd_packets,
        slow_start_threshold_packets: Some(info.slow_start_threshold_packets)
            .filter(|packets| *packets != socket::INFINITE_THRESHOLD),
        mss_bytes: info.mss_bytes,
        rtt_ms: f64::from(info.rtt_us) / 1e3,
        min_rtt_ms: f64::from(info.min_rtt_us) / 1e3,
        retransmitted_packets: info.retransmitted_packets,
        sent_packets: info.sent_packets,
        timeouts: info.timeouts,
        pacing_rate_bytes_per_s: (info.pacing_rate_bytes_per_s != u64::MAX).then_some(info.pacing_rate_bytes_per_s),
    })
}

#[cfg(test)]
mod tests;
