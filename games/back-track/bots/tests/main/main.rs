//! The bots of Back Track play every league and edition without a fault, play the same game twice, and beat weaker bots.

use back_track::{BackTrack, Order};
use bots::{BuiltIn, Lines, Lost, Mind, Seating, Thinking};
use game::{Dice, Game, Journal, Seat, Selected, Selection};

const GAME: &str = "back-track";
/// Little thinking: these games are played for their correctness.
const NODES: u64 = 60;

fn game() -> &'static dyn catalog::AnyGame {
    catalog::find(GAME).expect("the game exists")
}

fn selected(league: u8, edition: &str) -> Selected {
    let asked = Selection { league: Some(league), edition: Some(edition.to_owned()), players: None };
    game().select(&asked).expect("so does this selection")
}

fn ladder() -> &'static [BuiltIn] {
    game().ladder()
}

/// A player of a game.
enum Player<'a> {
    Bot(&'a BuiltIn),
    Random,
}

/// The result of a game.
struct Played {
    scores: [i32; 2],
    faults: usize,
    answers: Vec<Vec<u8>>,
    turns: u16,
}

fn play(selected: Selected, seed: i64, players: [Player<'_>; 2], nodes: u64) -> Played {
    let game = BackTrack::new(BackTrack::rule_set(selected), seed);
    let mut state = game.start();
    let mut minds: [Option<Box<dyn Mind>>; 2] = players.map(|player| match player {
        Player::Bot(bot) => Some((bot.sit)(&Seating { selected, seed: seed as u64 })),
        Player::Random => None,
    });
    let mut dice = Dice::new(seed as u64);
    let mut journal = Journal::default();
    let mut answers = Vec::new();
    while !game.to_act(&state).is_empty() {
        let opening = state.turns == 0;
        let mut orders = [None, None];
        for (at, mind) in minds.iter_mut().enumerate() {
            let seat = Seat(at as u8);
            let Some(mind) = mind else {
                orders[at] = Some(game.random_order(&state, seat, &mut dice));
                continue;
            };
            let view = game.view(&state, seat);
            let mut question = String::new();
            if opening {
                BackTrack::write_init(&view, &mut question);
            }
            BackTrack::write_turn(&view, &mut question);
            let mut text = question.as_bytes();
            let budget = Thinking::Nodes(nodes).begin(opening);
            let answer =
                mind.answer(&mut Lines::new(&mut text), budget).expect("bots read what they are sent");
            assert!(text.is_empty(), "a bot leaves lines unread");
            orders[at] = Some(Order::read(&answer));
            answers.push(answer);
        }
        game.step(&mut state, &orders, &mut journal);
    }
    Played {
        scores: state.final_scores(game.rules()),
        faults: journal.faults.len(),
        answers,
        turns: state.turns,
    }
}

#[test]
fn the_response_to_the_champion_makes_no_fault() {
    let champion = game().bot("champion").expect("the ladder has a champion");
    for edition in ["statement", "2026"] {
        for seed in 1..4 {
            let players = [Player::Bot(&back_track_bots::RESPONSE), Player::Bot(champion)];
            let played = play(selected(3, edition), seed, players, NODES * back_track_bots::THOUGHTS);
            assert_eq!(played.faults, 0, "{edition}, seed {seed}");
        }
    }
}

#[test]
fn a_ladder_from_the_bosses_to_the_champion() {
    let names: Vec<&str> = ladder().iter().map(|bot| bot.name).collect();
    assert_eq!(
        names,
        ["boss-1", "boss-2", "boss-3", "bronze", "silver", "gold", "legend", "champion-1", "champion"]
    );
    for league in 1..=3 {
        assert_eq!(game().boss(league).map(|bot| bot.league), Some(Some(league)));
    }
}

#[test]
fn no_bot_ever_makes_a_fault() {
    for edition in ["statement", "2026", "2026-poi"] {
        for league in 1..=3 {
            let selected = selected(league, edition);
            for (at, bot) in ladder().iter().enumerate() {
                // Another map for every match.
                let seed = 100 * i64::from(league) + at as i64 + edition.len() as i64 * 1000;
                let other = &ladder()[(at * 3 + usize::from(league)) % ladder().len()];
                for players in [
                    [Player::Bot(bot), Player::Random],
                    [Player::Random, Player::Bot(bot)],
                    [Player::Bot(bot), Player::Bot(other)],
                ] {
                    let played = play(selected, seed, players, NODES);
                    assert_eq!(played.faults, 0, "{} in league {league} of {edition}, seed {seed}", bot.name);
                }
            }
        }
    }
}

#[test]
fn the_same_nodes_give_the_same_game() {
    for bot in ladder() {
        let answers = || {
            let players = [Player::Bot(bot), Player::Random];
            play(selected(3, "statement"), 17, players, 300).answers
        };
        assert_eq!(answers(), answers(), "{}", bot.name);
    }
}

#[test]
fn one_node_is_enough_for_an_answer() {
    for bot in ladder() {
        let played = play(selected(3, "2026"), 23, [Player::Random, Player::Bot(bot)], 1);
        assert_eq!(played.faults, 0, "{}", bot.name);
    }
}

#[test]
fn the_bosses_of_the_first_leagues_are_as_the_rules_say() {
    let boss = |league| Player::Bot(game().boss(league).expect("every league has a boss"));
    let waiting = play(selected(1, "statement"), 5, [Player::Random, boss(1)], NODES);
    assert!(waiting.answers.iter().all(|answer| answer == b"WAIT"));
    let wandering = play(selected(2, "statement"), 5, [boss(1), boss(2)], NODES);
    let routes = wandering.answers.iter().filter(|answer| answer.starts_with(b"AUTOPLACE ")).count();
    assert_eq!(routes, usize::from(wandering.turns));
}

#[test]
fn bots_above_the_leagues_pass_them() {
    for bot in ladder().iter().filter(|bot| bot.league.is_none()) {
        for league in 1..=2 {
            for seed in [3, 4] {
                let boss = game().boss(league).expect("every league has a boss");
                let played = play(selected(league, "2026"), seed, [Player::Bot(bot), Player::Bot(boss)], 300);
                assert_eq!(played.scores, [0, -1], "{} in league {league}, seed {seed}", bot.name);
            }
        }
    }
}

#[test]
fn the_champion_beats_the_builder_and_random_play() {
    let champion = || Player::Bot(game().bot("champion").expect("there is one"));
    let builder = || Player::Bot(game().boss(3).expect("there is one"));
    for edition in ["statement", "2026"] {
        let first = play(selected(3, edition), 7, [champion(), builder()], 1000).scores;
        assert!(first[0] > first[1], "{edition}: {first:?}");
        let second = play(selected(3, edition), 8, [Player::Random, champion()], 1000).scores;
        assert!(second[1] > second[0], "{edition}: {second:?}");
    }
}

/// The first question of a game, for seat 0.
fn question() -> String {
    let game = BackTrack::new(BackTrack::rule_set(selected(3, "statement")), 3);
    let state = game.start();
    let view = game.view(&state, Seat(0));
    let mut question = String::new();
    BackTrack::write_init(&view, &mut question);
    BackTrack::write_turn(&view, &mut question);
    question
}

#[test]
fn a_damaged_question_is_refused_or_answered_but_never_a_panic() {
    let question = question();
    let lines: Vec<&str> = question.lines().collect();
    let mut dice = Dice::new(1);
    let odd = ["", "-1", "2147483648", "x", "0 0 0 0 0", "99 99", "-1 255 1 x", "3 4 5 1,1,1,40", "0 1 1 0"];
    let champion = game().bot("champion").expect("there is one");
    let mut refused = 0;
    for _ in 0..400 {
        let mut damaged = lines.clone();
        // Half of the time near the beginning, where the sizes are, or at the towns.
        let reach = if dice.one_in(2) { 6 } else { damaged.len() as u32 };
        damaged[dice.below(reach) as usize] = odd[dice.below(odd.len() as u32) as usize];
        if dice.one_in(4) {
            damaged.truncate(dice.below(damaged.len() as u32) as usize);
        }
        let text = damaged.join("\n");
        let mut mind = (champion.sit)(&Seating { selected: selected(3, "statement"), seed: 0 });
        let answer = mind.answer(&mut Lines::new(&mut text.as_bytes()), Thinking::Nodes(20).begin(true));
        match answer {
            Ok(answer) => assert!(Order::read(&answer).unreadable.is_none()),
            Err(Lost::Misread { .. } | Lost::Over) => refused += 1,
            Err(lost) => panic!("{lost}"),
        }
    }
    assert!(refused > 100, "only {refused} were refused");
}
