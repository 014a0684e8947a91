//! A permuted log changes nothing, to the last bit.

use rating::{Duel, GameResult, Ladder, Pool, Shape, System};

use crate::simulate::Dice;

fn log(dice: &mut Dice, seats: usize, players: usize, units: u64) -> Vec<GameResult> {
    let mut games = Vec::new();
    for unit in 0..units {
        let first = (dice.next() % players as u64) as usize;
        for rotation in 0..seats {
            let seated: Vec<usize> =
                (0..seats).map(|seat| (first + (seat + rotation) % seats) % players).collect();
            let ranks = seated.iter().map(|player| (dice.next() % (3 + *player as u64)) as u32).collect();
            games.push(GameResult { unit, players: seated, ranks });
        }
    }
    games
}

#[test]
fn permutations_change_nothing() {
    let mut dice = Dice::new(3);
    for seats in 2..=4 {
        let games = log(&mut dice, seats, 6, 200);
        let mut permuted = games.clone();
        for _ in 0..5 {
            dice.shuffle(&mut permuted);
            let shape = Shape::rotations(seats as u32);
            assert_eq!(Duel::of(&games, 0, 1, shape), Duel::of(&permuted, 0, 1, shape));
            assert_eq!(Pool::of(&games, 6), Pool::of(&permuted, 6));
            for system in [System::WengLin, System::TrueSkill] {
                assert_eq!(Ladder::of(system, 6, &games), Ladder::of(system, 6, &permuted));
            }
        }
    }
}

/// Seen from the other side every number changes its sign.
#[test]
fn sides_are_alike() {
    let games = log(&mut Dice::new(4), 2, 2, 150);
    let (mine, other) = (Duel::of(&games, 0, 1, Shape::PAIR), Duel::of(&games, 1, 0, Shape::PAIR));
    let mut mirrored = other.pairs.counts().to_vec();
    mirrored.reverse();
    assert_eq!(mine.pairs.counts(), mirrored);
    assert!((mine.pairs.elo().value + other.pairs.elo().value).abs() < 1e-9);
    assert!((mine.pairs.elo().low + other.pairs.elo().high).abs() < 1e-9);
    assert!((mine.pairs.los() + other.pairs.los() - 1.0).abs() < 1e-9);
}
