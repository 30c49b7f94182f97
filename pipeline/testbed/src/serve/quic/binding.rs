//! HTTP/3 (crate h3) over noq, counting every byte that noq takes as unsent until it leaves. Servers and clients alike.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use h3::quic::{self, ConnectionErrorIncoming, StreamErrorIncoming, StreamId, WriteBuf};
use noq::{ConnectionError, ReadError, VarInt, WriteError};
use tokio::sync::mpsc;

use super::super::updates::{Reader, Update};
use super::unsent::Unsent;

type Pending<T> = Pin<Box<dyn Future<Output = Result<T, ConnectionError>> + Send + Sync>>;
type Bidirectional = (noq::SendStream, noq::RecvStream);

/// A connection as h3 wants it.
pub struct Binding {
    opener: Opener,
    accepting_bidirectional: Option<Pending<Bidirectional>>,
    accepting_receiving: Option<Pending<noq::RecvStream>>,
    /// The receiver of the other side's priority updates.
    updates: mpsc::UnboundedSender<Update>,
}

impl Binding {
    pub(super) fn new(quic: noq::Connection, unsent: Arc<Unsent>, updates: mpsc::UnboundedSender<Update>) -> Self {
        let opener = Opener::new(quic, unsent);
        Self { opener, accepting_bidirectional: None, accepting_receiving: None, updates }
    }
}

/// For a client, whose count is not used, and whose server sends no priority updates.
impl From<noq::Connection> for Binding {
    fn from(quic: noq::Connection) -> Self {
        Self::new(quic, Arc::default(), mpsc::unbounded_channel().0)
    }
}

/// Starts a future or continues the started one.
fn advance<T, F>(
    pending: &mut Option<Pending<T>>,
    begin: impl FnOnce() -> F,
    cx: &mut Context<'_>,
) -> Poll<Result<T, ConnectionError>>
where
    F: Future<Output = Result<T, ConnectionError>> + Send + Sync + 'static,
{
    let result = ready!(pending.get_or_insert_with(|| Box::pin(begin())).as_mut().poll(cx));
    *pending = None;
    Poll::Ready(result)
}

impl quic::Connection<Bytes> for Binding {
    type RecvStream = Receiving;
    type OpenStreams = Opener;

    fn poll_accept_recv(&mut self, cx: &mut Context<'_>) -> Poll<Result<Receiving, ConnectionErrorIncoming>> {
        let quic = &self.opener.quic;
        let begin = || {
            let quic = quic.clone();
            async move { quic.accept_uni().await }
        };
        let stream = ready!(advance(&mut self.accepting_receiving, begin, cx)).map_err(of_connection)?;
        let watch = Some((Reader::http3(), self.updates.clone()));
        Poll::Ready(Ok(Receiving { watch, ..Receiving::new(stream) }))
    }

    fn poll_accept_bidi(&mut self, cx: &mut Context<'_>) -> Poll<Result<Both, ConnectionErrorIncoming>> {
        let quic = &self.opener.quic;
        let begin = || {
            let quic = quic.clone();
            async move { quic.accept_bi().await }
        };
        let (send, receive) = ready!(advance(&mut self.accepting_bidirectional, begin, cx)).map_err(of_connection)?;
        Poll::Ready(Ok(self.opener.both(send, receive)))
    }

    fn opener(&self) -> Opener {
        self.opener.clone()
    }
}

impl quic::OpenStreams<Bytes> for Binding {
    type BidiStream = Both;
    type SendStream = Sending;

    fn poll_open_bidi(&mut self, cx: &mut Context<'_>) -> Poll<Result<Both, StreamErrorIncoming>> {
        self.opener.poll_open_bidi(cx)
    }

    fn poll_open_send(&mut self, cx: &mut Context<'_>) -> Poll<Result<Sending, StreamErrorIncoming>> {
        self.opener.poll_open_send(cx)
    }

    fn close(&mut self, code: h3::error::Code, reason: &[u8]) {
        self.opener.close(code, reason);
    }
}

