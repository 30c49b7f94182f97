//! PRIORITY_UPDATE frames are seen on real connections of both transports.

use std::time::Duration;

use eyelevel_scheduling::Scheduling;
use tokio::io::AsyncWriteExt as _;

use super::site::Site;
use crate::client::{raw_quic, raw_tcp};

/// Long enough for loopback.
const A_WHILE: Duration = Duration::from_millis(300);

#[tokio::test]
async fn those_of_http2_are_counted() {
    let site = Site::start_with("TCP+", Scheduling::default());
    let mut stream = raw_tcp(site.at).await;
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00".to_vec();
    for stream in [1, 3] {
        bytes.extend([0, 0, 7, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, stream]);
        bytes.extend(b"u=1");
    }
    stream.write_all(&bytes).await.expect("an open connection");
    stream.flush().await.expect("an open connection");
    tokio::time::sleep(A_WHILE).await;
    drop(stream);
    assert_eq!(site.stop().await.connections[0].priority_updates, 2);
}

#[tokio::test]
async fn those_of_http3_are_counted() {
    let site = Site::start_with("QUIC", Scheduling::default());
    let (quic, _endpoint) = raw_quic(site.at).await;
    let mut control = quic.open_uni().await.expect("a stream");
    let mut bytes = vec![0x00, 0x04, 0x00];
    for stream in [0, 4, 8] {
        bytes.extend([0x80, 0x0f, 0x07, 0x00, 4, stream]);
        bytes.extend(b"u=1");
    }
    control.write_all(&bytes).await.expect("an open connection");
    tokio::time::sleep(A_WHILE).await;
    drop(control);
    assert_eq!(site.stop().await.connections[0].priority_updates, 3);
}
