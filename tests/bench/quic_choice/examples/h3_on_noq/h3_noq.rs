//! noq as a transport of h3, server side and client side alike.
//!
//! h3 is generic over its transport by the traits in `h3::quic`; this is noq's side of them. As it
//! owns the send streams, a scheduler can reach `noq::SendStream::set_priority` here.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{ready, Context, Poll};

use bytes::{Buf, Bytes};
use h3::quic::{self, ConnectionErrorIncoming, StreamErrorIncoming, StreamId, WriteBuf};
use noq::{ConnectionError, ReadError, VarInt, WriteError};

/// Most bytes of a request body taken from a stream at once.
const READ_BYTES: usize = 16 << 10;

type Pending<T> = Option<Pin<Box<dyn Future<Output = Result<T, ConnectionError>> + Send + Sync>>>;

/// Polls the future in `slot`, making it first where there is none.
fn poll_slot<T>(
    slot: &mut Pending<T>,
    cx: &mut Context<'_>,
    make: impl FnOnce() -> Pin<Box<dyn Future<Output = Result<T, ConnectionError>> + Send + Sync>>,
) -> Poll<Result<T, ConnectionErrorIncoming>> {
    let done = ready!(slot.get_or_insert_with(make).as_mut().poll(cx));
    *slot = None;
    Poll::Ready(done.map_err(connection_error))
}

fn connection_error(error: ConnectionError) -> ConnectionErrorIncoming {
    match error {
        ConnectionError::ApplicationClosed(close) => ConnectionErrorIncoming::ApplicationClose {
            error_code: close.error_code.into(),
        },
        ConnectionError::TimedOut => ConnectionErrorIncoming::Timeout,
        other => ConnectionErrorIncoming::Undefined(Arc::new(other)),
    }
}

fn in_stream(connection_error: ConnectionErrorIncoming) -> StreamErrorIncoming {
    StreamErrorIncoming::ConnectionErrorIncoming { connection_error }
}

fn write_error(error: WriteError) -> StreamErrorIncoming {
    match error {
        WriteError::Stopped(code) => StreamErrorIncoming::StreamTerminated {
            error_code: code.into(),
        },
        WriteError::ConnectionLost(lost) => in_stream(connection_error(lost)),
        other => StreamErrorIncoming::Unknown(Box::new(other)),
    }
}

fn read_error(error: ReadError) -> StreamErrorIncoming {
    match error {
        ReadError::Reset(code) => StreamErrorIncoming::StreamTerminated {
            error_code: code.into(),
        },
        ReadError::ConnectionLost(lost) => in_stream(connection_error(lost)),
        other => StreamErrorIncoming::Unknown(Box::new(other)),
    }
}

fn code(value: u64) -> VarInt {
    VarInt::from_u64(value).unwrap_or(VarInt::MAX)
}

fn stream_id(id: noq::StreamId) -> StreamId {
    u64::from(id)
        .try_into()
        .expect("noq's ids are QUIC's, below 2^62")
}

/// A connection as h3 wants it.
pub struct Connection {
    connection: noq::Connection,
    accepting_bi: Pending<(noq::SendStream, noq::RecvStream)>,
    accepting_uni: Pending<noq::RecvStream>,
    opener: OpenStreams,
}

impl Connection {
    pub fn new(connection: noq::Connection) -> Self {
        let opener = OpenStreams {
            connection: connection.clone(),
            bi: None,
            uni: None,
        };
        Self {
            connection,
            accepting_bi: None,
            accepting_uni: None,
            opener,
        }
    }
}

impl<B: Buf> quic::Connection<B> for Connection {
    type RecvStream = RecvStream;
    type OpenStreams = OpenStreams;

