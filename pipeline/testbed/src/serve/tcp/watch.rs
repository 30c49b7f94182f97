//! A stream that knows whether the kernel has all of its bytes, and that sees the frames that the HTTP/2 library passes over.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;

use super::super::updates::{Reader, Update};

/// Says whether bytes wait above the kernel. The connection's task is the only one to use it.
#[derive(Clone, Default)]
pub struct Backlog(Arc<AtomicBool>);

impl Backlog {
    pub fn waits(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Something was handed to the layer above and has not been written yet.
    pub fn add(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Wraps a stream whose flush completes only when the kernel took all, as that of tokio-rustls does.
pub struct Watched<S> {
    inner: S,
    backlog: Backlog,
    reader: Reader,
    updates: mpsc::UnboundedSender<Update>,
}

impl<S> Watched<S> {
    pub fn new(inner: S, updates: mpsc::UnboundedSender<Update>) -> (Self, Backlog) {
        let backlog = Backlog::default();
        (Self { inner, backlog: backlog.clone(), reader: Reader::http2(), updates }, backlog)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let this = &mut *self;
        let read = Pin::new(&mut this.inner).poll_read(cx, buf);
        for update in this.reader.read(&buf.filled()[before..]) {
            // The receiver is the connection that reads.
            let _ = this.updates.send(update);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.backlog.add();
        Pin::new(&mut self.inner).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.backlog.add();
        Pin::new(&mut self.inner).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        if matches!(flushed, Poll::Ready(Ok(()))) {
            self.backlog.clear();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
