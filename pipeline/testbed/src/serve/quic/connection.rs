//! One HTTP/3 connection, whose scheduler decides which stream's bytes go next.

use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use h3::error::StreamError;
use h3::server::{RequestResolver, RequestStream};
use tokio::sync::mpsc;

use super::super::exchange::{Incoming, Outgoing};
use super::super::shared::Shared;
use super::super::updates::{Update, Wishes};
use super::binding::{Binding, Sending};
use super::unsent::Unsent;
use eyelevel_scheduling::{Order, StreamId};

type Responder = RequestStream<Sending, Bytes>;
type Handing = Pin<Box<dyn Future<Output = Result<Responder, StreamError>> + Send>>;

/// Completes with the connection.
pub async fn run(quic: noq::Connection, unsent: Arc<Unsent>, number: usize, shared: &Arc<Shared>) {
    let (requests, incoming) = mpsc::unbounded_channel();
    let (said, updates) = mpsc::unbounded_channel();
    let mut writer = Writer {
        unsent: Arc::clone(&unsent),
        number,
        shared: Arc::clone(shared),
        order: Order::new(shared.scheduling.kind.build()),
        incoming,
        updates,
        wishes: Wishes::new(shared.scheduling.priority_updates),
        sending: BTreeMap::new(),
    };
    tokio::select! {
        () = accept(Binding::new(quic, unsent, said), requests) => {}
        () = poll_fn(|cx| writer.poll(cx)) => {}
    }
}

/// A request that can be answered.
struct Arrived {
    incoming: Incoming,
    responder: Responder,
}

/// Reads requests until the connection ends.
async fn accept(binding: Binding, requests: mpsc::UnboundedSender<Arrived>) {
    // Grease would be bytes that TCP does not send.
    let Ok(mut http) = h3::server::builder().send_grease(false).build(binding).await else { return };
    while let Ok(Some(resolver)) = http.accept().await {
        tokio::spawn(resolve(resolver, requests.clone()));
    }
}

async fn resolve(resolver: RequestResolver<Binding, Bytes>, requests: mpsc::UnboundedSender<Arrived>) {
    // A request that never becomes whole is the client's to mend.
    let Ok((request, stream)) = resolver.resolve_request().await else { return };
    let (responder, mut upload) = stream.split();
    let (head, ()) = request.into_parts();
    let mut incoming = Incoming::new(head.method, head.uri, head.headers);
    while !incoming.is_ready() {
        match upload.recv_data().await {
            Ok(Some(part)) => take(&mut incoming, part),
            Ok(None) => break,
            // The client has given it up.
            Err(_) => return,
        }
    }
    let _ = requests.send(Arrived { incoming, responder });
    // What else the client uploads is taken in and forgotten.
    while let Ok(Some(_)) = upload.recv_data().await {}
}

fn take(incoming: &mut Incoming, mut part: impl Buf) {
    while part.has_remaining() {
        let bytes = part.chunk().len();
        incoming.take(part.chunk());
        part.advance(bytes);
    }
}

struct Writer {
    unsent: Arc<Unsent>,
    number: usize,
    shared: Arc<Shared>,
    order: Order,
    incoming: mpsc::UnboundedReceiver<Arrived>,
    updates: mpsc::UnboundedReceiver<Update>,
    wishes: Wishes,
    sending: BTreeMap<StreamId, Stream>,
}

struct Stream {
    outgoing: Outgoing,
    state: State,
}

enum State {
    Idle(Box<Responder>),
    /// A head or a chunk that flow control has not let through whole yet.
    Handing {
        handing: Handing,
        part: Part,
    },
    /// In the middle of a step, and after the last one.
    Taken,
}

#[derive(Clone, Copy)]
enum Part {
    Head,
    Body { bytes: usize },
}

enum Turn {
    Sent { part: Part, complete: bool },
    Blocked,
    Gone,
}

