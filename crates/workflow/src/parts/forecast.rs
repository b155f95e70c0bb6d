//! Prediction of the time that a part takes, from the parts that have ended so far.

use std::time::Duration;

use parking_lot::Mutex;

use super::account::Account;

/// Minimum number of finished parts for a prediction.
const FEWEST: usize = 3;

/// Seconds for each unit of weight that parts have taken, in increasing order.
#[derive(Debug, Default)]
pub(crate) struct Forecast(Mutex<Vec<f64>>);

impl Forecast {
    /// Creates a forecast from the accounts of finished parts.
    pub(crate) fn of(accounts: &[Account]) -> Self {
        let forecast = Self::default();
        for account in accounts.iter().filter(|account| account.finished) {
            forecast.add(account.weight, account.wall_seconds);
        }
        forecast
    }

    /// Adds a finished part.
    pub(crate) fn add(&self, weight: f64, seconds: f64) {
        let rate = seconds / weight;
        if rate.is_finite() {
            let mut rates = self.0.lock();
            let place = rates.partition_point(|&other| other < rate);
            rates.insert(place, rate);
        }
    }

    /// Returns `true` if a part of this weight is predicted to end in that time, by the 90th percentile of
    /// the rates so far, or if too few parts have ended for a prediction.
    pub(crate) fn fits(&self, weight: f64, left: Duration) -> bool {
        let rates = self.0.lock();
        rates.len() < FEWEST || rates[rates.len() * 9 / 10] * weight <= left.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_by_nine_of_ten_parts_is_not_begun() {
        let forecast = Forecast::default();
        let fits = |weight, seconds| forecast.fits(weight, Duration::from_secs(seconds));
        assert!(fits(1.0, 0));
        (1..=10).rev().for_each(|seconds| forecast.add(0.1, f64::from(seconds)));
        assert!(fits(0.1, 10) && !fits(0.1, 9));
        assert!(fits(0.3, 30) && !fits(0.3, 29));
        forecast.add(0.0, 1.0);
        assert!(fits(0.1, 10));
    }
}
