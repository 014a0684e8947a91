//! Who rises: pure decisions, made inside the transaction that records a match.

/// The most matches of a trial.
const MATCHES: u32 = 5;
/// So many wins, or losses, decide it.
const ENOUGH: u32 = 3;

/// How a trial ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The boss is beaten.
    Rises,
    /// It is not.
    Stays,
}

/// A best of five against the boss: three wins promote, three losses end it, a draw counts for nobody; after five matches more
/// wins than losses promote.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Trial {
    /// Matches won.
    pub wins: u32,
    /// Matches nobody won.
    pub draws: u32,
    /// Matches lost.
    pub losses: u32,
}

impl Trial {
    /// Matches played.
    pub fn played(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Matches that may still be played.
    pub fn left(&self) -> u32 {
        MATCHES.saturating_sub(self.played())
    }

    /// How it ended, if it has.
    pub fn verdict(&self) -> Option<Verdict> {
        if self.wins >= ENOUGH {
            Some(Verdict::Rises)
        } else if self.losses >= ENOUGH {
            Some(Verdict::Stays)
        } else if self.played() >= MATCHES {
            Some(if self.wins > self.losses { Verdict::Rises } else { Verdict::Stays })
        } else {
            None
        }
    }
}

/// LadderRef a version stands on one of the ladders of its league, and where the boss does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// Matches of the version there.
    pub games: u64,
    /// Its rating.
    pub rating: f64,
    /// The rating of the boss; nothing before its first match.
    pub boss: Option<f64>,
}

/// Whether a version rises from a league with ladders: placed and above the boss on every one of them.
pub fn is_above_boss(places: &[Place], placement: u32) -> bool {
    let above = |place: &Place| {
        place.games >= u64::from(placement) && place.boss.is_some_and(|boss| place.rating > boss)
    };
    !places.is_empty() && places.iter().all(above)
}

/// Whether a version that failed in so many of its last matches, newest first, should be paused: ten of the last ten, or every one
/// of the first five.
pub fn is_broken(failed: &[bool], matches: u64) -> bool {
    const LAST: usize = 10;
    const FIRST: usize = 5;
    let newest = &failed[..failed.len().min(LAST)];
    let enough = newest.len() == LAST || (newest.len() >= FIRST && newest.len() as u64 == matches);
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
        assert_eq!(verdict(3, 0, 0), Some(Verdict::Rises));
        assert_eq!(verdict(2, 0, 2), None);
        assert_eq!(verdict(3, 0, 2), Some(Verdict::Rises));
        assert_eq!(verdict(0, 0, 3), Some(Verdict::Stays));
        assert_eq!(verdict(2, 0, 3), Some(Verdict::Stays));
        assert_eq!(verdict(1, 4, 0), Some(Verdict::Rises));
        assert_eq!(verdict(1, 3, 1), Some(Verdict::Stays));
        assert_eq!(verdict(0, 5, 0), Some(Verdict::Stays));
        // One more that was being played when it was decided changes nothing.
        assert_eq!(verdict(4, 0, 1), Some(Verdict::Rises));
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
