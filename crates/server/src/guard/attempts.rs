//! Counts attempts in memory. A stranger can make any number of attempts, so an attempt costs no write to the disk,
//! and the memory for the counts is bounded. The counts begin at zero when the server starts.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use moka::policy::EvictionPolicy;
use moka::sync::Cache;

/// Most keys; the key that was unused for the longest time is forgotten first.
const KEYS: u64 = 20_000;
/// A key that was unused for this time is forgotten; no period is longer.
const UNUSED: Duration = Duration::from_hours(1);

/// The times of the attempts of one key that were allowed, the oldest first.
type Times = Arc<Mutex<VecDeque<Instant>>>;

/// The attempts of all keys.
#[derive(Debug)]
pub struct Attempts(Cache<String, Times>);

impl Default for Attempts {
    fn default() -> Attempts {
        let cache =
            Cache::builder().max_capacity(KEYS).time_to_idle(UNUSED).eviction_policy(EvictionPolicy::lru());
        Attempts(cache.build())
    }
}

impl Attempts {
    /// Counts one more attempt: at most `most` are allowed in every period of length `window`. If it is not allowed, it does
    /// not count, and the result is the time until the next one is.
    pub(crate) fn attempt(&self, key: String, most: usize, window: Duration) -> Option<Duration> {
        self.attempt_at(key, most, window, Instant::now())
    }

    fn attempt_at(&self, key: String, most: usize, window: Duration, now: Instant) -> Option<Duration> {
        let times = self.0.get_with(key, Times::default);
        // No operation under the lock can leave the times in an inconsistent state.
        let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
        while times.front().is_some_and(|time| now.duration_since(*time) >= window) {
            times.pop_front();
        }
        if times.len() < most {
            times.push_back(now);
            return None;
        }
        // The next one is allowed when the oldest one leaves the period; never if `most` is 0.
        Some(times.front().map_or(window, |oldest| window.saturating_sub(now.duration_since(*oldest))))
    }

    /// The number of keys.
    #[cfg(test)]
    fn keys(&self) -> u64 {
        self.0.run_pending_tasks();
        self.0.entry_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    #[test]
    fn the_limit_holds_for_every_period() {
        let attempts = Attempts::default();
        let begun = Instant::now();
        let wait = |seconds: u64| {
            let now = begun + Duration::from_secs(seconds);
            attempts.attempt_at("ada".to_owned(), 2, MINUTE, now).map(|wait| wait.as_secs())
        };
        assert_eq!(
            [0, 30, 31, 59, 60, 61, 89, 90].map(wait),
            [None, None, Some(29), Some(1), None, Some(29), Some(1), None]
        );
        assert_eq!(attempts.attempt_at("bob".to_owned(), 2, MINUTE, begun), None, "another key");
    }

    #[test]
    fn the_memory_is_bounded() {
        let attempts = Attempts::default();
        for number in 0..2 * KEYS {
            assert_eq!(attempts.attempt(number.to_string(), 1, MINUTE), None);
        }
        assert!(attempts.keys() <= KEYS, "{}", attempts.keys());
        // The newest keys are kept.
        assert!(attempts.attempt((2 * KEYS - 1).to_string(), 1, MINUTE).is_some());
    }
}