impl Writer {
    /// Hands chunks over as long as there is room. Completes when no request can come any more.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut blocked = BTreeSet::new();
        loop {
            while let Poll::Ready(arrived) = self.incoming.poll_recv(cx) {
                let Some(arrived) = arrived else { return Poll::Ready(()) };
                self.begin(arrived);
            }
            while let Poll::Ready(Some(update)) = self.updates.poll_recv(cx) {
                self.update(update);
            }
            // The order of what is not decided yet can still change, so nothing is handed over ahead of the network's wish.
            ready!(self.unsent.poll_room(cx));
            let next = self.order.next_head(&blocked).or_else(|| self.order.next_body(&blocked));
            let Some(stream) = next else { return Poll::Pending };
            self.give_turn(stream, &mut blocked, cx);
        }
    }

    fn begin(&mut self, Arrived { incoming, responder }: Arrived) {
        let stream = responder.send_id().into_inner();
        let mut outgoing = Outgoing::begin(&self.shared, self.number, incoming);
        // As public servers do. Without it, Chromium does not know that the server obeys priorities, and holds requests back.
        outgoing.announce_quic(&self.shared, self.number);
        self.order.admit(stream, self.wishes.begun(stream, outgoing.priority));
        self.sending.insert(stream, Stream { outgoing, state: State::Idle(Box::new(responder)) });
    }

    fn update(&mut self, update: Update) {
        self.shared.log.priority_updated(self.number);
        if let Some(priority) = self.wishes.updated(update, self.sending.contains_key(&update.stream)) {
            self.order.reprioritize(update.stream, priority);
        }
    }

    /// There is nothing more to send, or nobody to send it to.
    fn give_up(&mut self, id: StreamId) {
        self.order.withdraw(id);
        self.sending.remove(&id);
    }

    fn give_turn(&mut self, id: StreamId, blocked: &mut BTreeSet<StreamId>, cx: &mut Context<'_>) {
        let Some(stream) = self.sending.get_mut(&id) else { return self.order.withdraw(id) };
        match stream.take_turn(cx) {
            Turn::Blocked => {
                blocked.insert(id);
            }
            Turn::Gone => self.give_up(id),
            Turn::Sent { part, complete } => {
                match part {
                    Part::Head => self.order.head_sent(id),
                    Part::Body { bytes } => {
                        self.shared.log.sent(self.number, bytes);
                        self.order.body_sent(id, bytes);
                    }
                }
                if complete {
                    self.shared.log.handed_over(stream.outgoing.request);
                    self.give_up(id);
                }
            }
        }
    }
}

impl Stream {
    /// The head, then a chunk a turn.
    fn take_turn(&mut self, cx: &mut Context<'_>) -> Turn {
        let (mut handing, part) = match std::mem::replace(&mut self.state, State::Taken) {
            State::Idle(responder) => {
                let head = self.outgoing.head.take();
                let bytes = if head.is_some() { 0 } else { self.outgoing.next_chunk_bytes() };
                let part = if head.is_some() { Part::Head } else { Part::Body { bytes } };
                let chunk = self.outgoing.body.split_to(bytes);
                let complete = self.outgoing.body.is_empty();
                let handing: Handing = Box::pin(hand_over(*responder, head, chunk, complete));
                (handing, part)
            }
            State::Handing { handing, part } => (handing, part),
            State::Taken => return Turn::Gone,
        };
        match handing.as_mut().poll(cx) {
            Poll::Pending => {
                self.state = State::Handing { handing, part };
                Turn::Blocked
            }
            Poll::Ready(Ok(responder)) => {
                self.state = State::Idle(Box::new(responder));
                Turn::Sent { part, complete: self.outgoing.body.is_empty() }
            }
            Poll::Ready(Err(_)) => Turn::Gone,
        }
    }
}

async fn hand_over(
    mut responder: Responder,
    head: Option<http::Response<()>>,
    chunk: Bytes,
    complete: bool,
) -> Result<Responder, StreamError> {
    if let Some(head) = head {
        responder.send_response(head).await?;
    }
    if !chunk.is_empty() {
        responder.send_data(chunk).await?;
    }
    if complete {
        responder.finish().await?;
    }
    Ok(responder)
}
