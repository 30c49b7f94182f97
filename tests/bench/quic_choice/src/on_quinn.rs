//! The wire test's server on quinn, with its own socket or with one that paces.

use std::sync::Arc;

use anyhow::Result;
use quinn::congestion::{BbrConfig, ControllerFactory, CubicConfig};
use quinn::crypto::rustls::QuicServerConfig;

use crate::on_quinn_bbr1::Bbr1Config;
use crate::paced_socket::{PacedSocket, RateReport, SharedRate};
use crate::server::{
    Congestion, Identity, Library, ResponseStart, Server, Setup, DATAGRAM_BYTES,
    INITIAL_WINDOW_BYTES,
};

#[path = "quinn_family.rs"]
mod family;
use quinn as lib;

fn congestion_window(connection: &quinn::Connection) -> u64 {
    connection.stats().path.cwnd
}

fn controller(setup: Setup) -> Arc<dyn ControllerFactory + Send + Sync> {
    match setup.congestion {
        Congestion::Cubic => {
            let mut config = CubicConfig::default();
            config.initial_window(INITIAL_WINDOW_BYTES);
            Arc::new(config)
        }
        Congestion::Bbr if setup.library == Library::QuinnOwn => Arc::new(Bbr1Config),
        Congestion::Bbr => {
            let mut config = BbrConfig::default();
            config.initial_window(INITIAL_WINDOW_BYTES);
            Arc::new(config)
        }
    }
}

pub fn start(setup: Setup, identity: &Identity) -> Result<Server> {
    let crypto = QuicServerConfig::try_from(identity.rustls()?)?;
    let mut config = quinn::ServerConfig::with_crypto(Arc::new(crypto));
    let mut transport = quinn::TransportConfig::default();
    transport
        .initial_mtu(DATAGRAM_BYTES)
        .mtu_discovery_config(None);
    let paced_socket = setup.library != Library::Quinn;
    let rate = SharedRate::default();
    if paced_socket {
        let inner = controller(setup);
        transport.congestion_controller_factory(Arc::new(RateReport::new(inner, rate.clone())));
    } else {
        transport.congestion_controller_factory(controller(setup));
    }
    config.transport_config(Arc::new(transport));
    let runtime = quinn::default_runtime().expect("called inside tokio");
    let socket = std::net::UdpSocket::bind("127.0.0.1:0")?;
    let inner = runtime.wrap_udp_socket(socket)?;
    let socket = if paced_socket {
        PacedSocket::over(inner, rate)
    } else {
        inner
    };
    let endpoint = quinn::Endpoint::new_with_abstract_socket(
        quinn::EndpointConfig::default(),
        Some(config),
        socket,
        runtime,
    )?;
    let addr = endpoint.local_addr()?;
    let response_start = ResponseStart::default();
    tokio::spawn(family::serve(
        endpoint.clone(),
        setup.order,
        response_start.clone(),
    ));
    Ok(Server {
        addr,
        response_start,
        _guard: Box::new(CloseOnDrop(endpoint)),
    })
}

struct CloseOnDrop(quinn::Endpoint);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close(0u32.into(), b"done");
    }
}