/// Opens streams: those of HTTP/3's control, and a client's requests.
pub struct Opener {
    quic: noq::Connection,
    unsent: Arc<Unsent>,
    opening_bidirectional: Option<Pending<Bidirectional>>,
    opening_sending: Option<Pending<noq::SendStream>>,
}

impl Clone for Opener {
    fn clone(&self) -> Self {
        Self::new(self.quic.clone(), Arc::clone(&self.unsent))
    }
}

impl Opener {
    fn new(quic: noq::Connection, unsent: Arc<Unsent>) -> Self {
        Self { quic, unsent, opening_bidirectional: None, opening_sending: None }
    }

    fn sending(&self, stream: noq::SendStream) -> Sending {
        Sending { stream, writing: None, unsent: Arc::clone(&self.unsent) }
    }

    fn both(&self, send: noq::SendStream, receive: noq::RecvStream) -> Both {
        Both { send: self.sending(send), receive: Receiving::new(receive) }
    }
}

impl quic::OpenStreams<Bytes> for Opener {
    type BidiStream = Both;
    type SendStream = Sending;

    fn poll_open_bidi(&mut self, cx: &mut Context<'_>) -> Poll<Result<Both, StreamErrorIncoming>> {
        let quic = &self.quic;
        let begin = || {
            let quic = quic.clone();
            async move { quic.open_bi().await }
        };
        let (send, receive) = ready!(advance(&mut self.opening_bidirectional, begin, cx))
            .map_err(|error| in_stream(of_connection(error)))?;
        Poll::Ready(Ok(self.both(send, receive)))
    }

    fn poll_open_send(&mut self, cx: &mut Context<'_>) -> Poll<Result<Sending, StreamErrorIncoming>> {
        let quic = &self.quic;
        let begin = || {
            let quic = quic.clone();
            async move { quic.open_uni().await }
        };
        let stream =
            ready!(advance(&mut self.opening_sending, begin, cx)).map_err(|error| in_stream(of_connection(error)))?;
        Poll::Ready(Ok(self.sending(stream)))
    }

    fn close(&mut self, code: h3::error::Code, reason: &[u8]) {
        self.quic.close(VarInt::from_u64(code.value()).unwrap_or(VarInt::MAX), reason);
    }
}

/// Both directions of a request's stream.
pub struct Both {
    send: Sending,
    receive: Receiving,
}

impl quic::BidiStream<Bytes> for Both {
    type SendStream = Sending;
    type RecvStream = Receiving;

    fn split(self) -> (Sending, Receiving) {
        (self.send, self.receive)
    }
}

impl quic::RecvStream for Both {
    type Buf = Bytes;

    fn poll_data(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, StreamErrorIncoming>> {
        self.receive.poll_data(cx)
    }

    fn stop_sending(&mut self, error_code: u64) {
        self.receive.stop_sending(error_code);
    }

    fn recv_id(&self) -> StreamId {
        self.receive.recv_id()
    }
}

impl quic::SendStream<Bytes> for Both {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        self.send.poll_ready(cx)
    }

    fn send_data<T: Into<WriteBuf<Bytes>>>(&mut self, data: T) -> Result<(), StreamErrorIncoming> {
        self.send.send_data(data)
    }

    fn poll_finish(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        self.send.poll_finish(cx)
    }

    fn reset(&mut self, reset_code: u64) {
        self.send.reset(reset_code);
    }

    fn send_id(&self) -> StreamId {
        self.send.send_id()
    }
}

pub struct Receiving {
    stream: noq::RecvStream,
    buffer: Box<[u8]>,
    /// On streams that may be the one of control: the HTTP/3 library passes over the frames that this looks for.
    watch: Option<(Reader, mpsc::UnboundedSender<Update>)>,
}

impl Receiving {
    fn new(stream: noq::RecvStream) -> Self {
        // Requests are small; a longer one takes several turns.
        Self { stream, buffer: vec![0; 4096].into(), watch: None }
    }
}

