//! The pacing rate of window-based controls.

use std::time::Duration;

/// Bytes a second, by the rule of Linux (`tcp_update_pacing_rate`, at its defaults `tcp_pacing_ss_ratio` 200 and
/// `tcp_pacing_ca_ratio` 120): twice the window a round trip while it is below half the slow-start threshold, else 1.2 times.
pub fn rate(window_bytes: f64, slow_start_threshold_bytes: Option<f64>, rtt: Duration) -> u64 {
    let slow_start = slow_start_threshold_bytes.is_none_or(|threshold| window_bytes < threshold / 2.0);
    let gain = if slow_start { 2.0 } else { 1.2 };
    (gain * window_bytes / rtt.as_secs_f64()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_start_goes_at_twice_the_window_a_round_trip_and_the_rest_at_six_fifths() {
        let rate = |threshold| rate(10_000.0, threshold, Duration::from_millis(100));
        assert_eq!(rate(None), 200_000);
        assert_eq!(rate(Some(20_002.0)), 200_000);
        assert_eq!(rate(Some(20_000.0)), 120_000);
        assert_eq!(rate(Some(10_000.0)), 120_000);
    }
}
