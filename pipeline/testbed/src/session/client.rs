//! The command, in the client's namespace.

use std::ffi::OsString;
use std::process::Command;

use nix::unistd::Pid;

use super::server::Ready;
use crate::cli::{Failure, Settings};
use crate::sandbox::children::Children;
use crate::sandbox::namespace::Namespace;

/// Kernel settings of the client's namespace: the same for every stack.
#[must_use]
pub fn settings() -> Vec<(&'static str, String)> {
    vec![("net.ipv4.tcp_no_metrics_save", "1".to_owned())]
}

/// Starts the command with what it needs to know in its environment; it inherits our input and outputs.
///
/// # Errors
/// [`Failure::Command`] where it cannot be started.
pub fn start(
    children: &Children,
    namespace: &Namespace,
    command: &[OsString],
    ready: &Ready,
    settings: &Settings,
) -> Result<Pid, Failure> {
    let (program, arguments) = command.split_first().expect("the command line demands at least one word");
    let hosts = serde_json::to_string(&ready.hosts).expect("a map of strings always serializes");
    let started = children.start(
        namespace,
        Command::new(program)
            .args(arguments)
            .env("EYELEVEL_STACK", settings.stack.name)
            .env("EYELEVEL_NETWORK", &settings.network.name)
            .env("EYELEVEL_HOSTS", hosts)
            .env("EYELEVEL_RESOLVER_RULES", resolver_rules(ready))
            .env("EYELEVEL_SPKI", &ready.spki)
            .env("EYELEVEL_START_URL", &ready.start_url),
    )?;
    started.map_err(|reason| Failure::Command { command: program.to_string_lossy().into_owned(), reason })
}

/// The first rule that fits a host wins, so the last one is for all that was not recorded.
fn resolver_rules(ready: &Ready) -> String {
    let mapped = ready.hosts.iter().map(|(host, address)| format!("MAP {host} {address}"));
    mapped.chain(["MAP * ~NOTFOUND".to_owned()]).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_host_is_mapped_and_no_other_is_found() {
        let ready: Ready = serde_json::from_str(
            r#"{"spki": "s", "start_url": "https://a.example/", "hosts": {"a.example": "11.0.0.1", "b.example": "11.0.0.2"}}"#,
        )
        .unwrap();
        assert_eq!(resolver_rules(&ready), "MAP a.example 11.0.0.1, MAP b.example 11.0.0.2, MAP * ~NOTFOUND");
    }
}
