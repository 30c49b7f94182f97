//! Observes every packet before it is encrypted, to know which bytes of which streams have left.
//!
//! The library reports neither this nor the unsent bytes (its send window also counts acknowledged bytes behind a gap,
//! so as a limit it would stall every connection that loses packets). Its encryption is pluggable, so a key that looks
//! at the frames and hands them on knows it exactly, retransmissions included.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use bytes::BytesMut;
use noq::crypto::rustls::{HandshakeData, NoInitialCipherSuite, QuicServerConfig};
use noq::crypto::{
    CryptoError, ExportKeyingMaterialError, HeaderKey, KeyPair, Keys, PacketKey, ServerConfig, Session,
    UnsupportedVersion,
};
use noq_proto::transport_parameters::TransportParameters;
use noq_proto::{ConnectionId, PathId, Side, TransportError};

use super::frames;
use super::unsent::Unsent;
use eyelevel_wire::tls::hello;

/// Encryption that counts what leaves, for every connection.
pub struct Tapped {
    inner: QuicServerConfig,
}

impl Tapped {
    pub fn over(config: rustls::ServerConfig) -> Result<Self, NoInitialCipherSuite> {
        Ok(Self { inner: QuicServerConfig::try_from(config)? })
    }
}

/// The properties of an established connection.
pub fn of_connection(quic: &noq::Connection) -> Option<TappedData> {
    quic.handshake_data()?.downcast::<TappedData>().ok().map(|data| *data)
}

pub struct TappedData {
    pub unsent: Arc<Unsent>,
    /// The application protocol.
    pub alpn: Option<Vec<u8>>,
    /// Whether it resumed an earlier session.
    pub resumed: Option<bool>,
    /// Whether it asked for another ClientHello.
    pub hello_retried: bool,
}

impl ServerConfig for Tapped {
    fn initial_keys(&self, version: u32, dst_cid: ConnectionId) -> Result<Keys, UnsupportedVersion> {
        self.inner.initial_keys(version, dst_cid)
    }

    fn retry_tag(&self, version: u32, orig_dst_cid: ConnectionId, packet: &[u8]) -> [u8; 16] {
        self.inner.retry_tag(version, orig_dst_cid, packet)
    }

    fn start_session(&self, version: u32, params: &TransportParameters) -> Box<dyn Session> {
        let inner = self.inner.start_session(version, params);
        Box::new(TappedSession { inner, unsent: Arc::default(), resumed: OnceLock::new(), hello_retried: false })
    }
}

struct TappedSession {
    inner: Box<dyn Session>,
    unsent: Arc<Unsent>,
    /// What the ServerHello said when it passed.
    resumed: OnceLock<bool>,
    hello_retried: bool,
}

impl TappedSession {
    fn tap(&self, pair: KeyPair<Box<dyn PacketKey>>) -> KeyPair<Box<dyn PacketKey>> {
        let local = TappedKey { inner: pair.local, unsent: Arc::clone(&self.unsent) };
        KeyPair { local: Box::new(local), remote: pair.remote }
    }
}

impl Session for TappedSession {
    fn initial_keys(&self, dst_cid: ConnectionId, side: Side) -> Keys {
        self.inner.initial_keys(dst_cid, side)
    }

    fn handshake_data(&self) -> Option<Box<dyn Any>> {
        let inner = self.inner.handshake_data()?.downcast::<HandshakeData>().ok()?;
        let (resumed, hello_retried) = (self.resumed.get().copied(), self.hello_retried);
        Some(Box::new(TappedData { unsent: Arc::clone(&self.unsent), alpn: inner.protocol, resumed, hello_retried }))
    }

    fn peer_identity(&self) -> Option<Box<dyn Any>> {
        self.inner.peer_identity()
    }

    fn early_crypto(&self) -> Option<(Box<dyn HeaderKey>, Box<dyn PacketKey>)> {
        self.inner.early_crypto()
    }

    fn early_data_accepted(&self) -> Option<bool> {
        self.inner.early_data_accepted()
    }

    fn is_handshaking(&self) -> bool {
        self.inner.is_handshaking()
    }

    fn read_handshake(&mut self, buf: &[u8]) -> Result<bool, TransportError> {
        self.inner.read_handshake(buf)
    }

    fn transport_parameters(&self) -> Result<Option<TransportParameters>, TransportError> {
        self.inner.transport_parameters()
    }

    fn write_handshake(&mut self, buf: &mut Vec<u8>) -> Option<Keys> {
        let before = buf.len();
        let keys = self.inner.write_handshake(buf);
        if let Some(hello) = buf.get(before..).and_then(hello) {
            if hello.asks_again {
                self.hello_retried = true;
            } else {
                let _ = self.resumed.set(hello.pre_shared_key);
            }
        }
        let keys = keys?;
        Some(Keys { header: keys.header, packet: self.tap(keys.packet) })
    }

    fn next_1rtt_keys(&mut self) -> Option<KeyPair<Box<dyn PacketKey>>> {
        let keys = self.inner.next_1rtt_keys()?;
        Some(self.tap(keys))
    }

    fn is_valid_retry(&self, orig_dst_cid: ConnectionId, header: &[u8], payload: &[u8]) -> bool {
        self.inner.is_valid_retry(orig_dst_cid, header, payload)
    }

    fn export_keying_material(
        &self,
        output: &mut [u8],
        label: &[u8],
        context: &[u8],
    ) -> Result<(), ExportKeyingMaterialError> {
        self.inner.export_keying_material(output, label, context)
    }
}

struct TappedKey {
    inner: Box<dyn PacketKey>,
    unsent: Arc<Unsent>,
}

impl PacketKey for TappedKey {
    fn encrypt(&self, path: PathId, packet: u64, buf: &mut [u8], header_len: usize) {
        let payload = &buf[header_len..buf.len() - self.inner.tag_len()];
        self.unsent.leaving(frames::streams(payload));
        self.inner.encrypt(path, packet, buf, header_len);
    }

    fn decrypt(&self, path: PathId, packet: u64, header: &[u8], payload: &mut BytesMut) -> Result<(), CryptoError> {
        self.inner.decrypt(path, packet, header, payload)
    }

    fn tag_len(&self) -> usize {
        self.inner.tag_len()
    }

    fn confidentiality_limit(&self) -> u64 {
        self.inner.confidentiality_limit()
    }

    fn integrity_limit(&self) -> u64 {
        self.inner.integrity_limit()
    }
}
