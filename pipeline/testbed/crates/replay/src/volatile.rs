//! Volatile parameters: those of queries and paths that a page draws at random and replay ignores, from the file beside
//! a recording.
//!
//! The contract is `eyelevel/volatile/1` (docs/contracts/volatile.1.md). Only reading the file touches the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use url::Url;

use crate::path_parameters;

const CONTRACT: &str = "eyelevel/volatile/1";

/// The volatile parameters of one recording, by host and path; a path is without its parameters, and the name of a parameter of the
/// path begins with a semicolon. Empty where no file is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Volatile {
    /// SHA-256 of the file, hex; `None` without a file.
    pub digest: Option<String>,
    ignored: BTreeMap<(String, String), BTreeSet<String>>,
}

/// Why a file of volatile parameters cannot be used: one sentence that names the file.
#[derive(Debug, thiserror::Error)]
pub enum VolatileError {
    #[error("cannot read the volatile parameters {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{} is not a file of volatile parameters ({source}); correct it or learn the parameters again", path.display())]
    Broken { path: PathBuf, source: serde_json::Error },
    #[error("{}: the contract is \"{found}\", but this testbed reads {CONTRACT}; learn the parameters again", path.display())]
    Contract { path: PathBuf, found: String },
    #[error(
        "{} lists parameters of the recording {found}, but the given recording is {expected}; learn the parameters again",
        path.display()
    )]
    Recording { path: PathBuf, found: String, expected: String },
}

#[derive(Deserialize)]
struct File {
    contract: String,
    recording: String,
    parameters: Vec<Parameter>,
    callbacks: Vec<Parameter>,
}

#[derive(Deserialize)]
struct Parameter {
    host: String,
    path: String,
    parameter: String,
}

/// Reads a file of volatile parameters for the recording with this digest.
///
/// # Errors
/// [`VolatileError`] where the file cannot be read, has another contract, or is for another recording.
pub fn load(path: &Path, recording: &str) -> Result<Volatile, VolatileError> {
    let bytes = std::fs::read(path).map_err(|source| VolatileError::Unreadable { path: path.to_owned(), source })?;
    let broken = |source| VolatileError::Broken { path: path.to_owned(), source };
    // Another contract may have other fields, so its name is looked at first.
    #[derive(Deserialize)]
    struct Named {
        contract: String,
    }
    let Named { contract } = serde_json::from_slice(&bytes).map_err(broken)?;
    if contract != CONTRACT {
        return Err(VolatileError::Contract { path: path.to_owned(), found: contract });
    }
    let file: File = serde_json::from_slice(&bytes).map_err(broken)?;
    if file.recording != recording {
        let expected = recording.to_owned();
        return Err(VolatileError::Recording { path: path.to_owned(), found: file.recording, expected });
    }
    debug_assert_eq!(file.contract, CONTRACT);
    Ok(Volatile {
        digest: Some(HEXLOWER.encode(&Sha256::digest(&bytes))),
        ..Volatile::new(file.parameters.into_iter().chain(file.callbacks).map(Parameter::parts))
    })
}

impl Parameter {
    fn parts(self) -> [String; 3] {
        [self.host, self.path, self.parameter]
    }
}

impl Volatile {
    /// From (host, path, parameter).
    pub fn new(parameters: impl IntoIterator<Item = [String; 3]>) -> Self {
        let mut volatile = Self::default();
        for [host, path, parameter] in parameters {
            volatile.ignored.entry((host, path)).or_default().insert(parameter);
        }
        volatile
    }

    /// The parameters to ignore in requests to this host and path; `None` where there are none.
    #[must_use]
    pub fn ignored(&self, url: &Url) -> Option<&BTreeSet<String>> {
        self.ignored.get(&place(url))
    }
}

fn place(url: &Url) -> (String, String) {
    (url.host_str().unwrap_or_default().to_owned(), path_parameters::bare(url.path()))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const RECORDING: &str = "aa";

    fn read(text: &str) -> Result<Volatile, String> {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(text.as_bytes()).expect("a full disk is no test");
        load(file.path(), RECORDING).map_err(|error| {
            let text = error.to_string();
            assert!(text.contains(&file.path().display().to_string()) && !text.contains('\n'), "{text}");
            text
        })
    }

    #[test]
    fn parameters_and_callbacks_are_read_by_host_and_path() {
        let text = r#"{"contract": "eyelevel/volatile/1", "recording": "aa",
            "parameters": [{"host": "a.test", "path": "/ad", "parameter": "rnd", "why": "differs"}],
            "callbacks": [{"host": "a.test", "path": "/ad", "parameter": "cb"}]}"#;
        let volatile = read(text).expect("a file of volatile parameters");
        let url = |text: &str| Url::parse(text).expect("a URL");
        let names = |text: &str| volatile.ignored(&url(text)).map(|set| set.iter().cloned().collect::<Vec<_>>());
        assert_eq!(names("http://a.test/ad?x=1"), Some(vec!["cb".to_owned(), "rnd".to_owned()]));
        assert_eq!((names("http://a.test/"), names("http://b.test/ad")), (None, None));
        assert_eq!(volatile.digest, Some(HEXLOWER.encode(&Sha256::digest(text))));
    }

    #[test]
    fn a_file_of_another_recording_or_contract_or_form_is_refused_in_one_sentence() {
        let empty = |contract: &str, recording: &str| {
            format!(r#"{{"contract": "{contract}", "recording": "{recording}", "parameters": [], "callbacks": []}}"#)
        };
        assert!(read(&empty("eyelevel/volatile/1", "aa")).is_ok());
        let other = read(&empty("eyelevel/volatile/1", "bb")).expect_err("refused");
        assert!(other.contains("of the recording bb, but the given recording is aa"), "{other}");
        let contract = read(r#"{"contract": "eyelevel/volatile/2"}"#).expect_err("refused");
        assert!(contract.contains("the contract is \"eyelevel/volatile/2\""), "{contract}");
        let missing = read(r#"{"contract": "eyelevel/volatile/1", "recording": "aa"}"#).expect_err("refused");
        assert!(missing.contains("missing field `parameters`"), "{missing}");
        assert!(read("{").expect_err("refused").contains("is not a file of volatile parameters"));
        let absent = load(Path::new("/nonexistent/x.json"), RECORDING).expect_err("refused").to_string();
        assert!(absent.starts_with("cannot read the volatile parameters /nonexistent/x.json: "), "{absent}");
    }
}
