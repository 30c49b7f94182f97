//! The scheduler decides who sends next, late, in both arms.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use eyelevel_scheduling::CHUNK_BYTES;
use tokio::sync::Mutex;

use super::site::{BIG_BYTES, HUGE_BYTES, Site, pattern};
use crate::client::{Client, STREAM_WINDOW_BYTES};

#[tokio::test]
async fn equal_responses_arrive_together() {
    for stack in ["TCP+", "QUIC"] {
        let site = Site::start(stack);
        let client = Client::connect(stack, site.at).await;
        let received = Arc::new(Mutex::new([0_usize; 4]));
        let mut bodies = Vec::new();
        for n in 0..4 {
            bodies.push(client.begin("GET", &format!("/big{n}"), Bytes::new()).await.2);
        }
        let mut readers = tokio::task::JoinSet::new();
        for (n, mut body) in bodies.into_iter().enumerate() {
            let received = Arc::clone(&received);
            readers.spawn(async move {
                while let Some(data) = body.next().await {
                    received.lock().await[n] += data.len();
                }
                *received.lock().await
            });
        }
        let at_first_end = readers.join_next().await.expect("four").expect("no panic");
        // While all four were sending, none could be further ahead than what the first had before the second was asked for,
        // and no stream may lag by more than its window: the client reads one after the other.
        let least = at_first_end.iter().min().expect("four");
        assert!(BIG_BYTES - least <= STREAM_WINDOW_BYTES as usize + 4 * CHUNK_BYTES, "{stack}: {at_first_end:?}");
        readers.join_all().await;
        drop(client);
        site.stop().await;
    }
}

#[tokio::test]
async fn a_stream_that_its_client_holds_back_does_not_hold_up_the_others() {
    for stack in ["TCP+", "QUIC"] {
        let site = Site::start(stack);
        let client = Client::connect(stack, site.at).await;
        // Nobody reads this one, so its window fills.
        let (_, _, held) = client.begin("GET", "/big0", Bytes::new()).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        let other = tokio::time::timeout(Duration::from_secs(20), client.fetch("GET", "/big1"));
        assert_eq!(other.await.expect("no stall").body, pattern(1, BIG_BYTES), "{stack}");
        // And it goes on where it stopped.
        let mut held = held;
        let mut whole = Vec::new();
        while let Some(data) = held.next().await {
            whole.extend_from_slice(&data);
        }
        assert_eq!(Bytes::from(whole), pattern(0, BIG_BYTES), "{stack}");
        site.stop().await;
    }
}

#[tokio::test]
async fn a_late_small_response_overtakes_a_big_one_that_has_begun() {
    for stack in ["TCP+", "QUIC"] {
        let site = Site::start(stack);
        // No flow control: all could be sent before the request for the small one arrives.
        let client = Arc::new(Client::connect_with(stack, site.at, 2 * HUGE_BYTES as u32).await);
        let received = Arc::new(Mutex::new(0_usize));
        let (_, _, mut big) = client.begin("GET", "/huge", Bytes::new()).await;
        let reader = tokio::spawn({
            let received = Arc::clone(&received);
            async move {
                while let Some(data) = big.next().await {
                    *received.lock().await += data.len();
                }
            }
        });
        assert_eq!(client.fetch("GET", "/small7").await.body, pattern(7, 500));
        let ahead = *received.lock().await;
        // What was decided before it came, plus what loopback carries until then: half a megabyte on a busy machine.
        assert!(ahead < HUGE_BYTES / 2, "{stack}: {ahead} bytes before the small one");
        reader.await.expect("no panic");
        drop(client);
        site.stop().await;
    }
}
