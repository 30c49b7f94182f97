//! The steps of a run, in the first process of its namespaces.

use std::net::Ipv4Addr;
use std::os::fd::OwnedFd;
use std::time::{Duration, SystemTime};

use eyelevel_replay::site::Site;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::command;
use super::error::RunError;
use super::report::{self, Replayed, WireReport};
use super::server::Server;
use super::settings::Settings;
use crate::emulate::Emulation;
use crate::sandbox::children::{Children, Event};
use crate::sandbox::error::SandboxError;
use crate::sandbox::links::Links;
use crate::sandbox::namespace::{self, Namespace};
use crate::sandbox::{inner, sys};

/// The time for the command to end after the run is asked to stop: browsers and films need time to be closed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs the command in front of the served recording; returns the command's exit status. `lead` is the line to the outer process.
///
/// # Errors
/// [`RunError`] where the run did not reach its end.
pub fn run(settings: &Settings, lead: OwnedFd) -> Result<u8, RunError> {
    let lead = inner::settle(lead)?;
    let mut children = Children::default();
    inner::follow(lead, children.sender());
    children.reap();

    let (volatile, start_url) = (settings.volatile.as_deref(), settings.start_url.as_deref());
    let site = Site::load(&settings.recording, volatile, settings.group_by, start_url, SystemTime::now())?;
    for unserved in &site.placement.unserved {
        eprintln!("eyelevel testbed: replay cannot serve {unserved}; what the page asks of it is missed");
    }
    for flaw in &site.flaws {
        eprintln!("eyelevel testbed: replay cannot serve {flaw}");
    }
    let replayed = Replayed { recording: site.digest.clone(), volatile: site.volatile.clone() };
    let addresses: Vec<Ipv4Addr> = site.placement.addresses().into_iter().collect();

    let (client, server) = (Namespace::new()?, Namespace::new()?);
    client.enter(|| namespace::apply(&command::settings()))?;
    server.enter(|| namespace::apply(&settings.carried.sysctls()))?;
    let links = Links::lay(&client, &server, &addresses, &settings.carried.route_options())?;
    let emulation = Emulation::start(&settings.network, settings.seed, &links.to_client, &links.to_server)?;
    if settings.series {
        emulation.keep_series();
    }
    let server = Server::start(&mut children, &server, site, settings)?;

    // Sockets that see every packet, timers, and what the server listens on.
    sys::keep_all_to_ourselves().map_err(SandboxError::at("keeping descriptors from the command"))?;
    let outcome = command::start(&children, &client, server.announcement(), settings)
        .and_then(|command| watch(&mut children, command, || server.has_ended()));

    let served = server.finish(&mut children);
    let counted_from = settings.counted_from.as_deref().map_or(Ok(None), report::counted_from)?;
    let wire = WireReport::new(settings, replayed, outcome.as_ref().ok().copied(), &emulation, served, counted_from);
    for sentence in wire.contradictions.iter().chain(&wire.notes) {
        eprintln!("eyelevel testbed: {sentence}");
    }
    if let Some(file) = &settings.report {
        report::write(file, &wire)?;
    }
    outcome
}

/// Waits for the command to end, and passes a request to stop on to it.
fn watch(children: &mut Children, command: Pid, server_has_ended: impl Fn() -> bool) -> Result<u8, RunError> {
    loop {
        let event = children.next(None);
        if let Some(status) = children.ended(command) {
            return Ok(status);
        }
        match event {
            Some(Event::Stop { signal, known }) => {
                if !known {
                    let _ = kill(command, Signal::try_from(i32::from(signal)).unwrap_or(Signal::SIGTERM));
                }
                children.see_off(command, PATIENCE);
                return Ok(128 + signal);
            }
            Some(Event::Server) if server_has_ended() => {
                let _ = kill(command, Signal::SIGTERM);
                children.see_off(command, PATIENCE);
                return Err(RunError::Server("it ended before the command did".to_owned()));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// A command that would go on, whose end is reported as the reaper does.
    fn command(children: &Children) -> Pid {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let (pid, events) = (Pid::from_raw(i32::try_from(child.id()).unwrap()), children.sender());
        std::thread::spawn(move || {
            child.wait().unwrap();
            let _ = events.send(Event::Ended(pid, 143));
        });
        pid
    }

    #[test]
    fn the_end_of_the_server_ends_the_command_and_is_an_error() {
        let mut children = Children::default();
        let command = command(&children);
        children.sender().send(Event::Server).unwrap();
        let outcome = watch(&mut children, command, || true);
        assert!(matches!(outcome, Err(RunError::Server(_))), "{outcome:?}");
        assert_eq!(children.ended(command), Some(143));
    }

    #[test]
    fn a_server_that_listens_ends_nothing() {
        let mut children = Children::default();
        let command = command(&children);
        children.sender().send(Event::Server).unwrap();
        children.sender().send(Event::Stop { signal: 15, known: false }).unwrap();
        assert_eq!(watch(&mut children, command, || false).unwrap(), 143);
    }
}
