//! QUIC and HTTP/3. Only this folder uses the QUIC library.

pub mod binding;
mod connection;
mod frames;
mod in_force;
mod steering;
mod tap;
mod transport;
mod unsent;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use noq::{ConnectionError, EndpointConfig, PathId, Runtime as _, TokioRuntime};
use socket2::{Domain, Protocol, Socket, Type};

use super::error::ServeError;
use super::sampling;
use super::shared::{Life, Shared};
use super::state::TransportState;
use super::tls;
use crate::certs::Identity;
use eyelevel_definitions::stacks::{Http, Stack};

pub struct Listener {
    endpoint: noq::Endpoint,
    /// The same one, to ask it.
    probe: Arc<Socket>,
    address: SocketAddr,
    retry: bool,
}

impl Listener {
    pub fn bind(at: SocketAddr, identity: Identity, stack: &'static Stack) -> Result<Self, ServeError> {
        let socket = udp_socket(at).map_err(|reason| ServeError::Bind { address: at, reason })?;
        let unbound = |reason| ServeError::Bind { address: at, reason };
        let address = socket.local_addr().map_err(unbound)?;
        let probe = Arc::new(Socket::from(socket.try_clone().map_err(unbound)?));
        let crypto = tap::Tapped::over(tls::config(identity, Http::Http3.alpn().as_bytes(), stack.resumption())?)
            .map_err(|error| ServeError::Quic(error.to_string()))?;
        let mut config = noq::ServerConfig::with_crypto(Arc::new(crypto));
        config.transport_config(Arc::new(transport::config(stack)));
        // Browsers change their port on a bad path, which TCP cannot.
        config.migration(false);
        let runtime = Arc::new(TokioRuntime);
        let endpoint = runtime
            .wrap_udp_socket(socket)
            .and_then(|socket| {
                noq::Endpoint::new_with_abstract_socket(EndpointConfig::default(), Some(config), socket, runtime)
            })
            .map_err(|reason| ServeError::Bind { address: at, reason })?;
        Ok(Self { endpoint, probe, address, retry: stack.retry })
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    pub async fn serve(self, shared: Arc<Shared>, mut life: Life) {
        loop {
            let incoming = tokio::select! {
                () = life.ended() => break,
                incoming = self.endpoint.accept() => incoming,
            };
            let Some(incoming) = incoming else { break };
            if self.retry && !incoming.remote_address_validated() {
                // Such a one may always be asked to come again.
                let _ = incoming.retry();
                continue;
            }
            let probe = Arc::clone(&self.probe);
            tokio::spawn(serve_incoming(incoming, self.address, probe, Arc::clone(&shared), life.clone()));
        }
        self.endpoint.close(0_u32.into(), b"");
    }
}

fn udp_socket(at: SocketAddr) -> io::Result<std::net::UdpSocket> {
    let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
    socket.bind(&at.into())?;
    Ok(socket.into())
}

async fn serve_incoming(
    incoming: noq::Incoming,
    address: SocketAddr,
    probe: Arc<Socket>,
    shared: Arc<Shared>,
    mut life: Life,
) {
    let number = shared.log.opened(address, incoming.remote_address());
    let connecting = tokio::select! {
        () = life.ended() => return shared.log.closed(number, None, None),
        accepted = async { incoming.await } => accepted,
    };
    let quic = match connecting {
        Ok(quic) => quic,
        Err(fault) => return shared.log.closed(number, None, Some(fault.to_string())),
    };
    shared.log.in_force(number, in_force::in_force(&quic, &probe));
    tokio::select! {
        () = life.ended() => {}
        () = sampling::keep(&shared, number, || state(&quic)) => {}
        () = converse(quic.clone(), number, &shared) => {}
    }
    shared.log.closed(number, state(&quic), fault(&quic));
}

/// Completes with the connection.
async fn converse(quic: noq::Connection, number: usize, shared: &Arc<Shared>) {
    let Some(tap::TappedData { unsent, alpn, resumed, hello_retried }) = tap::of_connection(&quic) else { return };
    // There is no QUIC below TLS 1.3.
    shared.log.secured(
        number,
        alpn.map(|name| String::from_utf8_lossy(&name).into_owned()),
        Some("TLSv1_3".to_owned()),
        resumed,
        Some(hello_retried),
    );
    connection::run(quic, unsent, number, shared).await;
}

/// Leaving in order and falling silent are not faults of a client.
fn fault(quic: &noq::Connection) -> Option<String> {
    let in_order = [h3::error::Code::H3_NO_ERROR.value(), 0];
    match quic.close_reason()? {
        ConnectionError::ApplicationClosed(close) if in_order.contains(&close.error_code.into_inner()) => None,
        ConnectionError::TimedOut | ConnectionError::LocallyClosed => None,
        other => Some(other.to_string()),
    }
}

/// Of the only path: there is no multipath here.
fn state(quic: &noq::Connection) -> Option<TransportState> {
    let path = quic.path_stats(PathId::ZERO)?;
    let running = quic.congestion_state(PathId::ZERO).and_then(in_force::running);
    Some(TransportState::Quic {
        timeouts: running.as_ref().map(|running| running.timeouts),
        congestion_control: running.map(|running| running.name),
        cwnd_bytes: path.cwnd,
        slow_start_threshold_bytes: quic.congestion_state(PathId::ZERO).and_then(|control| control.metrics().ssthresh),
        mtu_bytes: path.current_mtu,
        rtt_ms: path.rtt.as_secs_f64() * 1e3,
        lost_packets: path.lost_packets,
        lost_bytes: path.lost_bytes,
        congestion_events: path.congestion_events,
        spurious_congestion_events: path.spurious_congestion_events,
        sent_packets: path.sent_packets,
        sent_datagram_bytes: quic.stats().udp_tx.bytes,
    })
}
