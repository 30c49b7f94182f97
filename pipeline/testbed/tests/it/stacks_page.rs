//! `docs/reference/stacks.md` says what the program says.

use std::process::Command;

use eyelevel_definitions::stacks::{STACKS, TUNED_TCP_BUFFER_BYTES, Transport};
use serde_json::Value;

use crate::support::TESTBED;

fn page() -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/stacks.md");
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The cells of the rows of the table whose head begins with these words.
fn table(page: &str, head: &str) -> Vec<Vec<String>> {
    let lines = page.lines().skip_while(|line| !line.starts_with(head)).skip(2);
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

fn cell(value: &Value) -> String {
    match value {
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What is left out is the usual.
fn field(definition: &Value, column: &str) -> String {
    let usual = match column {
        "tickets" => "no",
        "emulated_connections" => "1",
        "initial_rtt_ms" => "333",
        _ => "?",
    };
    definition.get(column).map_or_else(|| usual.to_owned(), cell)
}

#[test]
fn the_table_of_stacks_is_the_program_s() {
    let output = Command::new(TESTBED).arg("stacks").output().unwrap();
    let listed: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    const COLUMNS: [&str; 13] = [
        "name",
        "transport",
        "http",
        "initial_window_packets",
        "congestion_control",
        "pacing",
        "slow_start_after_idle",
        "buffers",
        "early_data",
        "alt_svc",
        "tickets",
        "emulated_connections",
        "initial_rtt_ms",
    ];
    let expected: Vec<Vec<String>> =
        listed.iter().map(|stack| COLUMNS.iter().map(|column| field(&stack["definition"], column)).collect()).collect();
    assert_eq!(table(&page(), "| stack |"), expected);
    // These are in a definition only where they are set, and not in that of the first stack.
    let fields = listed[0]["definition"].as_object().unwrap().len();
    assert_eq!(fields, COLUMNS.len() - 3, "a field of the definition has no column");
}

/// A side that is not defined has HTTP/2 and what the stack sets.
#[test]
fn the_table_of_tcp_sides_is_the_program_s() {
    let expected: Vec<Vec<String>> = STACKS
        .iter()
        .filter(|stack| stack.alt_svc)
        .map(|stack| {
            let side = serde_json::to_value(stack.side(Transport::Tcp)).unwrap();
            const COLUMNS: [&str; 6] =
                ["http", "initial_window_packets", "congestion_control", "pacing", "slow_start_after_idle", "buffers"];
            std::iter::once(stack.name.to_owned()).chain(COLUMNS.iter().map(|column| cell(&side[column]))).collect()
        })
        .collect();
    assert_eq!(table(&page(), "| TCP side of |"), expected);
}

#[test]
fn the_buffers_are_the_program_s() {
    let rows = table(&page(), "| setting of the server's network namespace |");
    assert_eq!(rows[0][1..], TUNED_TCP_BUFFER_BYTES.map(|bytes| bytes.to_string()));
}
