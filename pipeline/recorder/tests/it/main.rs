//! The recorder on a real screen: Xvfb, and a client that knows what it painted when.

mod painter;
mod support;

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use eyelevel_recorder::changes::ChangesError;
use eyelevel_recorder::rectangle::Rectangle;
use nix::sys::signal::Signal;

use painter::{Painted, Painter};
use support::{Busy, HEIGHT, Recorded, Recorder, Screen, Scribbling, WIDTH, read};

/// A frame of a screen with 60 of them a second.
const FRAME: Duration = Duration::from_micros(16_667);
/// the server stamps whole milliseconds
const STAMP_US: u64 = 1_000;
const WHITE: u32 = 0x00ff_ffff;

fn painter(screen: &Screen) -> Painter {
    let painter = Painter::connect(&screen.name, WIDTH, HEIGHT);
    painter.flip(WHITE);
    painter
}

/// What was painted and what was recorded of it: every state is a picture or counted as lost.
fn check_flips(painted: &[Painted], recorded: &Recorded) {
    let colours = recorded.colours();
    assert_eq!(painted.len(), colours.len() - 1 + recorded.lost() as usize, "lost {}", recorded.lost());
    let times = colours.iter().zip(&recorded.pictures);
    for (colour, (seen, _)) in times.skip(1) {
        let colour = colour.expect("a picture is mixed");
        let paint = painted.iter().find(|painted| painted.colour == colour).expect("it was painted");
        let span = paint.from_us..=paint.until_us + STAMP_US;
        assert!(span.contains(&seen.time_us), "{paint:?} has the time {}", seen.time_us);
    }
}

#[test]
fn a_change_is_a_small_rectangle_with_its_time() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    let before_us = painter::now_us();
    painter.fill(0x00ff_8000, 100, 50, 30, 20);
    let after_us = painter::now_us();
    let line = recorder.wait_for("rectangles");
    assert!(line.contains("\"rectangles\":[[100,50,30,20]]"), "{line}");
    let recorded = recorder.end();
    let [(first, _), (seen, changes)] = &recorded.pictures[..] else { panic!("{:?}", recorded.said) };
    assert!((before_us..=after_us + STAMP_US).contains(&seen.time_us));
    assert!(first.time_us < seen.time_us && seen.time_us <= recorded.end.time_us);
    assert_eq!(changes[0].rectangle, Rectangle { x: 100, y: 50, width: 30, height: 20 });
    assert_eq!(changes[0].pixels, [0x00ff_8000; 30 * 20]);
}

#[test]
fn a_picture_of_one_colour_is_told_by_it_and_quiet_by_the_time_until_which_there_is_no_more() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    let first = recorder.said.last().expect("it has said it");
    assert!(first.contains("\"colour\":\"#ffffff\""), "{first}");
    let painted = painter.flip(0x00ff_8000);
    assert!(recorder.wait_for("colour").contains("\"colour\":\"#ff8000\""));
    painter.fill(0, 1, 1, 1, 1);
    assert!(recorder.wait_for("colour").contains("\"colour\":null"));
    let line = recorder.wait_for("until_us");
    let until_us: u64 = line.trim_matches(|letter: char| !letter.is_ascii_digit()).parse().expect("a number");
    assert!(until_us > painted.until_us);
}

#[test]
fn flips_give_a_picture_each_and_none_is_mixed() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let recorder = Recorder::start(&screen);
    let painted = painter.flips(120, FRAME);
    check_flips(&painted, &recorder.end());
}

#[test]
fn flips_on_busy_processors_are_recorded_or_lost_and_none_is_mixed() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let recorder = Recorder::start(&screen);
    let painted = {
        let _busy = Busy::begin();
        painter.flips(120, FRAME)
    };
    check_flips(&painted, &recorder.end());
}

#[test]
fn what_a_stopped_recorder_missed_is_counted_as_lost_and_its_picture_is_late() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    recorder.wait_for("until_us");
    recorder.signal(Signal::SIGSTOP);
    let painted = painter.flips(6, FRAME);
    recorder.signal(Signal::SIGCONT);
    recorder.wait_for("colour");
    let recorded = recorder.end();
    check_flips(&painted, &recorded);
    let (seen, _) = recorded.pictures.last().expect("the last flip");
    assert_eq!((recorded.pictures.len(), seen.lost), (2, 5));
    assert!(u64::from(seen.late_us) + STAMP_US >= painted[5].from_us - painted[0].until_us, "{seen:?}");
}

#[test]
fn what_was_lost_is_not_forgotten_when_all_looks_as_before() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    recorder.wait_for("until_us");
    recorder.signal(Signal::SIGSTOP);
    painter.flip(0x00ff_8000);
    sleep(FRAME);
    painter.flip(WHITE);
    recorder.signal(Signal::SIGCONT);
    recorder.wait_for("until_us");
    let recorded = recorder.end();
    assert_eq!((recorded.pictures.len(), recorded.end.equal, recorded.end.lost), (1, 1, 1));
}

