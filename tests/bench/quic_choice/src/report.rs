//! Medians over runs, the table for people and the JSON for machines.

use serde::Serialize;

use crate::scenario::{BulkRun, Network, PriorityRun};
use crate::server::{Congestion, Library, Order};
use crate::wire::Flight;

/// Middle value (mean of the two middle ones); `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

#[derive(Debug, Serialize)]
#[serde(tag = "experiment", rename_all = "snake_case")]
pub enum Row {
    Flight {
        library: Library,
        congestion: Congestion,
        runs: Vec<Flight>,
    },
    Bulk {
        library: Library,
        congestion: Congestion,
        network: Network,
        response_bytes: u64,
        runs: Vec<BulkRun>,
    },
    Priority {
        library: Library,
        order: Order,
        runs: Vec<PriorityRun>,
    },
    /// The library could not do it; the sentence says why.
    Failed {
        library: Library,
        what: String,
        error: String,
    },
}

/// `median [least, most]` of one figure over the runs.
fn spread<T>(runs: &[T], digits: usize, figure: impl Fn(&T) -> Option<f64>) -> String {
    let values: Vec<f64> = runs.iter().filter_map(figure).collect();
    let least = values.iter().copied().reduce(f64::min);
    let most = values.iter().copied().reduce(f64::max);
    match (median(&values), least, most) {
        (Some(mid), Some(a), Some(b)) => format!("{mid:.digits$} [{a:.digits$}, {b:.digits$}]"),
        _ => "unknown".to_owned(),
    }
}

impl Row {
    /// One line: what was run, then its figures with their names.
    pub fn line(&self) -> String {
        match self {
            Self::Flight { library, congestion, runs } => format!(
                "flight {library:?} {congestion:?}: datagrams {} | bytes {} | spread_ms {} | burst {}",
                spread(runs, 0, |r| Some(r.datagrams as f64)),
                spread(runs, 0, |r| Some(r.bytes as f64)),
                spread(runs, 1, |r| Some(r.spread_ms)),
                spread(runs, 0, |r| Some(r.largest_burst as f64)),
            ),
            Self::Bulk { library, congestion, network, response_bytes, runs } => format!(
                "bulk {library:?} {congestion:?} {network:?} {} MB: ms {} | ratio to bound {} | \
                 overhead {} | queue drops {} | lost {} | burst max {} p95 {} | \
                 rate/link steady {} peak {}",
                *response_bytes as f64 / 1e6,
                spread(runs, 0, |r| Some(r.duration_ms)),
                spread(runs, 3, |r| Some(r.ratio_to_bound)),
                spread(runs, 3, |r| Some(r.wire.overhead_ratio)),
                spread(runs, 0, |r| Some(r.wire.queue_drops as f64)),
                spread(runs, 0, |r| Some(r.wire.lost as f64)),
                spread(runs, 0, |r| Some(r.wire.largest_burst as f64)),
                spread(runs, 0, |r| Some(r.wire.burst_p95 as f64)),
                spread(runs, 2, |r| r.wire.steady_rate_ratio),
                spread(runs, 2, |r| r.wire.peak_rate_ratio),
            ),
            Self::Priority { library, order, runs } => format!(
                "priority {library:?} {order:?}: completed {:?} | out of order {} | \
                 late_ms {} | late ratio to bound {}",
                runs.first().map(|r| &r.completed),
                spread(runs, 3, |r| Some(r.out_of_order_share)),
                spread(runs, 0, |r| Some(r.late_ms)),
                spread(runs, 2, |r| Some(r.late_ms / r.late_bound_ms)),
            ),
            Self::Failed { library, what, error } => format!("FAILED {library:?} {what}: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_even_and_no_values() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn nothing_measured_is_unknown_and_not_zero() {
        let none: [f64; 0] = [];
        assert_eq!(spread(&none, 1, |v| Some(*v)), "unknown");
        assert_eq!(spread(&[1.0, 3.0, 2.0], 1, |v| Some(*v)), "2.0 [1.0, 3.0]");
    }
}
