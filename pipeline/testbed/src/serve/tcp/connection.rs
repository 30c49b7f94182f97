//! One HTTP/2 connection, whose scheduler decides which stream's bytes go next.

use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use h2::server::{self, SendResponse};
use h2::{RecvStream, SendStream};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;

use super::super::exchange::{Incoming, Outgoing};
use super::super::shared::Shared;
use super::super::updates::{Update, Wishes};
use super::watch::{Backlog, Watched};
use eyelevel_scheduling::{Order, StreamId};

/// As in QUIC (`quic::transport`), and what browsers expect anyway.
const STREAMS_AT_ONCE: u32 = 100;
/// The upload window of a client; requests of web pages are small.
const UPLOAD_WINDOW_BYTES: u32 = 1 << 20;

pub async fn run<S>(stream: S, number: usize, shared: &Arc<Shared>) -> Result<(), h2::Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (said, updates) = mpsc::unbounded_channel();
    let (stream, backlog) = Watched::new(stream, said);
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
        order: Order::new(shared.scheduling.kind.build()),
        updates,
        wishes: Wishes::new(shared.scheduling.priority_updates),
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
    order: Order,
    updates: mpsc::UnboundedReceiver<Update>,
    wishes: Wishes,
    sending: BTreeMap<StreamId, Sending>,
    uploads: Vec<Upload>,
}

/// The rest of a request that a client still sends.
struct Upload {
    stream: RecvStream,
    /// Until the request is answered, which takes its body.
    waiting: Option<(Incoming, SendResponse<Bytes>)>,
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
            self.take_updates();
            self.take_uploads(cx);
            // The order of what is not decided yet can still change, so nothing is handed over ahead of the kernel's wish.
            if self.backlog.waits() {
                return Poll::Pending;
            }
            self.send_heads();
            match self.order.next_body(&blocked) {
                Some(stream) => self.give_turn(stream, &mut blocked, cx),
                // Heads alone are to be written.
                None if self.backlog.waits() => {}
                None => return Poll::Pending,
            }
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
                    self.arrived(request, respond);
                }
            }
        }
    }

    fn arrived(&mut self, request: http::Request<RecvStream>, respond: SendResponse<Bytes>) {
        let (head, stream) = request.into_parts();
        let incoming = Incoming::new(head.method, head.uri, head.headers);
        let is_whole = stream.is_end_stream();
        let waiting = if is_whole || incoming.is_ready() {
            self.begin(incoming, respond);
            None
        } else {
            Some((incoming, respond))
        };
        if !is_whole {
            self.uploads.push(Upload { stream, waiting });
        }
    }

    fn begin(&mut self, incoming: Incoming, respond: SendResponse<Bytes>) {
        let stream = u64::from(respond.stream_id().as_u32());
        let mut outgoing = Outgoing::begin(&self.shared, self.number, incoming);
        if self.shared.alt_svc {
            outgoing.announce_quic(&self.shared, self.number);
        }
        self.order.admit(stream, self.wishes.begun(stream, outgoing.priority));
        self.sending.insert(stream, Sending { outgoing, respond, body: None });
    }

    /// Reading has brought them along with the requests, so none can come between two calls.
    fn take_updates(&mut self) {
        while let Ok(update) = self.updates.try_recv() {
            self.shared.log.priority_updated(self.number);
            if let Some(priority) = self.wishes.updated(update, self.sending.contains_key(&update.stream)) {
                self.order.reprioritize(update.stream, priority);
            }
        }
    }

    /// Takes in what clients upload, and answers the requests that are whole with it.
    fn take_uploads(&mut self, cx: &mut Context<'_>) {
        let mut ready = Vec::new();
        self.uploads.retain_mut(|upload| upload.poll(cx, &mut ready));
        for (incoming, respond) in ready {
            self.begin(incoming, respond);
        }
    }

    /// All that wait: no flow control holds heads back. They leave together with the chunk of a body that follows, so that they
    /// cost no packets of their own where the window of the connection is counted in packets.
    fn send_heads(&mut self) {
        while let Some(stream) = self.order.next_head(&BTreeSet::new()) {
            let Some(sending) = self.sending.get_mut(&stream) else {
                self.order.withdraw(stream);
                continue;
            };
            match sending.send_head() {
                Ok(complete) => {
                    self.backlog.add();
                    self.order.head_sent(stream);
                    if complete {
                        self.shared.log.handed_over(sending.outgoing.request);
                        self.give_up(stream);
                    }
                }
                Err(_) => self.give_up(stream),
            }
        }
    }

    /// There is nothing more to send, or nobody to send it to.
    fn give_up(&mut self, stream: StreamId) {
        self.order.withdraw(stream);
        self.sending.remove(&stream);
    }

    fn give_turn(&mut self, stream: StreamId, blocked: &mut BTreeSet<StreamId>, cx: &mut Context<'_>) {
        let Some(sending) = self.sending.get_mut(&stream) else { return self.order.withdraw(stream) };
        match sending.take_turn(cx) {
            Turn::Blocked => {
                blocked.insert(stream);
            }
            Turn::Gone => self.give_up(stream),
            Turn::Sent { body_bytes, complete } => {
                self.backlog.add();
                self.shared.log.sent(self.number, body_bytes);
                self.order.body_sent(stream, body_bytes);
                if complete {
                    self.shared.log.handed_over(sending.outgoing.request);
                    self.give_up(stream);
                }
            }
        }
    }
}

impl Upload {
    /// Reads what is there; false at its end. What can be answered is added to `ready`.
    fn poll(&mut self, cx: &mut Context<'_>, ready: &mut Vec<(Incoming, SendResponse<Bytes>)>) -> bool {
        loop {
            match self.stream.poll_data(cx) {
                Poll::Pending => return true,
                Poll::Ready(Some(Ok(data))) => {
                    // Fails only on a stream that is gone, whose next poll says so.
                    let _ = self.stream.flow_control().release_capacity(data.len());
                    if let Some((incoming, _)) = &mut self.waiting {
                        incoming.take(&data);
                    }
                    ready.extend(self.waiting.take_if(|(incoming, _)| incoming.is_ready()));
                }
                Poll::Ready(None) => {
                    ready.extend(self.waiting.take());
                    return false;
                }
                Poll::Ready(Some(Err(_))) => return false,
            }
        }
    }
}

impl Sending {
    /// Returns whether the response is complete with it.
    fn send_head(&mut self) -> Result<bool, h2::Error> {
        let Some(head) = self.outgoing.head.take() else { return Ok(false) };
        let complete = self.outgoing.body.is_empty();
        let body = self.respond.send_response(head, complete)?;
        self.body = (!complete).then_some(body);
        Ok(complete)
    }

    /// One chunk of the body.
    fn take_turn(&mut self, cx: &mut Context<'_>) -> Turn {
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
