//! One HTTP/2 connection, whose scheduler decides which stream's bytes go next.

use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use h2::server::{self, SendResponse};
use h2::{RecvStream, SendStream};
use tokio::io::{AsyncRead, AsyncWrite};

use super::super::Shared;
use super::super::exchange::Outgoing;
use super::watch::{Backlog, Watched};
use crate::scheduler::{Scheduler, StreamId};

/// As in QUIC (`quic::transport`), and what browsers expect anyway.
const STREAMS_AT_ONCE: u32 = 100;
/// What a client may upload ahead; requests of web pages are small.
const UPLOAD_WINDOW_BYTES: u32 = 1 << 20;

pub async fn run<S>(stream: S, number: usize, shared: &Arc<Shared>) -> Result<(), h2::Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (stream, backlog) = Watched::new(stream);
    let http = server::Builder::new()
        .max_concurrent_streams(STREAMS_AT_ONCE)
        .initial_window_size(UPLOAD_WINDOW_BYTES)
        .initial_connection_window_size(UPLOAD_WINDOW_BYTES)
        .handshake(stream)
        .await?;
    let mut connection = Connection {
        http,
        backlog,
        number,
        shared: Arc::clone(shared),
        scheduler: shared.scheduler.build(),
        sending: BTreeMap::new(),
        uploads: Vec::new(),
    };
    poll_fn(|cx| connection.poll(cx)).await
}

struct Connection<S> {
    http: server::Connection<Watched<S>, Bytes>,
    backlog: Backlog,
    number: usize,
    shared: Arc<Shared>,
    scheduler: Box<dyn Scheduler>,
    sending: BTreeMap<StreamId, Sending>,
    uploads: Vec<RecvStream>,
}

struct Sending {
    outgoing: Outgoing,
    respond: SendResponse<Bytes>,
    /// There once the head has been handed over and a body follows.
    body: Option<SendStream<Bytes>>,
}

enum Turn {
    Sent {
        body_bytes: usize,
        complete: bool,
    },
    /// The client's flow control leaves no room; it will wake the connection.
    Blocked,
    /// The client has given the stream up.
    Gone,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// Reads what came, and writes as long as the kernel takes bytes. Completes with the connection.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), h2::Error>> {
        let mut blocked = BTreeSet::new();
        loop {
            if self.poll_requests(cx)?.is_ready() {
                return Poll::Ready(Ok(()));
            }
            self.drain_uploads(cx);
            // The order of what is not decided yet can still change, so nothing is handed over ahead of the kernel's wish.
            if self.backlog.waits() {
                return Poll::Pending;
            }
            let Some(stream) = self.scheduler.next(&blocked) else { return Poll::Pending };
            self.give_turn(stream, &mut blocked, cx);
        }
    }

    /// Drives the connection's input and output. Ready when the client has left.
    fn poll_requests(&mut self, cx: &mut Context<'_>) -> Result<Poll<()>, h2::Error> {
        loop {
            match self.http.poll_accept(cx) {
                Poll::Pending => return Ok(Poll::Pending),
                Poll::Ready(None) => return Ok(Poll::Ready(())),
                Poll::Ready(Some(accepted)) => {
                    let (request, respond) = accepted?;
                    self.begin(request, respond);
                }
            }
        }
    }

    fn begin(&mut self, request: http::Request<RecvStream>, respond: SendResponse<Bytes>) {
        let (head, upload) = request.into_parts();
        let stream = u64::from(respond.stream_id().as_u32());
        let outgoing = Outgoing::begin(&self.shared, self.number, &head.method, &head.uri, &head.headers);
        self.scheduler.admit(stream, outgoing.priority);
        self.sending.insert(stream, Sending { outgoing, respond, body: None });
        if !upload.is_end_stream() {
            self.uploads.push(upload);
        }
    }

    /// Takes in and forgets what clients upload.
    fn drain_uploads(&mut self, cx: &mut Context<'_>) {
        self.uploads.retain_mut(|upload| {
            loop {
                match upload.poll_data(cx) {
                    Poll::Pending => return true,
                    Poll::Ready(Some(Ok(data))) => {
                        // Fails only on a stream that is gone, whose next poll says so.
                        let _ = upload.flow_control().release_capacity(data.len());
                    }
                    Poll::Ready(Some(Err(_)) | None) => return false,
                }
            }
        });
    }

    fn give_turn(&mut self, stream: StreamId, blocked: &mut BTreeSet<StreamId>, cx: &mut Context<'_>) {
        let Some(sending) = self.sending.get_mut(&stream) else { return self.scheduler.withdraw(stream) };
        match sending.take_turn(cx) {
            Turn::Blocked => {
                blocked.insert(stream);
            }
            Turn::Gone => {
                self.scheduler.withdraw(stream);
                self.sending.remove(&stream);
            }
            Turn::Sent { body_bytes, complete } => {
                self.backlog.add();
                self.shared.log.sent(self.number, body_bytes);
                self.scheduler.sent(stream, body_bytes);
                if complete {
                    self.shared.log.handed_over(sending.outgoing.request);
                    self.scheduler.withdraw(stream);
                    self.sending.remove(&stream);
                }
            }
        }
    }
}

impl Sending {
    /// The head with the first chunk, then a chunk a turn.
    fn take_turn(&mut self, cx: &mut Context<'_>) -> Turn {
        if let Some(head) = self.outgoing.head.take() {
            let complete = self.outgoing.body.is_empty();
            match self.respond.send_response(head, complete) {
                Err(_) => return Turn::Gone,
                Ok(_) if complete => return Turn::Sent { body_bytes: 0, complete },
                Ok(body) => self.body = Some(body),
            }
        }
        let Some(body) = self.body.as_mut() else { return Turn::Gone };
        let wanted = self.outgoing.next_chunk_bytes();
        body.reserve_capacity(wanted);
        let Poll::Ready(room) = poll_room(body, cx) else { return Turn::Blocked };
        let Some(room) = room else { return Turn::Gone };
        let chunk = self.outgoing.body.split_to(room.min(wanted));
        let (body_bytes, complete) = (chunk.len(), self.outgoing.body.is_empty());
        match body.send_data(chunk, complete) {
            Ok(()) => Turn::Sent { body_bytes, complete },
            Err(_) => Turn::Gone,
        }
    }
}

/// Bytes that the client's flow control lets through now; `None` where the stream is no more.
fn poll_room(body: &mut SendStream<Bytes>, cx: &mut Context<'_>) -> Poll<Option<usize>> {
    loop {
        match body.capacity() {
            0 => match ready!(body.poll_capacity(cx)) {
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Poll::Ready(None),
            },
            room => return Poll::Ready(Some(room)),
        }
    }
}
