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
    /// Whether one more attempt is allowed: at most `most` in every period of length `window`. Attempts that are not
    /// allowed do not count.
    pub(crate) fn allow(&self, key: String, most: usize, window: Duration) -> bool {
        self.allow_at(key, most, window, Instant::now())
    }

    fn allow_at(&self, key: String, most: usize, window: Duration, now: Instant) -> bool {
        let times = self.0.get_with(key, Times::default);
        // No operation under the lock can leave the times in an inconsistent state.
        let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
        while times.front().is_some_and(|time| now.duration_since(*time) >= window) {
            times.pop_front();
        }
        let is_allowed = times.len() < most;
        if is_allowed {
            times.push_back(now);
        }
        is_allowed
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
        let allowed = |seconds: u64| {
            attempts.allow_at("ada".to_owned(), 2, MINUTE, begun + Duration::from_secs(seconds))
        };
        assert_eq!(
            [0, 30, 31, 59, 60, 61, 89, 90].map(allowed),
            [true, true, false, false, true, false, false, true]
        );
        assert!(attempts.allow_at("bob".to_owned(), 2, MINUTE, begun), "another key");
    }

    #[test]
    fn the_memory_is_bounded() {
        let attempts = Attempts::default();
        for number in 0..2 * KEYS {
            assert!(attempts.allow(number.to_string(), 1, MINUTE));
        }
        assert!(attempts.keys() <= KEYS, "{}", attempts.keys());
        // The newest keys are kept.
        assert!(!attempts.allow((2 * KEYS - 1).to_string(), 1, MINUTE));
    }
}
