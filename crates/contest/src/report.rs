//! A report for the admin: pairs of bots of different accounts that deserve a look. It is statistics, not a verdict.

use std::collections::BTreeMap;

use model::{BotId, UserId, VersionId};
use rating::System;
use serde::Serialize;
use store::{ActiveSource, Encounter, Store};

use crate::fingerprint::Fingerprint;

/// Pairs with fewer decided matches are not judged.
const FEWEST_MATCHES: i64 = 8;
/// Pairs whose results are less likely than this are reported.
const UNLIKELY: f64 = 0.001;
/// Sources that are more similar than this are reported.
const SIMILAR: f64 = 0.8;

/// Pairs of bots of different accounts that deserve a look.
#[derive(Clone, Debug, Serialize)]
pub struct PairReport {
    /// The number of pairs of bots whose results were judged. Among many pairs, some are unlikely by chance.
    pub judged: usize,
    /// Pairs whose results against each other are unlikely for their ratings, the least likely first.
    pub results: Vec<UnlikelyResults>,
    /// The number of sources that were compared.
    pub sources: usize,
    /// Pairs of active versions with the same or nearly the same source, the most similar first.
    pub similar: Vec<SimilarSources>,
    /// Groups of accounts that were made from the same network in the last 30 days.
    pub neighbours: Vec<Vec<ReportedAccount>>,
}

/// An account in the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportedAccount {
    /// Its number.
    pub id: UserId,
    /// Its name.
    pub name: String,
}

/// A bot in the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportedBot {
    /// Its number.
    pub id: BotId,
    /// Its name.
    pub name: String,
    /// The game.
    pub game: String,
    /// Its owner.
    pub user_id: Option<UserId>,
}

/// Results of two bots against each other that are unlikely for their ratings.
#[derive(Clone, Debug, Serialize)]
pub struct UnlikelyResults {
    /// The bots.
    pub bots: [ReportedBot; 2],
    /// The number of matches in which the first bot was placed above the second, and below it.
    pub above: [i64; 2],
    /// The number of matches in which the first bot is expected above the second.
    pub expected: f64,
    /// The probability of a result at least as far from the expectation, if the ratings are right.
    pub p_value: f64,
}

/// Two versions of different accounts with the same or nearly the same source.
#[derive(Clone, Debug, Serialize)]
pub struct SimilarSources {
    /// The bots.
    pub bots: [ReportedBot; 2],
    /// Their active versions.
    pub versions: [VersionId; 2],
    /// The share of common parts, from 0 to 1; the starter bots of the game are not counted.
    pub similarity: f64,
}

/// Compares the results and the sources of all bots of different accounts.
///
/// # Errors
///
/// When the store fails.
pub async fn pair_report(store: &Store) -> store::Result<PairReport> {
    let (judged, unlikely) = unlikely(&store.encounters().await?);
    let mut results = Vec::with_capacity(unlikely.len());
    for (bots, above, expected, p_value) in unlikely {
        let mut reported = Vec::with_capacity(2);
        for id in bots {
            if let Some(bot) = store.bot(id).await? {
                reported.push(ReportedBot { id, name: bot.name, game: bot.game, user_id: bot.user_id });
            }
        }
        if let Ok(bots) = reported.try_into() {
            results.push(UnlikelyResults { bots, above, expected, p_value });
        }
    }
    let mut sources = Sources::default();
    let mut after = BotId(0);
    loop {
        let some = store.active_sources(after).await?;
        let Some(last) = some.last() else { break };
        after = last.bot;
        for source in some {
            sources.add(source);
        }
    }
    let neighbours = store.neighbours().await?;
    let neighbours = neighbours
        .chunk_by(|a, b| a.network == b.network)
        .map(|group| {
            group.iter().map(|one| ReportedAccount { id: one.user, name: one.name.clone() }).collect()
        })
        .collect();
    Ok(PairReport { judged, results, sources: sources.all.len(), similar: sources.similar(), neighbours })
}

/// The pair, its results, the expectation and the p-value.
type Unlikely = ([BotId; 2], [i64; 2], f64, f64);

/// The number of pairs that have enough matches, and those whose results are unlikely.
fn unlikely(encounters: &[Encounter]) -> (usize, Vec<Unlikely>) {
    let mut pairs: BTreeMap<[BotId; 2], Vec<&Encounter>> = BTreeMap::new();
    for encounter in encounters {
        pairs.entry(encounter.bots).or_default().push(encounter);
    }
    let (mut judged, mut found) = (0, Vec::new());
    for (bots, encounters) in pairs {
        let sum = |seat: usize| encounters.iter().map(|one| one.above[seat]).sum::<i64>();
        let above = [sum(0), sum(1)];
        if above[0] + above[1] < FEWEST_MATCHES {
            continue;
        }
        judged += 1;
        let chances: Vec<f64> = encounters
            .iter()
            .flat_map(|one| std::iter::repeat_n(chance(one), (one.above[0] + one.above[1]) as usize))
            .collect();
        let p_value = p_value(&chances, above[0] as usize);
        if p_value < UNLIKELY {
            found.push((bots, above, chances.iter().sum(), p_value));
        }
    }
    found.sort_by(|one, other| one.3.total_cmp(&other.3));
    (judged, found)
}

