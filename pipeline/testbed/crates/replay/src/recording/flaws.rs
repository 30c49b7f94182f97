//! Flaws of a recording: records that are omitted or truncated, with their number and the first of each kind.

use url::Url;

use super::records::Unreadable;

/// The number of flaws, and the first one.
type Tally = Option<(usize, String)>;

#[derive(Default)]
pub struct Flaws {
    left_out: Tally,
    cut_short: Tally,
}

impl Flaws {
    pub fn of(unreadable: &[Unreadable]) -> Self {
        let mut flaws = Self::default();
        for Unreadable { number, reason } in unreadable {
            flaws.left_out(*number, reason);
        }
        flaws
    }

    pub fn left_out(&mut self, number: usize, reason: &str) {
        count(&mut self.left_out, || format!("record {number} ({reason})"));
    }

    /// A response that the recorder says it cut short.
    pub fn cut_short(&mut self, url: &Url) {
        count(&mut self.cut_short, || url.to_string());
    }

    /// Describes what a replay cannot serve because of them.
    pub fn named(self) -> Vec<String> {
        let broken =
            |(number, first): (usize, String)| format!("{number} broken {}, first {first}", plural(number, "record"));
        let cut_short = |(number, first): (usize, String)| {
            let responses = plural(number, "response");
            format!("{number} {responses} in full, cut short by the recorder (WARC-Truncated), first {first}")
        };
        self.left_out.map(broken).into_iter().chain(self.cut_short.map(cut_short)).collect()
    }
}

fn plural(number: usize, word: &str) -> String {
    if number == 1 { word.to_owned() } else { format!("{word}s") }
}

fn count(tally: &mut Tally, first: impl FnOnce() -> String) {
    match tally {
        Some((number, _)) => *number += 1,
        None => *tally = Some((1, first())),
    }
}