    fn poll_accept_recv(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<RecvStream, ConnectionErrorIncoming>> {
        let connection = &self.connection;
        let accepted = poll_slot(&mut self.accepting_uni, cx, || {
            let connection = connection.clone();
            Box::pin(async move { connection.accept_uni().await })
        });
        accepted.map_ok(RecvStream)
    }

    fn poll_accept_bidi(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<BidiStream<B>, ConnectionErrorIncoming>> {
        let connection = &self.connection;
        let accepted = poll_slot(&mut self.accepting_bi, cx, || {
            let connection = connection.clone();
            Box::pin(async move { connection.accept_bi().await })
        });
        accepted.map_ok(BidiStream::new)
    }

    fn opener(&self) -> OpenStreams {
        self.opener.clone()
    }
}

impl<B: Buf> quic::OpenStreams<B> for Connection {
    type BidiStream = BidiStream<B>;
    type SendStream = SendStream<B>;

    fn poll_open_bidi(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<BidiStream<B>, StreamErrorIncoming>> {
        self.opener.poll_open_bidi(cx)
    }

    fn poll_open_send(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<SendStream<B>, StreamErrorIncoming>> {
        self.opener.poll_open_send(cx)
    }

    fn close(&mut self, code: h3::error::Code, reason: &[u8]) {
        quic::OpenStreams::<B>::close(&mut self.opener, code, reason);
    }
}

/// Opens streams on behalf of h3.
pub struct OpenStreams {
    connection: noq::Connection,
    bi: Pending<(noq::SendStream, noq::RecvStream)>,
    uni: Pending<noq::SendStream>,
}

impl Clone for OpenStreams {
    fn clone(&self) -> Self {
        Self {
            connection: self.connection.clone(),
            bi: None,
            uni: None,
        }
    }
}

impl<B: Buf> quic::OpenStreams<B> for OpenStreams {
    type BidiStream = BidiStream<B>;
    type SendStream = SendStream<B>;

    fn poll_open_bidi(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<BidiStream<B>, StreamErrorIncoming>> {
        let connection = &self.connection;
        let opened = poll_slot(&mut self.bi, cx, || {
            let connection = connection.clone();
            Box::pin(async move { connection.open_bi().await })
        });
        opened.map_ok(BidiStream::new).map_err(in_stream)
    }

    fn poll_open_send(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<SendStream<B>, StreamErrorIncoming>> {
        let connection = &self.connection;
        let opened = poll_slot(&mut self.uni, cx, || {
            let connection = connection.clone();
            Box::pin(async move { connection.open_uni().await })
        });
        opened.map_ok(SendStream::new).map_err(in_stream)
    }

    fn close(&mut self, error: h3::error::Code, reason: &[u8]) {
        self.connection.close(code(error.value()), reason);
    }
}

pub struct RecvStream(noq::RecvStream);

impl quic::RecvStream for RecvStream {
    type Buf = Bytes;

    fn poll_data(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Bytes>, StreamErrorIncoming>> {
        let mut buffer = vec![0; READ_BYTES];
        let read = ready!(self.0.poll_read(cx, &mut buffer)).map_err(read_error)?;
        buffer.truncate(read);
        Poll::Ready(Ok((read > 0).then(|| buffer.into())))
    }

    fn stop_sending(&mut self, error_code: u64) {
        // Fails only on a stream that has ended, which needs no stop.
        let _ = self.0.stop(code(error_code));
    }

    fn recv_id(&self) -> StreamId {
        stream_id(self.0.id())
    }
}

pub struct SendStream<B> {
    stream: noq::SendStream,
    writing: Option<WriteBuf<B>>,
}

impl<B> SendStream<B> {
    fn new(stream: noq::SendStream) -> Self {
        Self {
            stream,
            writing: None,
        }
    }
}

impl<B: Buf> quic::SendStream<B> for SendStream<B> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        while let Some(data) = self.writing.as_mut().filter(|data| data.has_remaining()) {
            let write = Pin::new(&mut self.stream).poll_write(cx, data.chunk());
            data.advance(ready!(write).map_err(write_error)?);
        }
        self.writing = None;
        Poll::Ready(Ok(()))
    }

    fn send_data<T: Into<WriteBuf<B>>>(&mut self, data: T) -> Result<(), StreamErrorIncoming> {
        if self.writing.is_some() {
            let unready = "send_data before poll_ready was done".to_owned();
            return Err(in_stream(ConnectionErrorIncoming::InternalError(unready)));
        }
        self.writing = Some(data.into());
        Ok(())
    }

    fn poll_finish(&mut self, _: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        let finished = self.stream.finish();
        Poll::Ready(finished.map_err(|closed| StreamErrorIncoming::Unknown(Box::new(closed))))
    }

    fn reset(&mut self, reset_code: u64) {
        // Fails only on a stream that has ended, which needs no reset.
        let _ = self.stream.reset(code(reset_code));
    }

    fn send_id(&self) -> StreamId {
        stream_id(self.stream.id())
    }
}

pub struct BidiStream<B> {
    send: SendStream<B>,
    recv: RecvStream,
}

impl<B> BidiStream<B> {
    fn new((send, recv): (noq::SendStream, noq::RecvStream)) -> Self {
        Self {
            send: SendStream::new(send),
            recv: RecvStream(recv),
        }
    }
}

impl<B: Buf> quic::BidiStream<B> for BidiStream<B> {
    type SendStream = SendStream<B>;
    type RecvStream = RecvStream;

    fn split(self) -> (SendStream<B>, RecvStream) {
        (self.send, self.recv)
    }
}

impl<B: Buf> quic::RecvStream for BidiStream<B> {
    type Buf = Bytes;

    fn poll_data(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Bytes>, StreamErrorIncoming>> {
        self.recv.poll_data(cx)
    }

    fn stop_sending(&mut self, error_code: u64) {
        self.recv.stop_sending(error_code);
    }

    fn recv_id(&self) -> StreamId {
        self.recv.recv_id()
    }
}

impl<B: Buf> quic::SendStream<B> for BidiStream<B> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        self.send.poll_ready(cx)
    }

    fn send_data<T: Into<WriteBuf<B>>>(&mut self, data: T) -> Result<(), StreamErrorIncoming> {
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
