//! Times in the unit of the report.

use std::time::Duration;

/// Milliseconds; the clock is read in microseconds.
pub fn ms(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}
