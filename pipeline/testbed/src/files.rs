//! Files that appear complete or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file beside its place first and then renames it. What is not a file (a pipe, `/dev/stdout`) is written to directly.
///
/// # Errors
/// The system's.
pub fn write(file: &Path, text: &[u8]) -> io::Result<()> {
    let special = fs::symlink_metadata(file).is_ok_and(|metadata| !metadata.is_file());
    if special {
        return OpenOptions::new().write(true).open(file)?.write_all(text);
    }
    let mut beside = file.as_os_str().to_owned();
    beside.push(".part");
    fs::write(&beside, text).and_then(|()| fs::rename(&beside, file))
}
