//! Statistics of matches: outcomes by seat and by map, scores, lengths, endings.

use std::collections::BTreeMap;

use rating::Estimate;
use serde::Serialize;

use crate::gather::Gathered;
use crate::numbers::Histogram;

/// Outcomes sorted by a property that was known before the match.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sorted {
    /// The property.
    pub(crate) by: &'static str,
    /// The unit of the property.
    pub(crate) unit: &'static str,
    /// The unit of counting: a game, or a map with all its games.
    pub(crate) counted: &'static str,
    pub(crate) groups: Vec<Group>,
}

/// A group of outcomes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Group {
    /// The first and the last value of the property.
    pub(crate) range: (f64, f64),
    /// Share of points of each player, by number; `None` for a player that did not play.
    pub(crate) shares: Vec<Option<Share>>,
}

/// A share of points.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Share {
    /// The share and its 95 % interval (Wilson).
    pub(crate) points: Estimate,
    /// The number of games or maps.
    pub(crate) count: u64,
}

/// Points of each player, and the number of games or maps.
type Sums = Vec<(f64, u64)>;

fn shares(sums: &Sums) -> Vec<Option<Share>> {
    let share = |&(points, count): &(f64, u64)| {
        (count > 0).then(|| Share { points: Estimate::of_share(points, count as f64), count })
    };
    sums.iter().map(share).collect()
}

/// Outcomes by seat. The games of a seat are on different maps, so each of them counts.
pub(crate) fn by_seat(run: &Gathered) -> Sorted {
    let mut seats: Vec<Sums> = vec![vec![(0.0, 0); run.names.len()]; run.header.players as usize];
    for line in &run.matches {
        for seat in 0..line.seats.len() {
            if let Some(share) = run.share(line, seat) {
                let sum = &mut seats[seat][run.player(line.seats[seat])];
                *sum = (sum.0 + share, sum.1 + 1);
            }
        }
    }
    let group =
        |(seat, sums): (usize, &Sums)| Group { range: (seat as f64, seat as f64), shares: shares(sums) };
    Sorted {
        by: "seat",
        unit: "seat",
        counted: "games",
        groups: seats.iter().enumerate().map(group).collect(),
    }
}

/// Outcomes by features of the map. The games of a unit share their map, so a unit counts once.
pub(crate) fn by_map(run: &Gathered) -> Vec<Sorted> {
    let mut maps = BTreeMap::new();
    // The seed of each unit and the share of each player that took part: few of the players of a tournament.
    let mut units: Vec<(i64, Vec<(usize, f64)>)> = Vec::new();
    for unit in run.matches.chunk_by(|a, b| run.unit_of(a) == run.unit_of(b)) {
        let mut sums: BTreeMap<usize, (f64, u64)> = BTreeMap::new();
        for line in unit {
            for seat in 0..line.seats.len() {
                if let Some(share) = run.share(line, seat) {
                    let sum = sums.entry(run.player(line.seats[seat])).or_default();
                    *sum = (sum.0 + share, sum.1 + 1);
                }
            }
        }
        let seed = unit[0].seed;
        maps.entry(seed).or_insert_with(|| run.game.start(run.selected, seed).features());
        let once = |(player, (points, count)): (usize, (f64, u64))| (player, points / count as f64);
        units.push((seed, sums.into_iter().map(once).collect()));
    }
    let Some(first) = maps.values().next() else { return Vec::new() };
    let sorted = |at: usize| {
        let values: Vec<f64> = units.iter().map(|(seed, _)| maps[seed][at].value).collect();
        let group = |range: (f64, f64)| {
            let mut sums: Sums = vec![(0.0, 0); run.names.len()];
            for (value, (_, unit)) in values.iter().zip(&units) {
                if range.0 <= *value && *value <= range.1 {
                    for &(player, points) in unit {
                        sums[player] = (sums[player].0 + points, sums[player].1 + 1);
                    }
                }
            }
            Group { range, shares: shares(&sums) }
        };
        let groups: Vec<Group> = rating::buckets(&values).into_iter().map(group).collect();
        Sorted { by: first[at].name, unit: first[at].unit, counted: "maps", groups }
    };
    (0..first.len()).map(sorted).filter(|sorted| sorted.groups.len() > 1).collect()
}

/// Final scores by player: the points, where the score encodes more than them.
pub(crate) fn scores(run: &Gathered) -> Histogram {
    let mut values = vec![Vec::new(); run.names.len()];
    for line in &run.matches {
        let parts = run.game.score_parts(&line.scores);
        for (seat, (&score, part)) in line.scores.iter().zip(parts).enumerate() {
            values[run.player(line.seats[seat])].push(part.points.unwrap_or(score));
        }
    }
    Histogram::of(&values)
}

/// The lengths of matches: by winner in a duel (the first bot, none, the second), else all together.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Lengths {
    /// The categories that are counted separately.
    pub(crate) kinds: Vec<String>,
    pub(crate) turns: Histogram,
    pub(crate) median: u32,
    pub(crate) longest: u32,
}

pub(crate) fn lengths(run: &Gathered) -> Lengths {
    let all = || "all matches".to_owned();
    let kinds = if run.is_tournament() {
        vec![all()]
    } else {
        let [first, second] = [0, 1].map(|player: usize| format!("{} is ahead", run.names[player]));
        vec![first, "level".to_owned(), second]
    };
    let mut values = vec![Vec::new(); kinds.len()];
    for line in &run.matches {
        let kind = match line.seats.iter().position(|&bot| run.player(bot) == 0) {
            Some(seat) if !run.is_tournament() => {
                let share = run.share(line, seat).unwrap_or(0.5);
                usize::from(share <= 0.5) + usize::from(share < 0.5)
            }
            _ => 0,
        };
        values[kind].push(i64::from(line.turns));
    }
    let mut sorted: Vec<u32> = run.matches.iter().map(|line| line.turns).collect();
    sorted.sort_unstable();
    Lengths {
        kinds,
        turns: Histogram::of(&values),
        median: sorted.get(sorted.len() / 2).copied().unwrap_or(0),
        longest: sorted.last().copied().unwrap_or(0),
    }
}

/// The number of matches by their kind of ending, the normal end first.
pub(crate) fn endings(run: &Gathered) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for line in &run.matches {
        *counts.entry(&line.reason).or_default() += 1;
    }
    let mut endings: Vec<(String, u64)> =
        counts.into_iter().map(|(reason, count)| (reason.to_owned(), count)).collect();
    endings.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    endings
}
