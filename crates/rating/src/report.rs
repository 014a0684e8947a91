//! The text block that testers paste.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Duel, Estimate, Model, Shape, Sprt, SprtState};

/// All results of a duel, for people (its `Display` is the block that chess testers paste into reviews) and for
/// programs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The first player: the numbers are about this player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// Elo difference, from units.
    pub elo: Estimate,
    /// Elo difference, from single games; for comparison only.
    pub elo_single: Estimate,
    /// Normalised Elo, from units.
    pub nelo: Estimate,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
    /// The share of units in which both players took the same points.
    pub draw_ratio: f64,
    /// The ratio of won units to lost units; `None` without lost units.
    pub pairs_ratio: Option<f64>,
    /// The ratio of even units without a draw to the other even units; `None` without other even units.
    pub wl_dd_ratio: Option<f64>,
    /// Games played.
    pub games: u64,
    /// Comparisons won: equal to games where each player has one seat.
    pub wins: u64,
    /// Comparisons lost.
    pub losses: u64,
    /// Comparisons drawn.
    pub draws: u64,
    /// Points: a win is one, a draw one half.
    pub points: f64,
    /// The composition of a unit.
    pub unit: Shape,
    /// The numbers of units by half points, from none to all: `[LL, LD, WL+DD, WD, WW]` for two players.
    pub pairs: Vec<u64>,
    /// Units that were left out because they are not complete.
    pub incomplete: u64,
    /// The sequential test, where there is one.
    pub sprt: Option<SprtState>,
}

impl Report {
    /// The report of a duel between two named players.
    pub fn new(first: &str, second: &str, duel: &Duel, test: Option<&Sprt>) -> Report {
        let drawn = duel.pairs.even().saturating_sub(duel.even_without_draws);
        Report {
            first: first.to_owned(),
            second: second.to_owned(),
            elo: duel.pairs.elo(),
            elo_single: duel.score.elo(),
            nelo: duel.pairs.nelo(),
            los: duel.pairs.los(),
            draw_ratio: duel.pairs.draw_ratio(),
            pairs_ratio: duel.pairs.ratio(),
            wl_dd_ratio: (drawn > 0).then(|| duel.even_without_draws as f64 / drawn as f64),
            games: duel.games,
            wins: duel.score.wins,
            losses: duel.score.losses,
            draws: duel.score.draws,
            points: duel.score.points(),
            unit: duel.pairs.shape(),
            pairs: duel.pairs.counts().to_vec(),
            incomplete: duel.incomplete,
            sprt: test.map(|test| test.state(&duel.pairs)),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = (self.wins + self.draws + self.losses).max(1) as f64;
        writeln!(f, "Results of {} vs {}:", self.first, self.second)?;
        writeln!(f, "Elo: {:.2}, nElo: {:.2}", self.elo, self.nelo)?;
        writeln!(
            f,
            "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {}",
            100.0 * self.los,
            100.0 * self.draw_ratio,
            Ratio(self.pairs_ratio)
        )?;
        write!(f, "Games: {}, ", self.games)?;
        if self.unit.comparisons > self.unit.games {
            let compared = self.wins + self.draws + self.losses;
            write!(f, "{compared} comparisons, one with each rival of a game: ")?;
        }
        writeln!(
            f,
            "Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
            self.wins,
            self.losses,
            self.draws,
            self.points,
            100.0 * self.points / total
        )?;
        let most = self.unit.comparisons.max(1);
        write!(f, "Ptnml(0-{most}): {:?}, WL/DD Ratio: {}", self.pairs, Ratio(self.wl_dd_ratio))?;
        if let Some(state) = &self.sprt {
            let (elo0, elo1) = state.test.elo();
            write!(f, "\nLLR: {:.2} ({:.2}, {:.2})", state.llr, state.lower, state.upper)?;
            write!(f, " [{elo0:.2}, {elo1:.2}]")?;
            if state.test.model() == Model::Logistic {
                write!(f, " in Elo")?;
            }
        }
        Ok(())
    }
}

struct Ratio(Option<f64>);

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(ratio) => write!(f, "{ratio:.2}"),
            None => f.write_str("n/a"),
        }
    }
}
