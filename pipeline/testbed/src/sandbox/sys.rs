//! System calls that no library wraps safely. Unsafe code is allowed here and in `socket` only.
#![allow(
    unsafe_code,
    reason = "fork, dispositions of signals, options of AF_PACKET sockets, scheduling classes and their limit have no safe wrapper"
)]

use std::io;
use std::mem;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};

use nix::sys::signal::{SigHandler, Signal};
use nix::sys::socket::{setsockopt, sockopt};
use nix::unistd::ForkResult;
use tokio::io::unix::AsyncFd;

/// Forks this process.
///
/// # Errors
/// Where it has another thread, which might hold a lock that the child would wait for without end; or the kernel's.
pub fn fork() -> io::Result<ForkResult> {
    if std::fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err(io::Error::other("this process has more than one thread"));
    }
    // SAFETY: with one thread, as checked above, the child may do whatever the parent may.
    unsafe { nix::unistd::fork() }.map_err(io::Error::from)
}

/// Gives a signal its default disposition in this process.
///
/// # Errors
/// The kernel's.
pub fn default_disposition(signal: Signal) -> nix::Result<()> {
    // SAFETY: the default action runs no code of this process.
    unsafe { nix::sys::signal::signal(signal, SigHandler::SigDfl) }.map(drop)
}

/// Keeps every descriptor but the three standard ones from the processes that this one starts. Libraries open some without.
///
/// # Errors
/// Where the kernel is older than 5.11.
pub fn keep_all_to_ourselves() -> io::Result<()> {
    // SAFETY: marks descriptors, closes none.
    let answer = unsafe { libc::close_range(3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC as libc::c_int) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// An own descriptor for a socket that a library keeps to itself.
///
/// # Errors
/// Where the socket is not open.
pub fn duplicate(socket: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: borrowed for this one call, which fails where it is not open.
    unsafe { BorrowedFd::borrow_raw(socket) }.try_clone_to_owned()
}

/// Tells the runtime around us to watch a descriptor.
///
/// # Errors
/// Where the descriptor cannot be watched.
pub fn watch(fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` stays open, and the same, for as long as the watch owns it.
    Ok(unsafe { AsyncFd::register(fd) }?)
}

/// Gives an AF_PACKET socket room for a burst, and keeps it from seeing what it sends itself.
///
/// # Errors
/// Where the kernel refuses either.
pub fn prepare_capture(socket: &OwnedFd, buffer_bytes: usize) -> io::Result<()> {
    setsockopt(socket, sockopt::RcvBufForce, &buffer_bytes)?;
    let on: libc::c_int = 1;
    // SAFETY: the option takes an int, whose address and size are given.
    let answer = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_PACKET,
            libc::PACKET_IGNORE_OUTGOING,
            (&raw const on).cast(),
            mem::size_of_val(&on) as libc::socklen_t,
        )
    };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// How many packets an AF_PACKET socket had no room for since this was last asked.
///
/// # Errors
/// Where the descriptor is not such a socket.
pub fn missed_packets(socket: &OwnedFd) -> io::Result<u64> {
    let mut stats = libc::tpacket_stats { tp_packets: 0, tp_drops: 0 };
    let mut length = mem::size_of_val(&stats) as libc::socklen_t;
    // SAFETY: the option writes at most `length` bytes of exactly this struct.
    let answer = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_PACKET,
            libc::PACKET_STATISTICS,
            (&raw mut stats).cast(),
            &raw mut length,
        )
    };
    if answer == 0 { Ok(u64::from(stats.tp_drops)) } else { Err(io::Error::last_os_error()) }
}

/// Threads that run before all ordinary ones, as priorities of SCHED_FIFO: the emulation before the servers.
#[derive(Debug, Clone, Copy)]
pub enum Urgency {
    Server = 1,
    Emulation = 2,
}

/// A thread that runs before all ordinary ones and does not pause for so long ends this process: otherwise one that spins would
/// hold a processor for as long as it lives. The longest known work without a pause takes below a second.
pub const LONGEST_WITHOUT_PAUSE_S: u64 = 5;
const SPINNING: &[u8] =
    b"eyelevel testbed: a thread with real-time priority used a processor for 5 s without a pause; the run \
    was ended, since such a thread would block the processor.\n";

/// Lets the calling thread run before all ordinary ones whenever it has something to do, within [`LONGEST_WITHOUT_PAUSE_S`].
///
/// # Errors
/// Where the system has no real-time share for us (some containers), or the limit cannot be set.
pub fn run_at_once(urgency: Urgency) -> io::Result<()> {
    // SAFETY: the handler only writes and exits, both of which a handler may do.
    unsafe { nix::sys::signal::signal(Signal::SIGXCPU, SigHandler::Handler(spinning)) }?;
    // A second later the kernel ends the process itself, whatever became of the handler.
    let limit_us = LONGEST_WITHOUT_PAUSE_S * 1_000_000;
    let limit = libc::rlimit { rlim_cur: limit_us, rlim_max: limit_us + 1_000_000 };
    // SAFETY: the struct outlives the call.
    if unsafe { libc::setrlimit(libc::RLIMIT_RTTIME, &raw const limit) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let priority = libc::sched_param { sched_priority: urgency as libc::c_int };
    // SAFETY: 0 is the calling thread; the struct outlives the call. Our children do not inherit the class.
    let answer =
        unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK, &raw const priority) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

extern "C" fn spinning(_: libc::c_int) {
    // SAFETY: both calls are safe in a handler; the buffer is static.
    unsafe {
        libc::write(libc::STDERR_FILENO, SPINNING.as_ptr().cast(), SPINNING.len());
        libc::_exit(1);
    }
}
