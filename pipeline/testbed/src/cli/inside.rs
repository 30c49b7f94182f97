//! `inside`: the flow of a run, as the first process of its namespaces. `run` starts it; people do not.

use std::net::Ipv4Addr;
use std::os::fd::RawFd;
use std::time::Duration;

use clap::Args;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::failure::Failure;
use super::run::RunArguments;
use crate::emulate::Emulation;
use crate::plan;
use crate::recording;
use crate::replay::Replay;
use crate::sandbox::children::{Children, Event};
use crate::sandbox::error::SandboxError;
use crate::sandbox::inner;
use crate::sandbox::links::Links;
use crate::sandbox::namespace::{self, Namespace};
use crate::sandbox::sys;
use crate::session::client;
use crate::session::report::{self, WireReport};
use crate::session::server::Server;
use crate::stacks::Carry;

/// How long the command may take to end once the run shall stop: a browser and a film want to be closed.
const PATIENCE: Duration = Duration::from_secs(5);

/// The arguments of `run`, and the line to the outer process.
#[derive(Debug, Args)]
pub struct InsideArguments {
    #[arg(long)]
    lead: RawFd,
    #[command(flatten)]
    run: RunArguments,
}

/// # Errors
/// [`Failure`] where the run did not come to its end.
pub fn inside(arguments: &InsideArguments, carry: Carry) -> Result<u8, Failure> {
    let run = &arguments.run;
    let lead = inner::settle(arguments.lead)?;
    let mut children = Children::default();
    inner::follow(lead, children.sender());
    children.reap();

    let settings = run.settings()?;
    let recording = recording::load(&run.recording)?;
    let plan = plan::plan(&recording, &Replay::new(&recording), settings.group_by, run.start_url.as_deref())
        .map_err(|reason| Failure::Plan { file: run.recording.display().to_string(), reason })?;
    let addresses: Vec<Ipv4Addr> = plan.addresses().into_iter().collect();

    let carried = carry(settings.stack);
    let (client, server) = (Namespace::new()?, Namespace::new()?);
    client.enter(|| namespace::apply(&client::settings()))?;
    server.enter(|| namespace::apply(&carried.sysctls()))?;
    let links = Links::lay(&client, &server, &addresses, &carried.route_options())?;
    let emulation = Emulation::start(&settings.network, run.seed, &links.to_client, &links.to_server)?;

    // Those of the emulation: sockets that see every packet, and timers.
    sys::keep_all_to_ourselves().map_err(SandboxError::at("keeping descriptors"))?;

    let server = Server::start(&mut children, &server, run, settings.stack)?;
    let outcome = client::start(&children, &client, &run.command, &server.ready, &settings)
        .and_then(|command| watch(&mut children, command, server.pid));

    let served = server.finish(&mut children);
    let wire = WireReport::new(run, &settings, &recording.digest, outcome.as_ref().ok().copied(), &emulation, served);
    for sentence in wire.contradictions.iter().chain(&wire.notes) {
        eprintln!("eyelevel testbed: {sentence}");
    }
    if let Some(file) = &run.report {
        report::write(file, &wire)?;
    }
    outcome
}

/// Waits for the command to end; passes a wish to stop on to it.
fn watch(children: &mut Children, command: Pid, server: Pid) -> Result<u8, Failure> {
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
            Some(Event::Ended(pid, status)) if pid == server => {
                let _ = kill(command, Signal::SIGTERM);
                children.see_off(command, PATIENCE);
                return Err(Failure::Server(format!("ended with exit status {status} before the command did")));
            }
            _ => {}
        }
    }
}
