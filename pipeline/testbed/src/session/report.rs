//! The wire report: recording, stack, network, and the observations of link and server.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use eyelevel_wire::Flow;
use eyelevel_wire::contradictions::{Evidence, contradictions};
use eyelevel_wire::notes::notes;
use eyelevel_wire::summary::{Summary, summary};
use serde::Serialize;
use serde_json::Value;

use super::command;
use super::error::RunError;
use super::settings::Settings;
use crate::emulate::{Emulation, LinkReport};
use crate::files;
use crate::serve::{self, Earlier, ServingReport};

/// The JSON file that `--report` names.
#[derive(Debug, Serialize)]
pub struct WireReport {
    contract: &'static str,
    testbed_version: &'static str,
    kernel: Option<String>,
    recording: Identified,
    /// SHA-256 of the file of volatile parameters; null where none was given.
    volatile_sha256: Option<String>,
    stack: Defined,
    network: Defined,
    scheduler: &'static str,
    seed: u64,
    /// As a shell tells it; null where the command did not run to its end.
    exit_status: Option<u8>,
    server_settings: BTreeMap<&'static str, String>,
    client_settings: BTreeMap<&'static str, String>,
    link: LinkReport,
    /// Settings in force on the wire, and outcomes.
    wire: Summary,
    /// Every connection, from its packets.
    flows: Vec<Flow>,
    /// Contradictions of the stack's definition, a sentence each.
    pub contradictions: Vec<String>,
    /// Further notes, a sentence each; they do not void the run.
    pub notes: Vec<String>,
    /// The server's own part; null where it left none.
    server: Option<ServingReport>,
    /// What flows and server omit, if the report counts from a later moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier: Option<Earlier>,
}

/// The replayed recording, by the digests of its files.
#[derive(Debug)]
pub struct Replayed {
    pub recording: String,
    pub volatile: Option<String>,
}

#[derive(Debug, Serialize)]
struct Identified {
    digest: String,
}

#[derive(Debug, Serialize)]
struct Defined {
    name: String,
    digest: String,
    definition: Value,
}

impl WireReport {
    /// Puts together what the parts of a run know.
    #[must_use]
    pub fn new(
        settings: &Settings,
        replayed: Replayed,
        exit_status: Option<u8>,
        emulation: &Emulation,
        server: Option<ServingReport>,
        counted_from: Option<Instant>,
    ) -> Self {
        let (stack, network) = (settings.stack, &settings.network);
        let flows = emulation.flows(counted_from);
        let (server, earlier) = match (server, counted_from) {
            (Some(server), Some(from)) => {
                let (server, earlier) = server.since(from);
                (Some(server), Some(earlier))
            }
            (server, _) => (server, None),
        };
        let part = server.as_ref().map(ServingReport::part);
        let evidence = Evidence {
            flows: &flows,
            server: part.as_ref(),
            untouched: &serve::kernel_settings(),
            rtt_ms: Some(network.round_trip_ms()).filter(|rtt_ms| *rtt_ms > 0.0),
        };
        let link = emulation.report();
        let real_time = link.real_time && server.as_ref().is_none_or(|server| server.real_time);
        Self {
            contract: "eyelevel/wire/1",
            testbed_version: env!("CARGO_PKG_VERSION"),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease").ok().map(|release| release.trim().to_owned()),
            recording: Identified { digest: replayed.recording },
            volatile_sha256: replayed.volatile,
            stack: Defined { name: stack.name.to_owned(), digest: stack.digest(), definition: plain(stack) },
            network: Defined { name: network.name.clone(), digest: network.digest(), definition: plain(network) },
            scheduler: settings.scheduling.kind.name(),
            seed: settings.seed,
            exit_status,
            server_settings: stack.sysctls().into_iter().chain(stack.route_options()).collect(),
            client_settings: command::settings().into_iter().collect(),
            link,
            wire: summary(&flows, part.as_ref()),
            contradictions: contradictions(stack, &evidence),
            notes: notes(stack, part.as_ref(), real_time),
            flows,
            server,
            earlier,
        }
    }
}

fn plain(definition: &impl Serialize) -> Value {
    serde_json::to_value(definition).expect("a plain struct of plain values always serializes")
}

/// The moment in the command's file; `None` where it wrote none.
///
/// # Errors
/// [`RunError::CountedFrom`] where there is no moment of the past in it.
pub fn counted_from(file: &Path) -> Result<Option<Instant>, RunError> {
    let wrong = |found: String| RunError::CountedFrom { file: file.display().to_string(), found };
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(wrong(error.to_string())),
    };
    let ms: Option<f64> = text.trim().parse().ok();
    let since_1970 = ms.and_then(|ms| Duration::try_from_secs_f64(ms / 1e3).ok());
    let ago = since_1970.and_then(|at| SystemTime::now().duration_since(UNIX_EPOCH).ok()?.checked_sub(at));
    ago.and_then(|ago| Instant::now().checked_sub(ago)).map(Some).ok_or_else(|| wrong(format!("{:?}", text.trim())))
}

/// # Errors
/// [`RunError::Report`] names the file.
pub fn write(file: &Path, report: &WireReport) -> Result<(), RunError> {
    let mut text = serde_json::to_vec_pretty(report).expect("numbers, strings and maps of strings always serialize");
    text.push(b'\n');
    files::write(file, &text).map_err(|reason| RunError::Report { file: file.display().to_string(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moment_that_the_command_wrote_is_found_and_anything_else_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("counted-from");
        assert_eq!(counted_from(&file).unwrap(), None);
        let ms_ago = |ms: u128| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() - ms;
        fs::write(&file, format!("{}.5\n", ms_ago(1500))).unwrap();
        let ago = counted_from(&file).unwrap().unwrap().elapsed();
        assert!((1400..1700).contains(&ago.as_millis()), "{ago:?}");
        for wrong in ["", "soon", "-1", "nan", "99999999999999"] {
            fs::write(&file, wrong).unwrap();
            let message = counted_from(&file).unwrap_err().to_string();
            assert!(message.ends_with(&format!("but contains {wrong:?}")), "{message}");
        }
    }
}
