//! The two socket options that no library here knows: the only unsafe code of the servers.
#![allow(unsafe_code)]

use std::io;
use std::mem::{MaybeUninit, size_of};
use std::os::fd::{AsRawFd, BorrowedFd};

/// The kernel's slow-start threshold until slow start has ended once (`TCP_INFINITE_SSTHRESH`).
pub const INFINITE_THRESHOLD: u32 = 0x7fff_ffff;

/// The kernel's state of a TCP connection (`struct tcp_info`; times in microseconds).
#[derive(Debug, Clone, Copy)]
pub struct TcpInfo {
    pub cwnd_packets: u32,
    /// [`INFINITE_THRESHOLD`] until slow start has ended once.
    pub slow_start_threshold_packets: u32,
    pub mss_bytes: u32,
    pub rtt_us: u32,
    pub min_rtt_us: u32,
    pub retransmitted_packets: u32,
    pub sent_packets: u32,
    /// Retransmission timeouts.
    pub timeouts: u32,
    /// `u64::MAX` where nothing limits it.
    pub pacing_rate_bytes_per_s: u64,
}

/// Any rate switches on the kernel's own pacing, without the fq queue; one that is never reached leaves the pace to the
/// congestion control.
///
/// # Errors
/// The kernel's.
pub fn set_max_pacing_rate(socket: BorrowedFd<'_>, bytes_per_s: u64) -> io::Result<()> {
    // SAFETY: the pointer is to a live u64 of the length given, which is what SO_MAX_PACING_RATE takes.
    let status = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_MAX_PACING_RATE,
            (&raw const bytes_per_s).cast(),
            socklen(size_of::<u64>()),
        )
    };
    if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// `u64::MAX` where nobody set one.
///
/// # Errors
/// The kernel's.
pub fn max_pacing_rate(socket: BorrowedFd<'_>) -> io::Result<u64> {
    let mut rate = 0_u64;
    let mut length = socklen(size_of::<u64>());
    // SAFETY: the kernel writes at most `length` bytes into a live u64.
    let status = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_MAX_PACING_RATE,
            (&raw mut rate).cast(),
            &raw mut length,
        )
    };
    if status == 0 { Ok(rate) } else { Err(io::Error::last_os_error()) }
}

/// # Errors
/// The kernel's, such as for a socket that is not of TCP.
pub fn tcp_info(socket: BorrowedFd<'_>) -> io::Result<TcpInfo> {
    let mut info = MaybeUninit::<libc::tcp_info>::zeroed();
    let mut length = socklen(size_of::<libc::tcp_info>());
    // SAFETY: the kernel writes at most `length` bytes into `info`; what it leaves is zero, and every bit pattern is valid.
    let (status, info) = unsafe {
        let status = libc::getsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            info.as_mut_ptr().cast(),
            &raw mut length,
        );
        (status, info.assume_init())
    };
    if status != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(TcpInfo {
        cwnd_packets: info.tcpi_snd_cwnd,
        slow_start_threshold_packets: info.tcpi_snd_ssthresh,
        mss_bytes: info.tcpi_snd_mss,
        rtt_us: info.tcpi_rtt,
        min_rtt_us: info.tcpi_min_rtt,
        retransmitted_packets: info.tcpi_total_retrans,
        sent_packets: info.tcpi_segs_out,
        timeouts: info.tcpi_total_rto.into(),
        pacing_rate_bytes_per_s: info.tcpi_pacing_rate,
    })
}

fn socklen(bytes: usize) -> libc::socklen_t {
    libc::socklen_t::try_from(bytes).expect("a small constant")
}
