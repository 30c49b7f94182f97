//! The command of a run, in the client's network namespace.

use std::process::Command;

use nix::unistd::Pid;

use super::error::RunError;
use super::settings::Settings;
use crate::sandbox::children::Children;
use crate::sandbox::namespace::Namespace;
use crate::serve::Announcement;

/// Kernel settings of the client's namespace: the same for every stack.
#[must_use]
pub fn settings() -> Vec<(&'static str, String)> {
    vec![("net.ipv4.tcp_no_metrics_save", "1".to_owned())]
}

/// Starts the command with its parameters in the environment; it inherits our input and outputs.
///
/// # Errors
/// [`RunError::Command`] where it cannot be started.
pub fn start(
    children: &Children,
    namespace: &Namespace,
    servers: &Announcement,
    settings: &Settings,
) -> Result<Pid, RunError> {
    let (program, arguments) = settings.command.split_first().expect("the command line demands at least one word");
    let hosts = serde_json::to_string(&servers.hosts).expect("a map of strings always serializes");
    let started = children.start(
        namespace,
        Command::new(program)
            .args(arguments)
            .env("EYELEVEL_STACK", settings.stack.name)
            .env("EYELEVEL_NETWORK", &settings.network.name)
            .env("EYELEVEL_HOSTS", hosts)
            .env("EYELEVEL_RESOLVER_RULES", resolver_rules(servers))
            .env("EYELEVEL_SPKI", &servers.spki)
            .env("EYELEVEL_START_URL", &servers.start_url),
    )?;
    started.map_err(|reason| RunError::Command { command: program.to_string_lossy().into_owned(), reason })
}

/// Chromium applies the first rule that fits a host, so the last one is for all hosts that were not recorded.
fn resolver_rules(servers: &Announcement) -> String {
    // Chromium compares the host without the brackets that a URL has around an IPv6 address.
    let mapped = servers.hosts.iter().map(|(host, address)| format!("MAP {} {address}", host.trim_matches(['[', ']'])));
    mapped.chain(["MAP * ~NOTFOUND".to_owned()]).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn every_recorded_host_is_mapped_and_no_other_is_found() {
        let at = |last| Ipv4Addr::new(11, 0, 0, last);
        let servers = Announcement {
            spki: "s".to_owned(),
            hosts: [("a.example".to_owned(), at(1)), ("[fd00::2]".to_owned(), at(2))].into(),
            start_url: "https://a.example/".to_owned(),
            addresses: vec![at(1), at(2)],
            port: 443,
        };
        assert_eq!(resolver_rules(&servers), "MAP fd00::2 11.0.0.2, MAP a.example 11.0.0.1, MAP * ~NOTFOUND");
    }
}
