//! Network namespaces, held by a descriptor: none has a name, so none can be left behind.

use std::sync::Arc;
use std::thread;

use nix::sched::{CloneFlags, setns, unshare};
use rattan_env::{DefaultEnv, Env, NetNs};

use super::error::SandboxError;

/// A network namespace that lives as long as something uses it.
#[derive(Debug, Clone)]
pub struct Namespace {
    handle: Arc<NetNs>,
}

impl Namespace {
    /// A fresh, empty one with IPv6 switched off.
    ///
    /// # Errors
    /// Where the right to make one is missing, or /proc is not ours.
    pub fn new() -> Result<Self, SandboxError> {
        on_a_thread(|| {
            unshare(CloneFlags::CLONE_NEWNET).map_err(SandboxError::calling("a network namespace"))?;
            without_ipv6()?;
            Self::of_this_thread()
        })
    }

    /// The one that the calling thread is in.
    ///
    /// # Errors
    /// Where /proc is not ours.
    pub fn of_this_thread() -> Result<Self, SandboxError> {
        let handle = Arc::new(DefaultEnv).current().map_err(SandboxError::at("the handle of a network namespace"))?;
        Ok(Self { handle })
    }

    /// What the emulation's library knows this namespace by.
    #[must_use]
    pub fn handle(&self) -> &Arc<NetNs> {
        &self.handle
    }

    /// Runs `task` on a thread of its own inside this namespace; processes it starts live there.
    ///
    /// # Errors
    /// Those of `task`, or where the namespace cannot be entered.
    pub fn enter<T: Send>(&self, task: impl FnOnce() -> Result<T, SandboxError> + Send) -> Result<T, SandboxError> {
        on_a_thread(|| {
            self.enter_for_good()?;
            task()
        })
    }

    /// Moves the calling thread, and all threads and processes that it starts, into this namespace.
    ///
    /// # Errors
    /// Where the namespace cannot be entered.
    pub fn enter_for_good(&self) -> Result<(), SandboxError> {
        setns(&*self.handle, CloneFlags::CLONE_NEWNET).map_err(SandboxError::calling("entering a network namespace"))
    }
}

fn on_a_thread<T: Send>(task: impl FnOnce() -> Result<T, SandboxError> + Send) -> Result<T, SandboxError> {
    thread::scope(|scope| scope.spawn(task).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Switches IPv6 off for all interfaces to come of the calling thread's namespace. A kernel without IPv6 is as good.
///
/// # Errors
/// Where the kernel has IPv6 but does not let us.
pub fn without_ipv6() -> Result<(), SandboxError> {
    for interfaces in ["all", "default"] {
        let name = format!("net.ipv6.conf.{interfaces}.disable_ipv6");
        match set(&name, "1") {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(SandboxError::Failed { step: "switching IPv6 off", reason: error.to_string() });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Applies kernel settings, named below /proc/sys with dots, to the calling thread's namespace.
///
/// # Errors
/// Names the setting.
pub fn apply(settings: &[(&'static str, String)]) -> Result<(), SandboxError> {
    for (name, value) in settings {
        set(name, value).map_err(|error| SandboxError::Failed { step: name, reason: error.to_string() })?;
    }
    Ok(())
}

fn set(name: &str, value: &str) -> std::io::Result<()> {
    std::fs::write(format!("/proc/sys/{}", name.replace('.', "/")), value)
}
