//! Serves the test's protocol on quinn or on its fork noq, whose calls are alike.
//! Compiled once for each: `super` says which (`lib`) and how to read the congestion window.

use anyhow::Result;
use bytes::Bytes;
use tokio::sync::mpsc;

use super::{congestion_window, lib};
use crate::server::{Order, Request, ResponseStart};

/// Bytes that may wait unsent in the library when the application decides the order.
const UNSENT_SLACK: u64 = 2 * 1200;
const CHUNK: usize = 1200;
static ZEROS: [u8; 64 << 10] = [0; 64 << 10];

pub async fn serve(endpoint: lib::Endpoint, order: Order, start: ResponseStart) {
    while let Some(incoming) = endpoint.accept().await {
        let start = start.clone();
        tokio::spawn(async move {
            if let Ok(connection) = incoming.await {
                // An error here is the client going away, which ends every run.
                let _ = match order {
                    Order::Application => application_decides(connection, start).await,
                    _ => library_decides(connection, order, start).await,
                };
            }
        });
    }
}

async fn read_request(recv: &mut lib::RecvStream) -> Result<Request> {
    let mut raw = [0; Request::ENCODED_BYTES];
    recv.read_exact(&mut raw).await?;
    Ok(Request::decode(raw))
}

async fn library_decides(
    connection: lib::Connection,
    order: Order,
    start: ResponseStart,
) -> Result<()> {
    loop {
        let (mut send, mut recv) = connection.accept_bi().await?;
        let start = start.clone();
        tokio::spawn(async move {
            let request = read_request(&mut recv).await?;
            if order == Order::Library {
                send.set_priority(-i32::from(request.urgency))?;
            }
            start.mark();
            let mut left = request.bytes as usize;
            while left > 0 {
                let part = left.min(ZEROS.len());
                send.write_chunk(Bytes::from_static(&ZEROS[..part])).await?;
                left -= part;
            }
            send.finish()?;
            anyhow::Ok(())
        });
    }
}

struct Job {
    send: lib::SendStream,
    urgency: u8,
    left: usize,
}

async fn application_decides(connection: lib::Connection, start: ResponseStart) -> Result<()> {
    let (found, mut jobs) = mpsc::unbounded_channel::<Job>();
    let accepting = connection.clone();
    tokio::spawn(async move {
        loop {
            let (send, mut recv) = accepting.accept_bi().await?;
            let found = found.clone();
            tokio::spawn(async move {
                let Request { bytes, urgency } = read_request(&mut recv).await?;
                found.send(Job {
                    send,
                    urgency,
                    left: bytes as usize,
                })?;
                anyhow::Ok(())
            });
        }
        #[allow(unreachable_code, reason = "names the type of the block's error")]
        anyhow::Ok(())
    });
    let mut waiting: Vec<Job> = Vec::new();
    loop {
        if waiting.is_empty() {
            let Some(job) = jobs.recv().await else {
                return Ok(());
            };
            waiting.push(job);
        }
        while let Ok(job) = jobs.try_recv() {
            waiting.push(job);
        }
        connection.set_send_window(congestion_window(&connection) + UNSENT_SLACK);
        start.mark();
        // `min_by_key` keeps the first of equals: in order of arrival within one urgency.
        let most_urgent = (0..waiting.len()).min_by_key(|&i| waiting[i].urgency);
        let index = most_urgent.expect("not empty: filled above");
        let job = &mut waiting[index];
        let part = job.left.min(CHUNK);
        job.send
            .write_chunk(Bytes::from_static(&ZEROS[..part]))
            .await?;
        job.left -= part;
        if job.left == 0 {
            job.send.finish()?;
            waiting.remove(index);
        }
    }
}
