//! Simulated ladders: bots of known strength, random results, matches by the matchmaker, ratings by the fold.

use std::collections::BTreeMap;

use contest::matchmaking::{Entrant, Field, Need};
use game::Dice;
use model::VersionId;
use rating::{GameResult, Ladder, System};

const PLACEMENT: u32 = 20;

/// A ladder whose players have a true strength, which only the random results depend on.
struct World {
    strengths: Vec<f64>,
    ladder: Ladder,
    entrants: Vec<Entrant>,
    players: u8,
    played: i64,
    tables: Vec<Vec<usize>>,
    dice: Dice,
}

impl World {
    fn new(strengths: Vec<f64>, players: u8, seed: u64) -> World {
        let ladder = Ladder::new(System::ARENA, strengths.len());
        let entrants = (ladder.standings().iter())
            .map(|standing| Entrant {
                version: VersionId(standing.player as i64),
                rating: standing.rating,
                uncertainty: standing.uncertainty,
                games: 0,
                pending: 0,
                last: 0,
                built_in: false,
            })
            .collect();
        World { strengths, ladder, entrants, players, played: 0, tables: Vec::new(), dice: Dice::new(seed) }
    }

    /// Strengths in equal steps, from weakest to strongest: two neighbours of a hundred win about equally often.
    fn even(count: usize, players: u8, seed: u64) -> World {
        let step = 5.0 / count as f64;
        World::new((0..count).map(|index| index as f64 * step).collect(), players, seed)
    }

    /// Plays the matches of the matchmaker, `at_once` at a time, until no player needs a match or `most` matches are
    /// played. Players from `here` on have not joined yet.
    fn play(&mut self, most: usize, at_once: usize, here: usize, pastime: bool) -> usize {
        let mut count = 0;
        while count < most {
            let mut running = Vec::new();
            for _ in 0..at_once {
                let mut field = Field::new(self.entrants[..here].to_vec(), self.players, PLACEMENT);
                let Some(table) = field.next(pastime, &mut self.dice) else { break };
                let seats: Vec<usize> = table.seats.iter().map(|version| version.0 as usize).collect();
                for &seat in &seats {
                    self.entrants[seat].pending += 1;
                }
                running.push(seats);
            }
            if running.is_empty() {
                break;
            }
            for seats in running {
                self.finish(&seats);
                count += 1;
            }
        }
        count
    }

    /// The ranks come from strengths with noise: the usual logistic model, for any number of players.
    fn finish(&mut self, seats: &[usize]) {
        let scores: Vec<f64> = seats
            .iter()
            .map(|&seat| {
                let even = (f64::from(self.dice.below(1 << 24)) + 0.5) / f64::from(1 << 24);
                self.strengths[seat] - (-even.ln()).ln()
            })
            .collect();
        let ranks =
            scores.iter().map(|own| 1 + scores.iter().filter(|other| *other > own).count() as u32).collect();
        self.played += 1;
        self.ladder.add(&GameResult { players: seats.to_vec(), ranks, unit: self.played as u64 });
        for &seat in seats {
            let standing = self.ladder.standings()[seat];
            let entrant = &mut self.entrants[seat];
            entrant.pending -= 1;
            (entrant.rating, entrant.uncertainty) = (standing.rating, standing.uncertainty);
            entrant.games = standing.games;
            entrant.last = self.played;
        }
        self.tables.push(seats.to_vec());
    }

    /// Spearman's rank correlation of ratings with strengths.
    fn correlation(&self) -> f64 {
        let places = |of: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let mut order: Vec<usize> = (0..self.strengths.len()).collect();
            order.sort_by(|&a, &b| of(a).total_cmp(&of(b)));
            let mut places = vec![0.0; order.len()];
            for (place, index) in order.into_iter().enumerate() {
                places[index] = place as f64;
            }
            places
        };
        let (rated, real) =
            (places(&|index| self.entrants[index].rating), places(&|index| self.strengths[index]));
        let count = rated.len() as f64;
        let squares: f64 = rated.iter().zip(&real).map(|(a, b)| (a - b).powi(2)).sum();
        1.0 - 6.0 * squares / (count * (count * count - 1.0))
    }

    /// The distance of a player's place from its true place, as a share of the ladder.
    fn misplaced(&self, who: usize, here: usize) -> f64 {
        let place = |of: &dyn Fn(usize) -> f64| (0..here).filter(|&other| of(other) < of(who)).count() as f64;
        let (rated, real) =
            (place(&|index| self.entrants[index].rating), place(&|index| self.strengths[index]));
        (rated - real).abs() / here as f64
    }
}

#[test]
fn ratings_of_two_hundred_bots_converge() {
    for players in [2, 4] {
        let mut world = World::even(200, players, 7);
        let needed = world.play(1 << 20, 4, 200, false);
        // No player is left out, no player plays far more than the others, and the needs end.
        let games: Vec<u64> = world.entrants.iter().map(|one| one.games).collect();
        let (least, most) = (games.iter().min().unwrap(), games.iter().max().unwrap());
        assert!(*least >= 60 && *most <= 180, "{players} players: {least} to {most} games");
        assert!(needed * usize::from(players) < 200 * 110, "{players} players: {needed} matches");
        let correlation = world.correlation();
        assert!(correlation > 0.95, "{players} players: {correlation}");
        // With pastime matches the ratings only get better.
        world.play(4000, 4, 200, true);
        assert!(world.correlation() > correlation - 0.01, "{players} players: {}", world.correlation());
    }
}