#[test]
fn paint_that_never_pauses_is_recorded_and_said_to_be_unquiet() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    {
        let _scribbling = Scribbling::begin(painter, |number| number);
        recorder.wait_for("\"unquiet\":true");
    }
    let recorded = recorder.end();
    assert!(recorded.pictures.iter().any(|(seen, _)| seen.unquiet));
    assert!(recorded.end.merged > 0);
}

#[test]
fn paint_that_never_pauses_does_not_keep_the_recorder_from_ending() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    let _scribbling = Scribbling::begin(painter, |number| number);
    recorder.wait_for("\"unquiet\":true");
    let asked = Instant::now();
    recorder.signal(Signal::SIGINT);
    recorder.wait_for("end_us");
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    recorder.end();
}

#[test]
fn paint_that_changes_nothing_does_not_keep_back_until_when_all_is_known() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    let (begun, begun_us) = (Instant::now(), painter::now_us());
    let _scribbling = Scribbling::begin(painter, |_| WHITE);
    let until =
        |line: &str| -> u64 { line.trim_matches(|letter: char| !letter.is_ascii_digit()).parse().expect("a number") };
    let times: Vec<u64> = (0..20).map(|_| until(&recorder.wait_for("until_us"))).collect();
    assert!(times.is_sorted(), "{times:?}");
    // at the stated interval that is 0.8 s
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    let last_us = times[19];
    assert!(last_us > begun_us && last_us + 250_000 > painter::now_us(), "{begun_us} {times:?}");
    let recorded = recorder.end();
    assert_eq!(recorded.pictures.len(), 1);
    assert!(recorded.end.equal > 0);
}

/// Held, and what it had to say and to write before that is done.
fn held(recorder: &mut Recorder) {
    recorder.signal(Signal::SIGUSR1);
    sleep(Duration::from_millis(200));
    recorder.has_spoken();
}

#[test]
fn a_recorder_that_is_held_says_and_writes_nothing_and_loses_nothing() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    held(&mut recorder);
    let before_bytes = recorder.written_bytes();
    let painted = painter.flips(30, FRAME);
    sleep(Duration::from_millis(200));
    assert!(!recorder.has_spoken(), "{:?}", recorder.said.last());
    assert_eq!(recorder.written_bytes(), before_bytes);
    recorder.signal(Signal::SIGUSR2);
    recorder.wait_for("until_us");
    check_flips(&painted, &recorder.end());
}

#[test]
fn a_recorder_that_is_held_can_be_ended() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    held(&mut recorder);
    let painted = painter.flips(6, FRAME);
    let recorded = recorder.end();
    check_flips(&painted, &recorded);
    assert_eq!(recorded.said.iter().filter(|line| line.contains("colour")).count(), recorded.pictures.len());
}

#[test]
fn a_recorder_that_is_held_writes_what_its_memory_cannot_hold() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    held(&mut recorder);
    let before_bytes = recorder.written_bytes();
    // 0.9 MB of pixels each
    painter.flips(100, FRAME);
    sleep(Duration::from_millis(500));
    assert!(recorder.written_bytes() > before_bytes);
}

#[test]
fn a_picture_that_equals_the_one_before_is_dropped_and_counted() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    painter.flip(WHITE);
    recorder.wait_for("until_us");
    painter.fill(0x0000_00ff, (WIDTH + 1) as i16, 0, 5, 5); // beside what is filmed
    recorder.wait_for("until_us");
    let recorded = recorder.end();
    assert_eq!((recorded.pictures.len(), recorded.end.equal), (1, 1));
}

#[test]
fn a_recorder_that_was_killed_leaves_a_file_that_is_found_to_be_cut() {
    let screen = Screen::start();
    let painter = painter(&screen);
    let mut recorder = Recorder::start(&screen);
    painter.flips(3, FRAME);
    recorder.kill();
    assert!(matches!(read(&recorder.changes()), Err(ChangesError::Cut(_) | ChangesError::Foreign)));
    let output = Command::new(env!("CARGO_BIN_EXE_eyelevel-recorder"))
        .arg("film")
        .arg(recorder.changes())
        .arg("/dev/null")
        .output()
        .expect("it is built");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

#[test]
fn a_screen_that_ends_ends_the_recorder_with_a_sentence() {
    let screen = Screen::start();
    let mut recorder = Command::new(env!("CARGO_BIN_EXE_eyelevel-recorder"))
        .args(["record", "--display", &screen.name, "--size", "64x48", "/dev/null"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it is built");
    sleep(Duration::from_millis(200));
    drop(screen);
    assert_eq!(recorder.wait().expect("it ends").code(), Some(1));
}

#[test]
fn arguments_that_are_no_use_are_refused() {
    for arguments in [&["record", "--display", ":1", "--size", "1280", "changes"][..], &["play"], &[]] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_eyelevel-recorder")).args(arguments).output().expect("it is built");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("--help"));
    }
}
