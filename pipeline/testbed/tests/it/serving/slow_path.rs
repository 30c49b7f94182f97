//! QUIC behind a slow link with a short queue: decisions stay late where the network, not the machine, sets the pace.
//! (The counterpart of TCP is tested beside its connection, over a pipe.)

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::net::UdpSocket;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::site::{BIG_BYTES, Site, pattern};
use crate::client::Client;

/// 4 Mbit/s.
const DATAGRAM_TIME: Duration = Duration::from_millis(3);
/// Shorter than the initial window, so that datagrams are lost from the first flight on.
const QUEUE_DATAGRAMS: usize = 20;

/// Carries datagrams between one client and the server, slowly towards the client. Counts those dropped.
async fn slow_link(server: SocketAddr) -> (SocketAddr, Arc<AtomicUsize>, JoinHandle<()>) {
    let near = Arc::new(UdpSocket::bind("127.0.0.1:0").await.expect("a port"));
    let far = Arc::new(UdpSocket::bind("127.0.0.1:0").await.expect("a port"));
    far.connect(server).await.expect("an address");
    let at = near.local_addr().expect("bound");
    let dropped = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&dropped);
    let (queue, mut queued) = mpsc::channel::<(Vec<u8>, SocketAddr)>(QUEUE_DATAGRAMS);
    let carrying = tokio::spawn(async move {
        let (mut up, mut down) = (vec![0; 2048], vec![0; 2048]);
        let mut client = None;
        let sender = Arc::clone(&near);
        let link = async move {
            while let Some((datagram, to)) = queued.recv().await {
                tokio::time::sleep(DATAGRAM_TIME).await;
                let _ = sender.send_to(&datagram, to).await;
            }
        };
        let ends = async move {
            loop {
                tokio::select! {
                    Ok((bytes, from)) = near.recv_from(&mut up) => {
                        client = Some(from);
                        let _ = far.send(&up[..bytes]).await;
                    }
                    Ok(bytes) = far.recv(&mut down) => {
                        if let Some(client) = client
                            && queue.try_send((down[..bytes].to_vec(), client)).is_err()
                        {
                            counter.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            }
        };
        tokio::join!(link, ends);
    });
    (at, dropped, carrying)
}

#[tokio::test]
async fn a_late_small_response_overtakes_a_big_one_and_losses_stall_nothing() {
    let site = Site::start("QUIC");
    let (at, dropped, link) = slow_link(site.at).await;
    // The client's flow control must not be what holds the server back.
    let client = Client::connect_with("QUIC", at, 2 * BIG_BYTES as u32).await;
    let received = Arc::new(AtomicUsize::new(0));
    let (_, _, mut big) = client.begin("GET", "/big0", bytes::Bytes::new()).await;
    let reader = tokio::spawn({
        let received = Arc::clone(&received);
        async move {
            while let Some(data) = big.next().await {
                received.fetch_add(data.len(), Ordering::Relaxed);
            }
        }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let before = received.load(Ordering::Relaxed);
    assert_eq!(client.fetch("GET", "/small7").await.body, pattern(7, 500));
    let between = received.load(Ordering::Relaxed) - before;
    // What is in flight or decided, some 60 kB, and gaps that had to be filled first.
    assert!(between < BIG_BYTES / 4, "{between} of {BIG_BYTES} bytes came before the small response");
    reader.await.expect("no panic");
    assert_eq!(received.load(Ordering::Relaxed), BIG_BYTES);
    assert!(dropped.load(Ordering::Relaxed) > 0, "the link was meant to lose some");
    drop(client);
    link.abort();
    let served = site.stop().await;
    // 1 MB takes two seconds and more; had all of it been decided at once, it would have been handed over at once.
    let big = &served.requests[0];
    let decided_ms = big.handed_over_ms.expect("handed over") - big.begun_ms;
    assert!(decided_ms > 1500.0, "all was decided within {decided_ms} ms");
}
