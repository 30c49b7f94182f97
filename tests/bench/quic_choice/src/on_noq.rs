//! The wire test's server on noq, the fork of quinn.

use std::sync::Arc;

use anyhow::Result;
use noq::congestion::{Bbr3Config, ControllerFactory, CubicConfig};
use noq::crypto::rustls::QuicServerConfig;

use crate::on_noq_bbr1::Bbr1Config;
use crate::pacing_rule::{Paced, Rule};
use crate::server::{
    Congestion, Identity, Library, ResponseStart, Server, Setup, DATAGRAM_BYTES,
    INITIAL_WINDOW_BYTES,
};

#[path = "quinn_family.rs"]
mod family;
use noq as lib;

fn congestion_window(connection: &noq::Connection) -> u64 {
    // Without multipath there is only the first path.
    connection
        .path_stats(noq::PathId::ZERO)
        .map_or(INITIAL_WINDOW_BYTES, |path| path.cwnd)
}

fn controller(setup: Setup) -> Arc<dyn ControllerFactory + Send + Sync> {
    let inner: Arc<dyn ControllerFactory + Send + Sync> = match setup.congestion {
        Congestion::Cubic => {
            let mut config = CubicConfig::default();
            config.initial_window(INITIAL_WINDOW_BYTES);
            Arc::new(config)
        }
        Congestion::Bbr if setup.library == Library::NoqOwn => Arc::new(Bbr1Config),
        Congestion::Bbr => {
            let mut config = Bbr3Config::default();
            config.initial_window(INITIAL_WINDOW_BYTES);
            Arc::new(config)
        }
    };
    let rule = match (setup.library, setup.congestion) {
        (Library::NoqCapped, Congestion::Bbr) => Rule::CapStartup,
        (Library::NoqOwn, Congestion::Cubic) => Rule::LikeLinux,
        (Library::NoqUnpaced, _) => Rule::Off,
        _ => return inner,
    };
    Arc::new(Paced { inner, rule })
}

pub fn start(setup: Setup, identity: &Identity) -> Result<Server> {
    let crypto = QuicServerConfig::try_from(identity.rustls()?)?;
    let mut config = noq::ServerConfig::with_crypto(Arc::new(crypto));
    let mut transport = noq::TransportConfig::default();
    transport
        .initial_mtu(DATAGRAM_BYTES)
        .mtu_discovery_config(None);
    transport.congestion_controller_factory(controller(setup));
    config.transport_config(Arc::new(transport));
    let endpoint = noq::Endpoint::server(config, "127.0.0.1:0".parse()?)?;
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

struct CloseOnDrop(noq::Endpoint);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close(0u32.into(), b"done");
    }
}
