//! Matchmaking: a pure function of the standings of a ladder.
//!
//! The matchmaker first chooses an entrant that *needs* a match, then its opponents. Newcomers have the highest
//! priority, then entrants whose rating is still settling; among equals, the entrant with the fewest matches. Now and
//! then, and always when all entrants are settled, it chooses the entrant whose last match is the oldest. Opponents
//! have about the same strength, so that the result is uncertain: the best bots meet each other, and a bot that always
//! loses meets other bots at the bottom. A random choice among the best few opponents avoids repeating the same pair
//! forever.

use std::collections::BTreeSet;

use game::Dice;
use model::VersionId;
use rating::System;

/// An entrant of a ladder.
#[derive(Clone, PartialEq, Debug)]
pub struct Entrant {
    /// The version that plays.
    pub version: VersionId,
    /// The mean of the estimated skill.
    pub rating: f64,
    /// The standard deviation of the estimated skill.
    pub uncertainty: f64,
    /// Matches that count on this ladder.
    pub games: u64,
    /// Its matches that wait or are being played.
    pub pending: u64,
    /// The number of its last match in the log of all results; 0 before the first.
    pub last: i64,
    /// Whether it is a built-in bot. A built-in bot may have two seats in a match when there are no other entrants.
    pub built_in: bool,
}

/// The reason for a match, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Need {
    /// An entrant has not played its placement matches.
    Placement,
    /// The rating of an entrant is still settling.
    Settling,
    /// A built-in bot has not played its placement matches. It is also chosen as an opponent, so its need is less
    /// urgent.
    BuiltIn,
    /// No entrant needs a match; it only keeps the ladder active.
    Pastime,
}

/// A match to play next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The versions by seat.
    pub seats: Vec<VersionId>,
    /// The reason for the match.
    pub need: Need,
}

/// The maximum number of pending matches of an entrant: each result should influence the choice of the next match.
const MOST_PENDING: u64 = 2;
/// An entrant is settled after this multiple of its placement matches.
const SETTLED: u64 = 3;
/// On average, one match in this number is for the entrant that has waited longest, regardless of needs.
const TURN_OF_THE_PATIENT: u32 = 5;
/// Opponents are chosen among this number of the best candidates.
const CHOICE: usize = 8;
/// On average, one pastime match in this number is for the top of the ladder.
const TURN_OF_THE_TOP: u32 = 3;
/// The number of entrants at the top.
const TOP: usize = 10;

/// Opponents are looked for among this number of entrants above and below in rating: the best candidates are there, and a
/// ladder may have very many entrants.
const NEAR: usize = 100;

/// A ladder with all its available entrants, ordered so that a match is found without a look at each of them.
#[derive(Debug)]
pub struct Field {
    entrants: Vec<Entrant>,
    players: usize,
    placement: u64,
    /// The number of built-in bots.
    built_in: usize,
    /// The entrants from the lowest rating to the highest.
    by_rating: Vec<usize>,
    /// The place of each entrant in `by_rating`.
    places: Vec<usize>,
    /// The entrants that need a match, the neediest first.
    needy: BTreeSet<(Need, u64, VersionId, usize)>,
    /// The entrants that may get a match, the one that has waited longest first.
    free: BTreeSet<(u64, i64, VersionId, usize)>,
}

impl Field {
    /// A ladder for matches with this number of players, whose entrants play `placement` placement matches.
    pub fn new(entrants: Vec<Entrant>, players: u8, placement: u32) -> Field {
        let mut by_rating: Vec<usize> = (0..entrants.len()).collect();
        by_rating.sort_by(|&a, &b| entrants[a].rating.total_cmp(&entrants[b].rating));
        let mut places = vec![0; entrants.len()];
        for (place, &index) in by_rating.iter().enumerate() {
            places[index] = place;
        }
        let built_in = entrants.iter().filter(|one| one.built_in).count();
        let (players, placement) = (usize::from(players), u64::from(placement));
        let all = || entrants.iter().enumerate();
        let needy = all().filter_map(|(index, one)| needy_key(one, placement, index)).collect();
        let free = all().filter_map(|(index, one)| free_key(one, index)).collect();
        Field { entrants, players, placement, built_in, by_rating, places, needy, free }
    }

    /// The urgency of the next match of this ladder, and the number of matches of the entrant that needs it; `None` when
    /// no entrant needs a match now.
    pub fn need(&self) -> Option<(Need, u64)> {
        let &(need, games, ..) = self.needy.first().filter(|_| self.can_fill())?;
        Some((need, games))
    }

