//! Promotions and pauses: pure decisions, made inside the transaction that records a match.

use serde::{Deserialize, Serialize};

/// The result of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrialVerdict {
    /// The boss is beaten: the bot is promoted.
    Rises,
    /// The boss is not beaten.
    Stays,
}

/// A best of five against the boss: three wins promote; it ends as soon as three wins are out of reach. A draw is not a win.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// Matches won.
    pub wins: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches lost.
    pub losses: u32,
}

impl Trial {
    /// The maximum number of matches of a trial.
    pub const MATCHES: u32 = 5;
    /// This number of wins promotes.
    pub const ENOUGH: u32 = 3;

    /// Matches played.
    pub fn played(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Matches that may still be played.
    pub fn left(&self) -> u32 {
        Trial::MATCHES.saturating_sub(self.played())
    }

    /// The result of the trial; `None` while it is undecided.
    pub fn verdict(&self) -> Option<TrialVerdict> {
        if self.wins >= Trial::ENOUGH {
            Some(TrialVerdict::Rises)
        } else if self.wins + self.left() < Trial::ENOUGH {
            Some(TrialVerdict::Stays)
        } else {
            None
        }
    }
}

/// The standing of a version on one of the ladders of its league, and the rating of the boss there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// Matches of the version there.
    pub games: u64,
    /// Its rating.
    pub rating: f64,
    /// The rating of the boss; `None` before its first match.
    pub boss: Option<f64>,
}

/// Whether a version is promoted from a league with ladders: placed and above the boss on every ladder.
pub fn is_above_boss(places: &[Place], placement: u32) -> bool {
    let above = |place: &Place| {
        place.games >= u64::from(placement) && place.boss.is_some_and(|boss| place.rating > boss)
    };
    !places.is_empty() && places.iter().all(above)
}

/// The number of a version's last matches that [`is_broken`] looks at.
pub const LAST_MATCHES: usize = 10;
/// A version that failed in all of its first matches, at least this number, is broken.
const FIRST_MATCHES: usize = 5;

/// Whether a version should be paused: it failed in all of its last ten matches, or in each of its first five. `failed`
/// says for its last matches, the newest first, whether it failed; `matches` is the number of all its matches.
pub fn is_broken(failed: &[bool], matches: u64) -> bool {
    let newest = &failed[..failed.len().min(LAST_MATCHES)];
    let enough =
        newest.len() == LAST_MATCHES || (newest.len() >= FIRST_MATCHES && newest.len() as u64 == matches);
    enough && newest.iter().all(|failed| *failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_is_a_best_of_five() {
        let verdict = |wins, draws, losses| Trial { wins, draws, losses }.verdict();
        assert_eq!(verdict(0, 0, 0), None);
        assert_eq!(verdict(2, 0, 0), None);
        assert_eq!(verdict(3, 0, 0), Some(TrialVerdict::Rises));
        assert_eq!(verdict(2, 0, 2), None);
        assert_eq!(verdict(3, 0, 2), Some(TrialVerdict::Rises));
        assert_eq!(verdict(0, 0, 3), Some(TrialVerdict::Stays));
        assert_eq!(verdict(2, 0, 3), Some(TrialVerdict::Stays));
        // Draws do not promote.
        assert_eq!(verdict(2, 2, 0), None);
        assert_eq!(verdict(2, 3, 0), Some(TrialVerdict::Stays));
        assert_eq!(verdict(0, 3, 0), Some(TrialVerdict::Stays));
        assert_eq!(verdict(1, 3, 1), Some(TrialVerdict::Stays));
        assert_eq!(verdict(0, 5, 0), Some(TrialVerdict::Stays));
        // A match that was still running when the trial was decided changes nothing.
        assert_eq!(verdict(4, 0, 1), Some(TrialVerdict::Rises));
        assert_eq!(Trial { wins: 1, draws: 1, losses: 1 }.left(), 2);
    }

    #[test]
    fn above_the_boss_on_every_ladder_after_the_placement() {
        let place = |games, rating, boss| Place { games, rating, boss };
        assert!(is_above_boss(&[place(20, 30.0, Some(29.9))], 20));
        assert!(!is_above_boss(&[place(19, 30.0, Some(20.0))], 20));
        assert!(!is_above_boss(&[place(20, 30.0, Some(30.0))], 20));
        assert!(!is_above_boss(&[place(20, 30.0, None)], 20));
        assert!(!is_above_boss(&[place(20, f64::NAN, Some(20.0))], 20));
        assert!(!is_above_boss(&[place(20, 30.0, Some(29.0)), place(20, 28.0, Some(29.0))], 20));
        assert!(is_above_boss(&[place(20, 30.0, Some(29.0)), place(25, 29.5, Some(29.0))], 20));
        assert!(!is_above_boss(&[], 20));
    }

    #[test]
    fn only_what_keeps_failing_is_broken() {
        assert!(!is_broken(&[true; 4], 4));
        assert!(is_broken(&[true; 5], 5));
        assert!(!is_broken(&[true; 5], 50), "not all of its matches are known");
        assert!(!is_broken(&[true, true, true, true, false], 5));
        assert!(!is_broken(&[[true; 9].as_slice(), &[false]].concat(), 100));
        assert!(is_broken(&[[true; 10].as_slice(), &[false; 5]].concat(), 100));
        assert!(!is_broken(&[[true; 9].as_slice(), &[false; 5]].concat(), 14));
        assert!(!is_broken(&[], 0));
    }
}
