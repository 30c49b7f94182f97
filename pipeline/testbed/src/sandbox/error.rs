//! Errors in setting up the namespaces of a run.

use nix::errno::Errno;

/// Errors in setting up namespaces, links or processes of a run. Each sentence names the step.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    #[error("needs root, or the right to create namespaces (CAP_SYS_ADMIN and CAP_NET_ADMIN): {step} is not permitted")]
    NotPermitted { step: &'static str },
    #[error("cannot set up the testbed: {step}: {reason}")]
    Failed { step: &'static str, reason: String },
}

impl SandboxError {
    /// Turns the error of a library into one that names the step.
    pub fn at<E: std::fmt::Display>(step: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Failed { step, reason: error.to_string() }
    }

    /// The same for a system call, where a missing right is told apart.
    pub fn calling(step: &'static str) -> impl FnOnce(Errno) -> Self {
        move |errno| match errno {
            Errno::EPERM | Errno::EACCES => Self::NotPermitted { step },
            _ => Self::Failed { step, reason: errno.desc().to_owned() },
        }
    }
}
