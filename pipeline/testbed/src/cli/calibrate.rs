//! `calibrate`: measures whether networks are what they say they are.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::Write as _;
use std::os::fd::RawFd;
use std::sync::mpsc::channel;

use clap::Args;

use super::failure::Failure;
use super::networks::Chosen;
use crate::calibrate::bench::expected_s;
use crate::calibrate::report::{Calibration, table};
use crate::calibrate::tries::measure;
use crate::sandbox::children::Event;
use crate::sandbox::{inner, outer};

const EXAMPLES: &str = "\
Examples:
  eyelevel testbed calibrate --network all --json > calibration.json
  eyelevel testbed calibrate --network DSL,LTE
  eyelevel testbed calibrate --network-file lab.json --json

Measured with packets of its own, through the same emulation as runs, for each network in both directions:
  rate       within 1 %
  round trip the least, with the time on the links taken off: within 1 ms or 1 %
  queue      in ms at the link's rate, with packets of 100 IP bytes: within 10 %
  loss       inside the 99 % interval of what 20000 packets lose
Something out of bounds is measured a second time, with other draws, before it counts: one interval in a hundred does not hold
what is right.

Exit status:
  0    all networks are what they say they are
  1    one is not, or the emulation could not be set up
  2    an argument is wrong
  3    root is needed, or namespaces are not permitted here
  130  interrupted (Ctrl-C); 143 terminated, 129 hung up";

/// Measure whether the emulated networks are what they say they are.
///
/// Takes about 40 seconds for all four, most of them on DA2GC, where 20000 packets take their time.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct CalibrateArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Decides which packets are lost; left out, it is drawn. The JSON tells it
    #[arg(long)]
    seed: Option<u64>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// The arguments of `calibrate`, and the line to the outer process.
#[derive(Debug, Args)]
pub struct CalibrateInsideArguments {
    #[arg(long)]
    lead: RawFd,
    #[command(flatten)]
    calibrate: CalibrateArguments,
}

/// # Errors
/// [`Failure`] where a network is not what it says it is, or nothing could be measured.
pub fn calibrate(arguments: &CalibrateArguments) -> Result<u8, Failure> {
    arguments.chosen.networks()?;
    let own = std::env::args_os().skip(2);
    let inside = |lead: i32| -> Vec<OsString> {
        ["calibrate-inside".into(), "--lead".into(), lead.to_string().into()].into_iter().chain(own).collect()
    };
    Ok(outer::run(inside)?)
}

/// # Errors
/// Those of [`calibrate`].
pub fn inside(arguments: &CalibrateInsideArguments) -> Result<u8, Failure> {
    let lead = inner::settle(arguments.lead)?;
    let (sender, events) = channel();
    inner::follow(lead, sender);
    std::thread::spawn(move || {
        if let Ok(Event::Stop { signal, .. }) = events.recv() {
            std::process::exit(128 + i32::from(signal));
        }
    });
    let arguments = &arguments.calibrate;
    let networks = arguments.chosen.networks()?;
    let expected: f64 = networks.iter().map(expected_s).sum();
    let seed = arguments.seed.unwrap_or_else(any_seed);
    eprintln!("calibrating {} networks with seed {seed}, about {expected:.0} s", networks.len());
    let mut found = BTreeMap::new();
    for network in &networks {
        let measured = measure(network, seed, &|what| eprintln!("  {}: {what}", network.name))?;
        found.insert(network.name.clone(), measured);
    }
    let calibration = Calibration {
        contract: "eyelevel/calibration/1",
        ok: found.values().all(|measured| measured.ok),
        testbed_version: env!("CARGO_PKG_VERSION"),
        seed,
        networks: found,
    };
    print(&calibration, arguments.json)?;
    match calibration.networks.iter().find_map(|(name, measured)| Some((name, measured.problems.first()?))) {
        None => Ok(0),
        Some((name, problem)) => Err(Failure::OffCalibration { network: name.clone(), problem: problem.clone() }),
    }
}

/// Of 63 bits, as seeds of runs have: the standard library draws the keys of its hashes by chance.
fn any_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 1
}

fn print(calibration: &Calibration, as_json: bool) -> Result<(), Failure> {
    let text = if as_json {
        serde_json::to_string_pretty(calibration).expect("numbers and strings always serialize") + "\n"
    } else {
        table(calibration)
    };
    let to_stdout =
        |error: std::io::Error| Failure::Report { file: "standard output".to_owned(), reason: error.to_string() };
    std::io::stdout().write_all(text.as_bytes()).map_err(to_stdout)
}
