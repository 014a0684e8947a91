//! Levels of strength: a champion that is handicapped so that people find an even opponent.

use game::Dice;

use crate::budget::Budget;

/// The handicap of a bot: it thinks less, and errs about the value of what it could do.
///
/// Thinking less alone is a short scale: most bots find a good answer soon or not at all. Answers of a weaker bot in between would
/// not do either, since a bot that keeps a state of its own expects that its own answers were played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Handicap {
    /// The most nodes of search for an answer.
    pub nodes: u64,
    /// The size of the errors, in the units of the bot's values.
    pub noise: f32,
}

impl Handicap {
    /// Full strength.
    pub const NONE: Handicap = Handicap { nodes: u64::MAX, noise: 0.0 };

    /// The budget of an answer.
    pub fn limit(&self, budget: Budget) -> Budget {
        budget.at_most(self.nodes)
    }

    /// An error, to be added to the value of an answer. It is from Gumbel's distribution: of two answers, the one that is worse by
    /// [`Handicap::noise`] is taken about a third as often.
    pub fn error(&self, dice: &mut Dice) -> f32 {
        if self.noise <= 0.0 {
            return 0.0;
        }
        // Between 0 and 1, without both.
        let share = (f64::from(dice.below(1 << 24)) + 0.5) / f64::from(1 << 24);
        -self.noise * (-share.ln()).ln() as f32
    }
}

/// The levels of a champion, weakest first, as a table of [`crate::BuiltIn`]s: `champion:1` and so on. `$sit` makes the bot for a seating and a
/// handicap, `$handicaps` is an array with a handicap for each of the ten levels.
#[macro_export]
macro_rules! levels {
    ($title:literal, $motto:expr, $handicaps:expr, $sit:expr) => {
        $crate::levels!(@ $title, $motto, $handicaps, $sit, 1 2 3 4 5 6 7 8 9 10)
    };
    (@ $title:literal, $motto:expr, $handicaps:expr, $sit:expr, $($level:literal)+) => {
        [$($crate::BuiltIn {
            name: concat!("champion:", $level),
            title: concat!($title, " ", $level),
            motto: $motto,
            about: concat!("The champion at level ", $level, " of 10."),
            league: None,
            sit: |seating| $sit(seating, $handicaps[$level - 1]),
        }),+]
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_worse_by_the_noise_is_taken_about_a_third_as_often() {
        let handicap = Handicap { nodes: 1, noise: 2.0 };
        let dice = &mut Dice::new(7);
        let games = 20_000;
        let worse = (0..games).filter(|_| handicap.error(dice) > 2.0 + handicap.error(dice)).count();
        // 1 / (1 + e) of them.
        let share = worse as f64 / f64::from(games);
        assert!((share - 0.269).abs() < 0.02, "{share}");
    }

    #[test]
    fn full_strength_makes_no_errors_and_rolls_no_dice() {
        let dice = &mut Dice::new(7);
        assert!(Handicap::NONE.error(dice).abs() < f32::EPSILON);
        assert_eq!(dice.bits(), Dice::new(7).bits());
    }
}