    /// The next match, if an entrant needs one and the seats can be filled. It counts as pending from then on. With
    /// `pastime`, a match is returned even when no entrant needs one.
    pub fn next(&mut self, pastime: bool, dice: &mut Dice) -> Option<Table> {
        if !self.can_fill() {
            return None;
        }
        let (hero, need) = self.choose_hero(pastime, dice)?;
        let mut table = vec![hero];
        while table.len() < self.players {
            table.push(self.choose_company(&table, dice)?);
        }
        for &index in &table.iter().copied().collect::<BTreeSet<usize>>() {
            self.add_pending(index);
        }
        shuffle(&mut table, dice);
        Some(Table { seats: table.into_iter().map(|index| self.entrants[index].version).collect(), need })
    }

    /// Whether there are at least two different entrants, and enough for all seats if built-in bots have two seats.
    fn can_fill(&self) -> bool {
        self.entrants.len() >= 2 && self.entrants.len() + self.built_in >= self.players
    }

    fn add_pending(&mut self, index: usize) {
        let Field { entrants, needy, free, placement, .. } = self;
        let Some(one) = entrants.get_mut(index) else { return };
        needy_key(one, *placement, index).map(|key| needy.remove(&key));
        free_key(one, index).map(|key| free.remove(&key));
        one.pending += 1;
        needy.extend(needy_key(one, *placement, index));
        free.extend(free_key(one, index));
    }

    /// Chooses the entrant that gets a match, and the reason.
    fn choose_hero(&self, pastime: bool, dice: &mut Dice) -> Option<(usize, Need)> {
        let longest = || self.free.first().map(|&(.., index)| index);
        match self.needy.first() {
            Some(&(need, _, _, index)) => {
                let patient = dice.one_in(TURN_OF_THE_PATIENT).then(longest).flatten();
                Some((patient.unwrap_or(index), need))
            }
            None if pastime && dice.one_in(TURN_OF_THE_TOP) => {
                let is_free = |&index: &usize| self.entrants[index].pending < MOST_PENDING;
                let top: Vec<usize> =
                    self.by_rating.iter().rev().copied().filter(is_free).take(TOP).collect();
                let count = u32::try_from(top.len()).ok().filter(|count| *count > 0)?;
                Some((top[dice.below(count) as usize], Need::Pastime))
            }
            None if pastime => longest().map(|index| (index, Need::Pastime)),
            None => None,
        }
    }

    /// Chooses another player for a match: a random choice among the best candidates, whose results against all seated
    /// players are the most uncertain. Built-in bots get a second seat only when no other entrants are left.
    fn choose_company(&self, seated: &[usize], dice: &mut Dice) -> Option<usize> {
        let entrants = &self.entrants;
        let fit = |index: usize| -> f64 {
            let one = &entrants[index];
            let open: f64 = seated.iter().map(|&other| openness(one, &entrants[other])).product();
            // Entrants with pending matches get a lower weight, so that matches are spread.
            open.powi(3) / (1.0 + one.pending as f64)
        };
        let times = |index: usize| seated.iter().filter(|&&other| other == index).count();
        let near = self.near(*seated.first()?);
        let fresh: Vec<usize> = near.iter().copied().filter(|&index| times(index) == 0).collect();
        let choice = if fresh.is_empty() {
            near.iter().copied().filter(|&index| entrants[index].built_in && times(index) == 1).collect()
        } else {
            fresh
        };
        let mut weighed: Vec<(f64, usize)> = choice.into_iter().map(|index| (fit(index), index)).collect();
        let best_first = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if weighed.len() > CHOICE {
            weighed.select_nth_unstable_by(CHOICE, best_first);
            weighed.truncate(CHOICE);
        }
        weighed.sort_by(best_first);
        let total: f64 = weighed.iter().map(|(weight, _)| weight).sum();
        let mut left = f64::from(dice.below(1 << 24)) / f64::from(1 << 24) * total;
        for &(weight, index) in &weighed {
            left -= weight;
            if left < 0.0 {
                return Some(index);
            }
        }
        weighed.first().map(|&(_, index)| index)
    }

    /// The entrants that are next to this one in rating.
    fn near(&self, index: usize) -> &[usize] {
        let count = self.by_rating.len().min(2 * NEAR + 1);
        let first = self.places[index].saturating_sub(NEAR).min(self.by_rating.len() - count);
        &self.by_rating[first..first + count]
    }
}

fn need(one: &Entrant, placement: u64) -> Option<Need> {
    let ahead = one.games + one.pending;
    if one.pending >= MOST_PENDING {
        None
    } else if one.built_in {
        (ahead < placement).then_some(Need::BuiltIn)
    } else if ahead < placement {
        Some(Need::Placement)
    } else if ahead < placement * SETTLED {
        Some(Need::Settling)
    } else {
        None
    }
}

/// The place of an entrant among those that need a match.
fn needy_key(one: &Entrant, placement: u64, index: usize) -> Option<(Need, u64, VersionId, usize)> {
    Some((need(one, placement)?, one.games + one.pending, one.version, index))
}

