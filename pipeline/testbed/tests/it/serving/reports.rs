//! The report tells what happened on the wire.

use eyelevel_testbed::serve::TransportState;

use super::site::{BIG_BYTES, Site};
use crate::client::Client;

#[tokio::test]
async fn a_connection_and_its_requests_are_reported() {
    for (stack, alpn) in [("TCP+", "h2"), ("QUIC", "h3")] {
        let site = Site::start(stack);
        let client = Client::connect(stack, site.at).await;
        client.fetch("GET", "/big3").await;
        client.fetch("GET", "/list?page=7").await;
        drop(client);
        let at = site.at;
        let served = site.stop().await;
        assert_eq!(served.connections.len(), 1, "{stack}");
        let connection = &served.connections[0];
        assert_eq!(connection.address, at);
        assert_eq!((connection.alpn.as_deref(), connection.tls.as_deref()), (Some(alpn), Some("TLSv1_3")));
        assert_eq!((connection.requests, connection.body_bytes_sent), (2, BIG_BYTES as u64 + 10));
        assert!(connection.closed_ms.expect("closed") >= connection.opened_ms);
        assert_eq!(connection.fault, None, "{stack}");
        let request = &served.requests[1];
        assert_eq!(request.url, "https://a.test/list?page=7");
        assert_eq!(request.matched_url.as_deref(), Some("http://a.test/list?page=1"));
        assert_eq!((request.connection, request.status, request.body_bytes), (0, 200, 10));
        assert_eq!(request.priority.as_deref(), Some("u=2, i"));
        assert!(request.handed_over_ms.expect("handed over") >= request.begun_ms);
    }
}

async fn at_close(stack: &str) -> TransportState {
    let site = Site::start(stack);
    let client = Client::connect(stack, site.at).await;
    client.fetch("GET", "/").await;
    drop(client);
    site.stop().await.connections[0].at_close.clone().expect("the transport's last word")
}

#[tokio::test]
async fn tcp_runs_the_congestion_control_of_its_stack_whatever_the_machine_prefers() {
    for (stack, wanted) in [("TCP", "cubic"), ("TCP+", "cubic"), ("TCP+BBR", "bbr")] {
        if !kernel_has(wanted) {
            println!("skipped {stack}: this kernel has no {wanted}");
            continue;
        }
        let TransportState::Tcp { congestion_control, sent_packets, .. } = at_close(stack).await else {
            panic!("{stack} is not TCP");
        };
        assert_eq!(congestion_control.as_deref(), Some(wanted), "{stack}");
        assert!(sent_packets > 0);
    }
}

fn kernel_has(congestion_control: &str) -> bool {
    std::fs::read_to_string("/proc/sys/net/ipv4/tcp_available_congestion_control")
        .is_ok_and(|names| names.split_whitespace().any(|name| name == congestion_control))
}

#[tokio::test]
async fn quic_begins_with_the_window_of_its_stack_in_full_packets() {
    let TransportState::Quic { cwnd_bytes, mtu_bytes, .. } = at_close("QUIC").await else {
        panic!("QUIC is not QUIC");
    };
    assert_eq!(mtu_bytes, 1472);
    // A page of 20 kB does not fill the window, so it is still the initial one, or little more.
    assert!(cwnd_bytes >= 32 * 1472, "{cwnd_bytes}");
}
