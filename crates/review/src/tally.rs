//! The results of many continuations.

use rating::Estimate;
use serde::Serialize;

/// The results of a seat.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub struct SeatTally {
    /// Matches that the seat won alone.
    pub wins: u32,
    /// Matches in which it shared the first place.
    pub draws: u32,
    /// Matches that it lost.
    pub losses: u32,
    /// The share of the other players that it left behind, a tie counts half: the mean over all matches.
    pub score: f64,
    /// The interval that contains the true share with 95 %.
    pub interval: [f64; 2],
}

/// The results of many continuations, by seat.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct Tally {
    /// The number of matches.
    pub matches: u32,
    /// The results of each seat.
    pub seats: Vec<SeatTally>,
    #[serde(skip)]
    points: Vec<f64>,
}

impl Tally {
    /// Adds the places of a match, by seat.
    pub fn add(&mut self, ranks: &[u8]) {
        self.matches += 1;
        self.seats.resize(ranks.len(), SeatTally::default());
        self.points.resize(ranks.len(), 0.0);
        let shared = ranks.iter().filter(|&&rank| rank == 1).nth(1).is_some();
        for (seat, &rank) in ranks.iter().enumerate() {
            let tally = &mut self.seats[seat];
            match rank {
                1 if shared => tally.draws += 1,
                1 => tally.wins += 1,
                _ => tally.losses += 1,
            }
            self.points[seat] += points(ranks, seat);
            tally.score = self.points[seat] / f64::from(self.matches);
            tally.interval = interval(self.points[seat], self.matches);
        }
    }
}

/// The share of the other players that a seat left behind; a tie counts half.
pub(crate) fn points(ranks: &[u8], seat: usize) -> f64 {
    let others = ranks.iter().enumerate().filter(|(other, _)| *other != seat);
    let sum: f64 = others
        .map(|(_, &rank)| match rank.cmp(&ranks[seat]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
        .sum();
    sum / (ranks.len().max(2) - 1) as f64
}

fn interval(points: f64, count: u32) -> [f64; 2] {
    let share = Estimate::of_share(points, f64::from(count));
    [share.low, share.high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_by_seat() {
        let mut tally = Tally::default();
        tally.add(&[1, 2]);
        tally.add(&[1, 1]);
        tally.add(&[2, 1]);
        tally.add(&[1, 2]);
        let first = tally.seats[0];
        assert_eq!((first.wins, first.draws, first.losses), (2, 1, 1));
        assert!((first.score - 0.625).abs() < 1e-9);
        assert!((points(&[2, 1, 2, 4], 0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn intervals_contain_the_mean_and_stay_between_0_and_1() {
        for (points, count) in [(0.0, 1), (0.0, 50), (50.0, 50), (12.5, 50), (1.0, 2)] {
            let [low, high] = interval(points, count);
            let mean = points / f64::from(count);
            assert!(
                (0.0..=mean).contains(&low) && (mean..=1.0).contains(&high),
                "{points} {count}: {low} {high}"
            );
        }
        // The published example: 15 of 50.
        let [low, high] = interval(15.0, 50);
        assert!((low - 0.191).abs() < 1e-3 && (high - 0.4375).abs() < 1e-3, "{low} {high}");
        let [low, high] = interval(0.0, 0);
        assert!(low.abs() < 1e-9 && (high - 1.0).abs() < 1e-9);
    }
}