/// The place of an entrant among those that may get a match.
fn free_key(one: &Entrant, index: usize) -> Option<(u64, i64, VersionId, usize)> {
    (one.pending < MOST_PENDING).then_some((one.pending, one.last, one.version, index))
}

/// The uncertainty of a result between two entrants: 1 between equals, 0 when it is certain. Uncertain ratings increase
/// it (D. `MacKay`'s moderated output, as in `rating::Belief`).
fn openness(a: &Entrant, b: &Entrant) -> f64 {
    let scale = System::ARENA.scale();
    let variance = (a.uncertainty.powi(2) + b.uncertainty.powi(2)) / scale.powi(2);
    let difference = (a.rating - b.rating) / scale / (1.0 + std::f64::consts::PI * variance / 8.0).sqrt();
    let expected = 1.0 / (1.0 + (-difference).exp());
    let open = 4.0 * expected * (1.0 - expected);
    if open.is_finite() { open.max(f64::MIN_POSITIVE) } else { f64::MIN_POSITIVE }
}

fn shuffle<T>(items: &mut [T], dice: &mut Dice) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.below(last as u32 + 1) as usize);
    }
}

/// The matches of a final: each finalist plays `matches` matches, or one more where the numbers do not divide evenly,
/// against each other finalist about equally often and from every seat.
pub fn final_tables(
    finalists: &[VersionId],
    players: u8,
    matches: u32,
    dice: &mut Dice,
) -> Vec<Vec<VersionId>> {
    let (count, players) = (finalists.len(), usize::from(players));
    if count < players || players < 2 {
        return Vec::new();
    }
    let mut played = vec![0; count];
    let mut met = vec![vec![0_u32; count]; count];
    let mut sat = vec![vec![0_u32; players]; count];
    let mut tables = Vec::new();
    while played.iter().any(|&times| times < matches) {
        let mut table: Vec<usize> = Vec::with_capacity(players);
        while table.len() < players {
            let next = (0..count).filter(|index| !table.contains(index)).min_by_key(|&index| {
                let meetings: u32 = table.iter().map(|&other| met[index][other]).sum();
                (played[index], meetings, dice.bits())
            });
            let Some(next) = next else { return tables };
            table.push(next);
        }
        for &a in &table {
            played[a] += 1;
            for &b in table.iter().filter(|&&b| b != a) {
                met[a][b] += 1;
            }
        }
        let mut seats = vec![VersionId(0); players];
        for seat in 0..players {
            let next = (0..table.len()).min_by_key(|&place| (sat[table[place]][seat], dice.bits()));
            let Some(next) = next else { return tables };
            let who = table.swap_remove(next);
            sat[who][seat] += 1;
            seats[seat] = finalists[who];
        }
        tables.push(seats);
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrant(version: i64, rating: f64, games: u64) -> Entrant {
        Entrant {
            version: VersionId(version),
            rating,
            uncertainty: 1.5,
            games,
            pending: 0,
            last: version,
            built_in: false,
        }
    }

    /// The next match of a ladder, which is not counted.
    fn next_table(entrants: &[Entrant], players: u8, pastime: bool, dice: &mut Dice) -> Option<Table> {
        Field::new(entrants.to_vec(), players, 20).next(pastime, dice)
    }

    fn need_of(entrants: &[Entrant]) -> Option<(Need, u64)> {
        Field::new(entrants.to_vec(), 2, 20).need()
    }

    #[test]
    fn new_bots_are_matched_before_settled_bots() {
        let mut dice = Dice::new(1);
        let mut all: Vec<Entrant> = (0..20).map(|i| entrant(i, 25.0 + i as f64, 500)).collect();
        assert_eq!(next_table(&all, 2, false, &mut dice), None);
        assert_eq!(need_of(&all), None);
        let pastime = next_table(&all, 2, true, &mut dice).unwrap();
        assert_eq!((pastime.need, pastime.seats.len()), (Need::Pastime, 2));
        all[3].games = 40;
        assert_eq!(need_of(&all).unwrap().0, Need::Settling);
        all[7].games = 10;
        assert_eq!(need_of(&all).unwrap().0, Need::Placement);
        let tables: Vec<Table> = (0..200).filter_map(|_| next_table(&all, 2, false, &mut dice)).collect();
        let of =
            |version: i64| tables.iter().filter(|table| table.seats.contains(&VersionId(version))).count();
        assert!(of(7) > 140, "{}", of(7));
        // The entrants that waited longest get matches too.
        assert!(of(0) > 20, "{}", of(0));
        all[7].built_in = true;
        assert_eq!(need_of(&all).unwrap(), (Need::Settling, 40), "players before the house");
        all[3].games = 400;
        assert_eq!(need_of(&all).unwrap(), (Need::BuiltIn, 10));
        (all[3].games, all[7].built_in) = (40, false);
        all[7].pending = MOST_PENDING;
        assert_eq!(need_of(&all).unwrap().0, Need::Settling);
    }

    #[test]
    fn only_built_in_bots_take_several_seats() {
        let mut dice = Dice::new(2);
        let mut few: Vec<Entrant> =
            (0..2).map(|i| Entrant { built_in: true, ..entrant(i, 25.0, 0) }).collect();
        for _ in 0..50 {
            let mut seats = next_table(&few, 4, false, &mut dice).unwrap().seats;
            seats.sort_unstable();
            assert_eq!(seats, [0, 0, 1, 1].map(VersionId));
        }
        few.push(entrant(2, 25.0, 0));
        for _ in 0..50 {
            let seats = next_table(&few, 4, false, &mut dice).unwrap().seats;
            assert_eq!(seats.iter().filter(|&&version| version == VersionId(2)).count(), 1, "{seats:?}");
            assert!(seats.contains(&VersionId(0)) && seats.contains(&VersionId(1)), "{seats:?}");
        }
        for one in &mut few {
            one.built_in = false;
        }
        assert_eq!(next_table(&few, 4, false, &mut dice), None, "three cannot fill four seats");
        assert_eq!(next_table(&few[..1], 2, true, &mut dice), None, "nobody plays alone");
        assert_eq!(next_table(&[], 2, true, &mut dice), None);
    }

    #[test]
    fn a_chosen_match_counts_as_pending() {
        let mut dice = Dice::new(5);
        let mut field = Field::new((0..6).map(|i| entrant(i, 25.0, 0)).collect(), 2, 20);
        let mut pending = [0; 6];
        while let Some(table) = field.next(false, &mut dice) {
            for seat in table.seats {
                pending[seat.0 as usize] += 1;
            }
        }
        // Opponents are chosen although they have matches, so some entrants have more.
        assert!(pending.iter().all(|&count| count >= MOST_PENDING), "{pending:?}");
        assert_eq!((field.need(), field.next(true, &mut dice)), (None, None));
    }

    #[test]
    fn opponents_in_a_large_field_are_of_about_the_same_strength() {
        let mut dice = Dice::new(6);
        let mut field = Field::new((0..5000).map(|i| entrant(i, i as f64 / 100.0, 0)).collect(), 4, 20);
        for _ in 0..500 {
            let seats = field.next(false, &mut dice).unwrap().seats;
            let (lowest, highest) = (seats.iter().min().unwrap(), seats.iter().max().unwrap());
            assert!(highest.0 - lowest.0 <= 2 * NEAR as i64, "{seats:?}");
        }
    }

    #[test]
    fn an_odd_number_of_bots_is_paired() {
        let mut dice = Dice::new(3);
        let mut odd = vec![entrant(1, f64::NAN, 0), entrant(2, f64::INFINITY, 0), entrant(3, -1e300, 0)];
        odd[2].uncertainty = f64::INFINITY;
        for _ in 0..50 {
            let seats = next_table(&odd, 2, false, &mut dice).unwrap().seats;
            assert_ne!(seats[0], seats[1]);
        }
    }

    #[test]
    fn all_finalists_play_equally_many_matches() {
        let mut dice = Dice::new(4);
        for (count, players, matches) in
            [(2_i64, 2, 5), (7, 2, 30), (16, 2, 30), (16, 4, 30), (5, 4, 7), (4, 4, 1)]
        {
            let finalists: Vec<VersionId> = (100..100 + count).map(VersionId).collect();
            let tables = final_tables(&finalists, players, matches, &mut dice);
            for one in &finalists {
                let own: Vec<&Vec<VersionId>> = tables.iter().filter(|table| table.contains(one)).collect();
                let extra = own.len() as u32 - matches;
                assert!(extra <= 1, "{count} {players} {matches}: {}", own.len());
                for seat in 0..usize::from(players) {
                    let sat = own.iter().filter(|table| table[seat] == *one).count() as i64;
                    let fair = own.len() as i64 / i64::from(players);
                    assert!((sat - fair).abs() <= 3, "{count} {players} {matches}: {sat} of {fair}");
                }
                let met: Vec<usize> = finalists
                    .iter()
                    .filter(|other| *other != one)
                    .map(|other| own.iter().filter(|table| table.contains(other)).count())
                    .collect();
                let spread = met.iter().max().unwrap() - met.iter().min().unwrap();
                assert!(spread <= 3, "{count} {players} {matches}: {met:?}");
            }
        }
        assert!(final_tables(&[VersionId(1)], 2, 5, &mut dice).is_empty());
    }
}