impl quic::RecvStream for Receiving {
    type Buf = Bytes;

    fn poll_data(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, StreamErrorIncoming>> {
        let read = ready!(self.stream.poll_read(cx, &mut self.buffer)).map_err(of_reading)?;
        if let Some((reader, updates)) = &mut self.watch {
            for update in reader.read(&self.buffer[..read]) {
                // An error means that there is no receiver, which is fine.
                let _ = updates.send(update);
            }
        }
        Poll::Ready(Ok((read > 0).then(|| Bytes::copy_from_slice(&self.buffer[..read]))))
    }

    fn stop_sending(&mut self, error_code: u64) {
        // Fails only where the stream has ended already.
        let _ = self.stream.stop(VarInt::from_u64(error_code).unwrap_or(VarInt::MAX));
    }

    fn recv_id(&self) -> StreamId {
        stream_id(self.stream.id())
    }
}

pub struct Sending {
    stream: noq::SendStream,
    writing: Option<WriteBuf<Bytes>>,
    unsent: Arc<Unsent>,
}

impl quic::SendStream<Bytes> for Sending {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        while let Some(data) = self.writing.as_mut().filter(|data| data.has_remaining()) {
            if let Some(rank) = self.unsent.rank(self.stream.id().into()) {
                // Fails only where the stream has ended, which writing tells as well.
                let _ = self.stream.set_priority(rank);
            }
            let written = ready!(Pin::new(&mut self.stream).poll_write(cx, data.chunk())).map_err(of_writing)?;
            data.advance(written);
            self.unsent.written(self.stream.id().into(), written);
        }
        self.writing = None;
        Poll::Ready(Ok(()))
    }

    fn send_data<T: Into<WriteBuf<Bytes>>>(&mut self, data: T) -> Result<(), StreamErrorIncoming> {
        if self.writing.is_some() {
            let reason = "more data before the last was written".to_owned();
            return Err(in_stream(ConnectionErrorIncoming::InternalError(reason)));
        }
        self.writing = Some(data.into());
        Ok(())
    }

    fn poll_finish(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        Poll::Ready(self.stream.finish().map_err(|error| StreamErrorIncoming::Unknown(Box::new(error))))
    }

    fn reset(&mut self, reset_code: u64) {
        // Fails only where the stream has ended already.
        let _ = self.stream.reset(VarInt::from_u64(reset_code).unwrap_or(VarInt::MAX));
    }

    fn send_id(&self) -> StreamId {
        stream_id(self.stream.id())
    }
}

fn stream_id(id: noq::StreamId) -> StreamId {
    StreamId::try_from(u64::from(id)).expect("both have the range of RFC 9000")
}

fn in_stream(connection_error: ConnectionErrorIncoming) -> StreamErrorIncoming {
    StreamErrorIncoming::ConnectionErrorIncoming { connection_error }
}

fn of_connection(error: ConnectionError) -> ConnectionErrorIncoming {
    match error {
        ConnectionError::ApplicationClosed(close) => {
            ConnectionErrorIncoming::ApplicationClose { error_code: close.error_code.into_inner() }
        }
        ConnectionError::TimedOut => ConnectionErrorIncoming::Timeout,
        other => ConnectionErrorIncoming::Undefined(Arc::new(other)),
    }
}

fn of_reading(error: ReadError) -> StreamErrorIncoming {
    match error {
        ReadError::Reset(code) => StreamErrorIncoming::StreamTerminated { error_code: code.into_inner() },
        ReadError::ConnectionLost(error) => in_stream(of_connection(error)),
        other => StreamErrorIncoming::Unknown(Box::new(other)),
    }
}

fn of_writing(error: WriteError) -> StreamErrorIncoming {
    match error {
        WriteError::Stopped(code) => StreamErrorIncoming::StreamTerminated { error_code: code.into_inner() },
        WriteError::ConnectionLost(error) => in_stream(of_connection(error)),
        other => StreamErrorIncoming::Unknown(Box::new(other)),
    }
}
