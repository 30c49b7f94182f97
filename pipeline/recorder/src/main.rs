//! The command line: `record` a screen, `read` its changes, make a `film` of them.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use eyelevel_recorder::changes::{ChangesError, Reader, Record, Seen, bytes};
use eyelevel_recorder::matroska::Matroska;
use eyelevel_recorder::picture::{Change, Picture};
use eyelevel_recorder::record::{RecordError, record};
use eyelevel_recorder::tail::Tail;
use eyelevel_recorder::zmbv::{self, Encoder};
use nix::sys::prctl;
use nix::sys::signal::Signal;

const HELP: &str = "\
Records the changes of an X screen: each changed rectangle, with the time at which it was painted.

Usage:
  eyelevel-recorder record --display DISPLAY --size WIDTHxHEIGHT CHANGES
  eyelevel-recorder read [--follow] CHANGES
  eyelevel-recorder film [--pictures N] CHANGES FILM

record  Write the changes of the screen's upper left part into the file CHANGES until SIGINT or SIGTERM. Prints a line
        of JSON per picture, regularly one with the time until which all changes are reported, and one at the end.
        From SIGUSR1 until SIGUSR2 it only records, and neither prints nor compresses.
read    Print the changes as binary: for each picture its time in microseconds since 1970 (8 bytes) and the number of
        its rectangles (2 bytes); for each of these x, y, width and height (2 bytes each) and its pixels, row by row, as
        blue, green, red and 0. All numbers are little-endian. --follow waits at the end of an unfinished file.
film    Write the changes into the file FILM as lossless video with a frame per picture (ZMBV in Matroska), which
        players and ffmpeg show. --pictures: only the first N.

Exit status: 0 done, 1 the screen or the file cannot be used, 2 wrong arguments.

Example: eyelevel-recorder record --display :3 --size 1280x720 changes
";

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{0}; see eyelevel-recorder --help")]
    Arguments(String),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("{0} cannot be opened: {1}")]
    NoFile(PathBuf, io::Error),
    #[error("{0}: {1}")]
    Changes(PathBuf, ChangesError),
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["--help" | "-h" | "help"] => say(HELP),
        ["--version"] => say(concat!("eyelevel-recorder ", env!("CARGO_PKG_VERSION"), "\n")),
        ["record", "--display", display, "--size", size, path] => record_screen(display, size, Path::new(path)),
        ["read", path] => open(path, false).and_then(|file| read(path, file)),
        ["read", "--follow", path] => open(path, true).and_then(|file| read(path, file)),
        ["film", path, to] => open(path, false).and_then(|file| film(path, file, Path::new(to), usize::MAX)),
        ["film", "--pictures", most, path, to] => match most.parse() {
            Ok(most) => open(path, false).and_then(|file| film(path, file, Path::new(to), most)),
            Err(_) => Err(Fault::Arguments(format!("--pictures is {most}, but must be a whole number"))),
        },
        _ => Err(Fault::Arguments(format!("the arguments {arguments:?} are not valid"))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("eyelevel-recorder: {fault}.");
            ExitCode::from(if matches!(fault, Fault::Arguments(_)) { 2 } else { 1 })
        }
    }
}

fn say(text: &str) -> Result<(), Fault> {
    Ok(io::stdout().write_all(text.as_bytes())?)
}

fn record_screen(display: &str, size: &str, path: &Path) -> Result<(), Fault> {
    let size = size
        .split_once('x')
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)))
        .filter(|(width, height)| (1..=i16::MAX as u16).contains(width) && (1..=i16::MAX as u16).contains(height))
        .ok_or_else(|| Fault::Arguments(format!("--size is {size}, but must be WIDTHxHEIGHT, such as 1280x720")))?;
    let file = File::create(path).map_err(|error| Fault::NoFile(path.into(), error))?;
    Ok(record(display, size, file, io::stdout())?)
}

fn open(path: &str, follow: bool) -> Result<Box<dyn Read>, Fault> {
    let file = File::open(path).map_err(|error| Fault::NoFile(path.into(), error))?;
    if follow {
        // no other process would end it if the recorder was killed
        prctl::set_pdeathsig(Signal::SIGKILL).map_err(io::Error::from)?;
        return Ok(Box::new(BufReader::new(Tail(file))));
    }
    Ok(Box::new(BufReader::new(file)))
}

fn read(path: &str, from: Box<dyn Read>) -> Result<(), Fault> {
    let mut output = BufWriter::new(io::stdout().lock());
    each_picture(path, from, |seen, changes, picture| {
        output.write_all(&seen.time_us.to_le_bytes())?;
        output.write_all(&(changes.len() as u16).to_le_bytes())?;
        for Change { rectangle, .. } in changes {
            for number in [rectangle.x, rectangle.y, rectangle.width, rectangle.height] {
                output.write_all(&number.to_le_bytes())?;
            }
            for row in 0..rectangle.height {
                output.write_all(&bytes(picture.row(*rectangle, row)))?;
            }
        }
        output.flush()
    })?;
    Ok(())
}

fn film(path: &str, from: Box<dyn Read>, to: &Path, most: usize) -> Result<(), Fault> {
    let file = File::create(to).map_err(|error| Fault::NoFile(to.into(), error))?;
    let mut file = Some(BufWriter::new(file));
    let (mut encoder, mut making, mut left) = (Encoder::begin(), None, most);
    each_picture(path, from, |seen, changes, picture| {
        if left == 0 {
            return Ok(());
        }
        left -= 1;
        let (film, first_us) = match file.take() {
            Some(file) => {
                making.insert((Matroska::begin(file, zmbv::FOURCC, picture.width(), picture.height())?, seen.time_us))
            }
            None => making.as_mut().expect("it has begun"),
        };
        let (frame, is_key) = encoder.frame(picture, changes);
        film.frame(seen.time_us - *first_us, &frame, is_key)
    })?;
    if let Some((film, _)) = making {
        film.end()?;
    }
    Ok(())
}

fn each_picture(
    path: &str,
    from: Box<dyn Read>,
    mut on_picture: impl FnMut(&Seen, &[Change], &Picture) -> io::Result<()>,
) -> Result<(), Fault> {
    let wrong = |error| Fault::Changes(path.into(), error);
    let mut changes = Reader::begin(from).map_err(wrong)?;
    let mut picture = Picture::black(changes.width, changes.height);
    while let Record::Picture(seen, changed) = changes.next_record().map_err(wrong)? {
        for change in &changed {
            picture.apply(change);
        }
        on_picture(&seen, &changed, &picture)?;
    }
    Ok(())
}
