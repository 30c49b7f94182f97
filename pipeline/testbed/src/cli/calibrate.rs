//! `calibrate`: measures whether emulated networks match their definitions.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::sync::mpsc::channel;

use clap::Args;
use eyelevel_definitions::networks::Network;

use super::failure::Failure;
use super::networks::Chosen;
use super::outcome::status;
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

Sends test packets through the same emulation as runs and measures, for each network in both directions:
  rate        within 1 %
  round trip  the minimum, without the transmission time on the links: within 1 ms or 1 %
  queue       in ms at the link's rate, with packets of 100 IP bytes: within 10 %
  loss        the definition is inside the 99 % confidence interval of 20000 packets
A network that is out of tolerance is measured a second time with another seed, since one 99 % interval in a hundred misses the
true value.

Exit status:
  0    all networks are within their tolerances
  1    one is not, or the emulation could not be set up
  2    an argument is wrong
  3    root is required, or namespaces are not permitted here
  130  interrupted (Ctrl-C); 143 terminated, 129 hung up";

/// Measure whether the emulated networks match their definitions.
///
/// Takes about 40 seconds for all four, most of them for DA2GC, where 20000 packets take longest.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct CalibrateArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Random seed of packet loss; default: a random one, which the JSON reports
    #[arg(long)]
    seed: Option<u64>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// # Errors
/// [`Failure`] where an argument is wrong. Errors of the calibration itself are printed by the inner process, and are its status.
pub fn calibrate(arguments: &CalibrateArguments) -> Result<u8, Failure> {
    let networks = arguments.chosen.networks()?;
    let seed = arguments.seed.unwrap_or_else(any_seed);
    Ok(outer::run(|lead| status(inside(&networks, seed, arguments.json, lead)))?)
}

/// Measures in the first process of new namespaces, and prints.
fn inside(networks: &[Network], seed: u64, json: bool, lead: OwnedFd) -> Result<u8, Failure> {
    let lead = inner::settle(lead)?;
    let (sender, events) = channel();
    inner::follow(lead, sender);
    std::thread::spawn(move || {
        if let Ok(Event::Stop { signal, .. }) = events.recv() {
            std::process::exit(128 + i32::from(signal));
        }
    });
    let expected: f64 = networks.iter().map(expected_s).sum();
    eprintln!("calibrating {} networks with seed {seed}, about {expected:.0} s", networks.len());
    let mut calibrated = BTreeMap::new();
    for network in networks {
        let measured = measure(network, seed, &|what| eprintln!("  {}: {what}", network.name))?;
        calibrated.insert(network.name.clone(), measured);
    }
    let calibration = Calibration {
        contract: "eyelevel/calibration/1",
        ok: calibrated.values().all(|measured| measured.ok),
        testbed_version: env!("CARGO_PKG_VERSION"),
        seed,
        networks: calibrated,
    };
    print(&calibration, json)?;
    match calibration.networks.iter().find_map(|(name, measured)| Some((name, measured.problems.first()?))) {
        None => Ok(0),
        Some((name, problem)) => Err(Failure::OffCalibration { network: name.clone(), problem: problem.clone() }),
    }
}

/// A random seed of 63 bits, as those of runs: the standard library draws the keys of its hashes at random.
fn any_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 1
}

fn print(calibration: &Calibration, as_json: bool) -> Result<(), Failure> {
    let text = if as_json {
        serde_json::to_string_pretty(calibration).expect("numbers and strings always serialize") + "\n"
    } else {
        table(calibration)
    };
    let mut stdout = std::io::stdout();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| Failure::stdout(&error))
}