#[test]
fn top_bots_play_each_other() {
    for players in [2, 4] {
        let mut world = World::even(200, players, 11);
        world.play(1 << 20, 4, 200, false);
        let before = world.tables.len();
        world.play(6000, 4, 200, true);
        let mut met: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for table in &world.tables[before..] {
            for &seat in table.iter().filter(|&&seat| seat >= 190) {
                let entry = met.entry(seat).or_default();
                entry.0 += table.iter().filter(|&&other| other >= 160 && other != seat).count();
                entry.1 += table.len() - 1;
            }
        }
        let (near, all) = met.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        assert!(
            near * 10 > all * 8,
            "{players} players: {near} of {all} opponents of the top ten are of the top forty"
        );
        // And it plays more than others, because pastime matches favour the top.
        let seats: usize = world.tables[before..].iter().map(Vec::len).sum();
        assert!(all / (usize::from(players) - 1) > seats / 20, "{players} players: {all} of {seats}");
    }
}

#[test]
fn a_new_bot_settles_within_its_placement() {
    for players in [2, 4] {
        let mut misplaced = Vec::new();
        for (seed, strength) in [(1, 4.9), (2, 2.5), (3, 0.1), (4, 4.0), (5, 1.0)] {
            let mut strengths: Vec<f64> = (0..100).map(|index| f64::from(index) * 0.05).collect();
            strengths.push(strength);
            let mut world = World::new(strengths, players, seed);
            world.play(1 << 20, 4, 100, false);
            let mut matches = 0;
            while world.entrants[100].games < u64::from(PLACEMENT) {
                matches += world.play(1, 1, 101, false);
            }
            // It has priority: nearly every match is its own.
            assert!(matches <= 2 * PLACEMENT as usize, "{players} players: {matches} matches");
            misplaced.push(world.misplaced(100, 101));
        }
        let mean = misplaced.iter().sum::<f64>() / misplaced.len() as f64;
        assert!(mean < 0.15, "{players} players: {misplaced:?}");
    }
}

#[test]
fn a_hundred_new_bots_are_served_equally() {
    let mut world = World::even(150, 2, 5);
    world.play(1 << 20, 4, 50, false);
    // Half of the matches of their placements.
    world.play(500, 4, 150, false);
    let games: Vec<u64> = world.entrants[50..].iter().map(|one| one.games).collect();
    let (least, most) = (games.iter().min().unwrap(), games.iter().max().unwrap());
    assert!(*least >= 4 && *most <= 25, "{least} to {most} games");
}

#[test]
fn a_failing_bot_does_not_block_the_others() {
    let mut world = World::even(60, 2, 3);
    // It always loses.
    world.strengths[30] = -1000.0;
    world.play(1 << 20, 4, 60, false);
    let rated = |world: &World, index: usize| world.entrants[index].rating;
    assert!((0..60).all(|other| other == 30 || rated(&world, other) > rated(&world, 30)));
    let before = world.tables.len();
    world.play(3000, 4, 60, true);
    let with = world.tables[before..].iter().filter(|table| table.contains(&30)).count();
    assert!(with < 3000 / 15, "{with} of 3000 matches are with the broken one");
    let strong_with = world.tables[before..]
        .iter()
        .filter(|table| table.contains(&30) && table.iter().any(|&one| one > 45));
    assert!(strong_with.count() < 20);
    // An entrant whose matches never end (they wait forever) blocks only its own turns.
    world.entrants[10].pending = 2;
    let before = world.tables.len();
    assert_eq!(world.play(600, 4, 60, true), 600);
    let others = world.tables[before..].iter().flatten().filter(|&&one| one == 59).count();
    assert!(others > 5, "{others}");
}

#[test]
fn every_bot_plays_within_a_bounded_time() {
    let mut world = World::even(100, 2, 9);
    world.play(1 << 20, 4, 100, false);
    let mut last = vec![0; 100];
    let mut longest = 0;
    let before = world.tables.len();
    world.play(5000, 2, 100, true);
    for (time, table) in world.tables[before..].iter().enumerate() {
        for &seat in table {
            longest = longest.max(time - last[seat]);
            last[seat] = time;
        }
    }
    assert!(longest < 300, "somebody of 100 waited for {longest} matches");
}

#[test]
fn the_most_urgent_need_comes_first() {
    let mut world = World::even(10, 2, 1);
    let need = |world: &mut World| {
        Field::new(world.entrants.clone(), 2, PLACEMENT).next(false, &mut world.dice).map(|table| table.need)
    };
    assert_eq!(need(&mut world), Some(Need::Placement));
    world.play(120, 1, 10, false);
    assert_eq!(need(&mut world), Some(Need::Settling));
    world.play(1 << 20, 1, 10, false);
    assert_eq!(need(&mut world), None);
}