/// The probability that the first bot is placed above the second, by the ratings and their uncertainties.
fn chance(one: &Encounter) -> f64 {
    let scale = System::ARENA.scale();
    let [a, b] = one.uncertainties;
    let spread = (scale * scale + a * a + b * b).sqrt();
    1.0 / (1.0 + ((one.ratings[1] - one.ratings[0]) / spread).exp())
}

/// The two-sided p-value of `wins` in independent matches with these chances, by their exact distribution.
fn p_value(chances: &[f64], wins: usize) -> f64 {
    let mut distribution = vec![1.0];
    for chance in chances {
        distribution.push(0.0);
        for count in (0..distribution.len()).rev() {
            let from_below = if count > 0 { distribution[count - 1] * chance } else { 0.0 };
            distribution[count] = distribution[count] * (1.0 - chance) + from_below;
        }
    }
    let wins = wins.min(chances.len());
    let at_most: f64 = distribution[..=wins].iter().sum();
    let at_least: f64 = distribution[wins..].iter().sum();
    (2.0 * at_most.min(at_least)).min(1.0)
}

/// The fingerprints of all active versions.
#[derive(Default)]
struct Sources {
    all: Vec<(ReportedBot, VersionId, String, Fingerprint)>,
    /// The fingerprints of the starter bots, by game.
    kits: BTreeMap<String, Vec<Fingerprint>>,
}

impl Sources {
    fn add(&mut self, source: ActiveSource) {
        let kits = self.kits.entry(source.game.clone()).or_insert_with(|| {
            toolchain::kits(&source.game).iter().map(|kit| Fingerprint::of(kit.source)).collect()
        });
        let mut fingerprint = Fingerprint::of(&source.source);
        for kit in kits {
            fingerprint.remove(kit);
        }
        let bot =
            ReportedBot { id: source.bot, name: source.name, game: source.game, user_id: Some(source.user) };
        self.all.push((bot, source.version, source.language, fingerprint));
    }

    fn similar(&self) -> Vec<SimilarSources> {
        let mut similar = Vec::new();
        for (index, (bot, version, language, fingerprint)) in self.all.iter().enumerate() {
            for (other, other_version, other_language, other_fingerprint) in &self.all[index + 1..] {
                if bot.user_id == other.user_id || bot.game != other.game || language != other_language {
                    continue;
                }
                let similarity = fingerprint.similarity(other_fingerprint).unwrap_or(0.0);
                if similarity > SIMILAR {
                    similar.push(SimilarSources {
                        bots: [bot.clone(), other.clone()],
                        versions: [*version, *other_version],
                        similarity,
                    });
                }
            }
        }
        similar.sort_by(|one, other| other.similarity.total_cmp(&one.similarity));
        similar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encounter(bots: [i64; 2], above: [i64; 2], ratings: [f64; 2]) -> Encounter {
        Encounter { bots: bots.map(BotId), above, ratings, uncertainties: [1.0, 1.0] }
    }

    #[test]
    fn exact_probabilities() {
        assert!((p_value(&[0.5; 10], 10) - 2.0 / 1024.0).abs() < 1e-12);
        assert!((p_value(&[0.5; 10], 5) - 1.0).abs() < 1e-12);
        assert!((p_value(&[0.9, 0.5], 0) - 0.1).abs() < 1e-12);
        assert!((p_value(&[], 0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_strong_bot_that_loses_to_a_weak_one_is_reported() {
        let usual = encounter([1, 2], [15, 3], [30.0, 22.0]);
        let odd = encounter([1, 3], [1, 20], [30.0, 22.0]);
        let short = encounter([2, 3], [0, 7], [40.0, 10.0]);
        let (judged, found) = unlikely(&[usual, odd, short]);
        assert_eq!(judged, 2);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].0, found[0].1), ([BotId(1), BotId(3)], [1, 20]));
        assert!(found[0].2 > 10.5 && found[0].3 < 1e-6, "{found:?}");
    }

    #[test]
    fn copies_of_another_account_are_reported() {
        let kit = |game: &str| {
            let kits = toolchain::kits(game);
            kits.into_iter().find(|kit| kit.language.name == "C++").unwrap().source.to_owned()
        };
        // A program that shares little with the starter bots of its game.
        let source = kit("ocean-of-code") + &kit("back-track");
        let of = |bot: i64, user: i64, language: &str, source: String| ActiveSource {
            bot: BotId(bot),
            name: format!("bot {bot}"),
            user: UserId(user),
            game: "hypersonic".to_owned(),
            version: VersionId(bot),
            language: language.to_owned(),
            source,
        };
        let mut sources = Sources::default();
        sources.add(of(1, 1, "C++", source.clone()));
        sources.add(of(2, 2, "C++", source.replace("int ", "long /* mine */ ")));
        sources.add(of(3, 1, "C++", source.clone()));
        sources.add(of(4, 4, "C++", kit("hypersonic")));
        sources.add(of(5, 5, "C++", kit("hypersonic")));
        let pairs: Vec<[i64; 2]> =
            sources.similar().iter().map(|pair| pair.bots.clone().map(|bot| bot.id.0)).collect();
        assert_eq!(pairs.len(), 2, "{:?}", sources.similar());
        assert!(pairs.contains(&[1, 2]) && pairs.contains(&[2, 3]), "{pairs:?}");
    }
}
