//! Wire test of QUIC libraries for the testbed's server; see README.md.

#![allow(
    clippy::duplicate_mod,
    reason = "quinn_family.rs is compiled for quinn and for its fork"
)]

mod bbr1;
mod client;
mod link;
mod on_noq;
mod on_noq_bbr1;
mod on_quinn;
mod on_quinn_bbr1;
#[cfg(feature = "tquic")]
mod on_tquic;
mod paced_socket;
mod pacing_rule;
mod path;
mod report;
mod scenario;
mod server;
mod wire;

use std::future::Future;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};

use report::Row;
use scenario::Network;
use server::{Congestion, Identity, Library, Order, Setup};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Experiment {
    /// First flight of 1 MB over 100 ms without a limit.
    Flight,
    /// 1 MB and 10 MB on DSL, 1 MB on MSS.
    Bulk,
    /// Who decides the order of bytes of six streams, and how late.
    Priority,
}

/// Measures QUIC servers on the wire, behind an emulated path on loopback.
///
/// Prints one line per setting with `median [least, most]` over the runs; talk goes to stderr.
/// Exit status: 0 all measured, 1 a setting failed (its line says why), 2 bad arguments.
#[derive(Debug, Parser)]
#[command(after_help = "Example: quic_choice --experiments flight --libraries quinn,noq --runs 3")]
struct Args {
    #[arg(long, value_delimiter = ',', default_values = ["flight", "bulk", "priority"])]
    experiments: Vec<Experiment>,
    /// tquic needs the feature of the same name.
    #[arg(long, value_delimiter = ',', default_values = ["quinn", "quinn-own", "noq", "noq-own"])]
    libraries: Vec<Library>,
    #[arg(long, value_delimiter = ',', default_values = ["cubic", "bbr"])]
    congestion: Vec<Congestion>,
    /// Networks of the bulk experiment.
    #[arg(long, value_delimiter = ',', default_values = ["dsl", "mss"])]
    networks: Vec<Network>,
    /// Runs per setting.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=100))]
    runs: u64,
    /// Seed of the loss of the first run; each further run takes the next.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=1 << 40))]
    seed: u64,
    /// Also write every run as JSON to this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("quic_choice: {error:#}");
            ExitCode::from(1)
        }
    }
}

fn run(args: &Args) -> Result<bool> {
    // Fails before the run, not after it.
    if let Some(path) = &args.json {
        std::fs::write(path, "[]").with_context(|| format!("write {}", path.display()))?;
    }
    let mut bench = Bench {
        args,
        identity: Identity::new()?,
        rows: Vec::new(),
    };
    for experiment in &args.experiments {
        for &library in &args.libraries {
            match experiment {
                Experiment::Flight => bench.flight(library)?,
                Experiment::Bulk => bench.bulk(library)?,
                Experiment::Priority => bench.priority(library)?,
            }
        }
    }
    Ok(!bench
        .rows
        .iter()
        .any(|row| matches!(row, Row::Failed { .. })))
}

struct Bench<'a> {
    args: &'a Args,
    identity: Identity,
    rows: Vec<Row>,
}

impl Bench<'_> {
    fn flight(&mut self, library: Library) -> Result<()> {
        for &congestion in &self.args.congestion {
            let setup = Setup {
                library,
                congestion,
                order: Order::RoundRobin,
            };
            let runs = self.repeat(|seed| scenario::flight(setup, seed, &self.identity));
            let row = |runs| Row::Flight {
                library,
                congestion,
                runs,
            };
            self.keep(library, &format!("flight {congestion:?}"), runs, row)?;
        }
        Ok(())
    }

    fn bulk(&mut self, library: Library) -> Result<()> {
        for &network in &self.args.networks {
            let sizes: &[u64] = match network {
                Network::Mss => &[1_000_000],
                _ => &[1_000_000, 10_000_000],
            };
            for (&congestion, &size) in pairs(&self.args.congestion, sizes) {
                let setup = Setup {
                    library,
                    congestion,
                    order: Order::RoundRobin,
                };
                let one = |seed| scenario::bulk(setup, network, size, seed, &self.identity);
                let runs = self.repeat(one);
                let row = |runs| Row::Bulk {
                    library,
                    congestion,
                    network,
                    response_bytes: size,
                    runs,
                };
                let what = format!("bulk {congestion:?} {network:?} {size} bytes");
                self.keep(library, &what, runs, row)?;
            }
        }
        Ok(())
    }

    fn priority(&mut self, library: Library) -> Result<()> {
        for order in [Order::RoundRobin, Order::Library, Order::Application] {
            if library == Library::Tquic && order == Order::Application {
                continue; // Not written for its event loop.
            }
            let setup = Setup {
                library,
                congestion: Congestion::Cubic,
                order,
            };
            let runs = self.repeat(|seed| scenario::priority(setup, seed, &self.identity));
            let row = |runs| Row::Priority {
                library,
                order,
                runs,
            };
            self.keep(library, &format!("priority {order:?}"), runs, row)?;
        }
        Ok(())
    }

    /// Each run on a runtime of its own, so that no task of one is left in the next.
    fn repeat<T, F: Future<Output = Result<T>>>(&self, one: impl Fn(u64) -> F) -> Result<Vec<T>> {
        (self.args.seed..self.args.seed + self.args.runs)
            .map(|seed| {
                let runtime = tokio::runtime::Builder::new_multi_thread()
                    .worker_threads(2)
                    .enable_all()
                    .build()?;
                runtime.block_on(one(seed))
            })
            .collect()
    }

    fn keep<T>(
        &mut self,
        library: Library,
        what: &str,
        runs: Result<Vec<T>>,
        row: impl FnOnce(Vec<T>) -> Row,
    ) -> Result<()> {
        let row = match runs {
            Ok(runs) => row(runs),
            Err(error) => Row::Failed {
                library,
                what: what.into(),
                error: format!("{error:#}"),
            },
        };
        println!("{}", row.line());
        self.rows.push(row);
        let Some(path) = &self.args.json else {
            return Ok(());
        };
        let json = serde_json::to_vec_pretty(&self.rows)?;
        std::fs::write(path, json).with_context(|| format!("write {}", path.display()))
    }
}

fn pairs<'a, A, B>(a: &'a [A], b: &'a [B]) -> impl Iterator<Item = (&'a A, &'a B)> {
    a.iter().flat_map(move |x| b.iter().map(move |y| (x, y)))
}
