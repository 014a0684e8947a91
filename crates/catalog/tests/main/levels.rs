//! The levels of the champions: every game with a champion has ten, and each is a bot like any other.

use bots::{BuiltIn, Mind, Seating, Thinking};
use catalog::built_in::{Played, play};
use catalog::{AnyGame, UnknownBot};
use game::{Selected, Selection};

/// The games that have a champion.
fn games() -> impl Iterator<Item = &'static dyn AnyGame> {
    catalog::games().filter(|game| game.bot("champion").is_some())
}

fn usual(game: &dyn AnyGame) -> Selected {
    game.select(&Selection::default()).unwrap()
}

/// A match by nodes between these bots, one per seat.
fn played(game: &dyn AnyGame, selected: Selected, seed: i64, bots: &[&BuiltIn], nodes: u64) -> Played {
    let seat = |(bot, at): (&&BuiltIn, u64)| (bot.sit)(&Seating { selected, seed: seed as u64 * 8 + at });
    let mut minds: Vec<Box<dyn Mind>> = bots.iter().zip(0..).map(seat).collect();
    play(game, selected, seed, &mut minds, &vec![Thinking::Nodes(nodes); bots.len()]).unwrap()
}

#[test]
fn every_champion_has_ten_levels_with_names_of_their_own() {
    for game in games() {
        let names: Vec<&str> = game.levels().iter().map(|level| level.name).collect();
        let expected: Vec<String> = (1..=10).map(|level| format!("champion:{level}")).collect();
        assert_eq!(names, expected, "{}", game.info().name);
        let champion = game.bot("champion").unwrap();
        for level in game.levels() {
            assert_eq!(game.bot(level.name).map(|bot| bot.title), Some(level.title));
            let number = level.name.trim_start_matches("champion:");
            assert_eq!(level.title, format!("{} {number}", champion.title), "{}", game.info().name);
            assert!(game.ladder().iter().all(|bot| bot.name != level.name), "levels are no rungs");
        }
    }
}

#[test]
fn names_of_levels_that_do_not_exist_are_explained() {
    for game in games() {
        let why = |name: &str| {
            assert!(game.bot(name).is_none(), "{name}");
            UnknownBot::new(name, [game], ["random"]).to_string()
        };
        for name in ["champion:11", "champion:0", "champion:", "champion:01", "champion:x"] {
            let expected =
                format!("there is no level `{name}` of champion; choose one of champion:1 to champion:10");
            assert_eq!(why(name), expected);
        }
        let expected = "there is no bot `boss-1:3`: boss-1 has no levels; choose boss-1 or one of champion:1 to champion:10";
        assert_eq!(why("boss-1:3"), expected);
        let names = why("kraken");
        assert!(
            names.starts_with("there is no built-in bot `kraken`; choose one of: random, boss-1, "),
            "{names}"
        );
        assert!(names.ends_with(", champion:1 to champion:10"), "{names}");
    }
}

#[test]
fn every_level_plays_every_league_without_a_fault_and_the_same_match_twice() {
    for game in games() {
        for league in 1..=game.info().leagues.len() as u8 {
            let selected = game.select(&Selection { league: Some(league), ..Selection::default() }).unwrap();
            // Each level plays in one league or two, against the level above it.
            for (at, pair) in game.levels().windows(2).enumerate() {
                if !(at + usize::from(league)).is_multiple_of(2) {
                    continue;
                }
                let bots: Vec<&BuiltIn> =
                    (0..usize::from(selected.players)).map(|seat| &pair[seat % 2]).collect();
                let [one, two] = [(), ()].map(|()| played(game, selected, at as i64, &bots, 300));
                assert_eq!(one.faults, 0, "{} {} in league {league}", game.info().name, pair[0].name);
                assert_eq!((one.outcome, one.turns), (two.outcome, two.turns), "{}", pair[0].name);
            }
        }
    }
}

/// The answers of a bot to the questions of a match that others play.
fn answers(game: &dyn AnyGame, bot: &BuiltIn, seed: u64) -> Vec<Vec<u8>> {
    let selected = usual(game);
    let mut mind = (bot.sit)(&Seating { selected, seed });
    let mut play = game.start(selected, 5);
    let mut dice = game::Dice::new(5);
    let mut answers = Vec::new();
    while answers.len() < 40 && !play.awaited().is_empty() {
        for seat in play.awaited() {
            let answer = if seat.index() == 0 {
                let mut question = String::new();
                play.question(seat, &mut question);
                let budget = Thinking::Nodes(400).begin(answers.is_empty());
                let answer = mind.answer(&mut bots::Lines::new(&mut question.as_bytes()), budget).unwrap();
                answers.push(answer.clone());
                answer
            } else {
                play.random_answer(seat, &mut dice)
            };
            play.answer(seat, Some(&answer)).unwrap();
        }
    }
    answers
}

#[test]
fn errors_follow_the_seed_and_the_highest_level_makes_none() {
    for game in games() {
        let levels = game.levels();
        let weakest = |seed| answers(game, &levels[0], seed);
        assert_eq!(weakest(1), weakest(1), "{}", game.info().name);
        assert_ne!(weakest(1), weakest(2), "{}", game.info().name);
        assert_eq!(answers(game, &levels[9], 1), answers(game, game.bot("champion").unwrap(), 1));
    }
}

/// The nodes are limited, so the matches are the same on every machine.
#[test]
fn the_highest_level_beats_the_lowest_one() {
    for game in games() {
        let (weak, strong) = (&game.levels()[0], &game.levels()[9]);
        let mut won = 0;
        for seed in 1..=4 {
            for seat in 0..2 {
                let mut bots = [weak, weak];
                bots[seat] = strong;
                let ranks = played(game, usual(game), seed, &bots, 1000).outcome.ranks;
                won += usize::from(ranks[seat] < ranks[1 - seat]);
            }
        }
        assert!(won >= 7, "{}: {won} of 8", game.info().name);
    }
}
