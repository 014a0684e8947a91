//! Many games at once.

use std::path::Path;
use std::sync::atomic::AtomicU64;

use catalog::batch::{AnyBatch, Autoreset, BatchError, BatchPlan, Memory, Opponent, sample};
use catalog::verify::{Driver, files_by};
use catalog::{AnyGame, games};
use game::{Choice, Dice, Seat, Selected, Selection};

/// Plays random actions within the masks.
fn step(batch: &mut dyn AnyBatch, memory: &mut Memory, dice: &mut Dice) {
    sample(batch.layout(), &memory.masks, &mut memory.actions, dice);
    let actions = memory.actions.clone();
    batch.step(&actions, memory.outputs()).unwrap();
}

fn selected(game: &dyn AnyGame) -> Selected {
    game.select(&Selection::default()).unwrap()
}

fn plan(game: &dyn AnyGame, games: usize, threads: usize, autoreset: Autoreset) -> BatchPlan {
    let selected = selected(game);
    let opponents = vec![None; selected.players.into()];
    BatchPlan { selected, games, threads, autoreset, opponents }
}

fn seeds(count: usize) -> Vec<i64> {
    (0..count as i64).map(|game| game * 31 - 5).collect()
}

/// The answers of the first games that end, by seed.
fn records(game: &dyn AnyGame, games: usize, threads: usize) -> Vec<String> {
    let mut batch = game.batch(plan(game, games, threads, Autoreset::Off)).unwrap();
    let mut memory = Memory::new(&*batch);
    batch.reset(Some(&seeds(games)), memory.outputs()).unwrap();
    let mut ended = vec![false; games];
    // Each game has its own dice: its choices do not depend on the other games.
    let mut dice: Vec<Dice> = (0..games as u64).map(Dice::new).collect();
    let (layout, agents) = (batch.layout(), batch.agents().len());
    while !ended.iter().all(|&ended| ended) {
        let (masks, actions) = (agents * layout.mask(), agents * layout.actions.len());
        for (i, dice) in dice.iter_mut().enumerate() {
            let action = &mut memory.actions[i * actions..][..actions];
            sample(layout, &memory.masks[i * masks..][..masks], action, dice);
        }
        let chosen = memory.actions.clone();
        batch.step(&chosen, memory.outputs()).unwrap();
        assert!(memory.faults.iter().all(|&faults| faults == 0), "a masked action is a fault");
        for (ended, now) in ended.iter_mut().zip(&memory.terminated) {
            assert!(!(*ended && *now != 0), "a game ends once");
            *ended |= *now != 0;
        }
    }
    (0..games).map(|game| String::from_utf8(batch.save(game).unwrap()).unwrap()).collect()
}

#[test]
fn a_game_does_not_depend_on_threads_and_other_games() {
    for game in games() {
        let many = records(game, 9, 1);
        assert_eq!(records(game, 9, 3), many, "{}", game.info().name);
        assert_eq!(records(game, 1, 1)[0], many[0], "{}", game.info().name);
    }
}

#[test]
fn a_game_of_a_batch_is_a_record_that_verifies() {
    let folder = tempfile::tempdir().unwrap();
    for game in games() {
        let path = folder.path().join(game.info().name).with_extension("jsonl");
        std::fs::write(&path, records(game, 4, 1).join("\n") + "\n").unwrap();
        for driver in [Driver::Match, Driver::Batch] {
            let verified = files_by(driver, std::slice::from_ref(&path), 1, &AtomicU64::new(0));
            assert_eq!((verified.games, verified.mismatches, verified.unreadable_count), (4, 0, 0));
        }
    }
}

#[test]
fn the_golden_traces_are_replayed_by_a_batch() {
    let games_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for game in games() {
        let path = games_folder.join(game.info().name).join("traces/dev.jsonl.gz");
        let verified = files_by(Driver::Batch, &[path], 2, &AtomicU64::new(0));
        assert_eq!((verified.mismatches, verified.unreadable_count), (0, 0), "{:?}", verified.first);
        assert!(verified.games >= 100, "{}: {} traces", game.info().name, verified.games);
    }
}

#[test]
fn games_begin_again_as_asked() {
    for game in games() {
        let run = |autoreset: Autoreset| {
            let mut batch = game.batch(plan(game, 2, 1, autoreset)).unwrap();
            let mut memory = Memory::new(&*batch);
            batch.reset(Some(&[7, 9]), memory.outputs()).unwrap();
            let mut dice = Dice::new(1);
            while memory.terminated[0] == 0 {
                step(&mut *batch, &mut memory, &mut dice);
            }
            let first = (batch.seeds()[0], memory.rewards[0], memory.ranks[0]);
            if autoreset == Autoreset::Off && memory.acting.iter().all(|&acting| acting == 0) {
                let actions = memory.actions.clone();
                let refused = batch.step(&actions, memory.outputs());
                assert!(matches!(refused, Err(BatchError::AllOver)), "{refused:?}");
                return (first, batch.seeds()[0], 0);
            }
            step(&mut *batch, &mut memory, &mut dice);
            (first, batch.seeds()[0], memory.terminated[0])
        };
        let (same, later, _) = run(Autoreset::SameStep);
        assert_eq!((same.0, later), (9, 9), "the next game has begun in the same step");
        assert!(same.2 > 0);
        let (next, later, terminated) = run(Autoreset::NextStep);
        assert_eq!((next.0, later, terminated), (7, 9, 0));
        let (off, later, terminated) = run(Autoreset::Off);
        assert_eq!((off.0, later, terminated), (7, 7, 0));
    }
}

#[test]
fn opponents_play_in_the_batch_and_a_saved_game_goes_on() {
    for game in games() {
        let bot = game.ladder().first().unwrap();
        let mut plan = plan(game, 2, 2, Autoreset::Off);
        for opponent in &mut plan.opponents[1..] {
            *opponent = Some(Opponent { bot, nodes: 50 });
        }
        let mut batch = game.batch(plan.clone()).unwrap();
        assert_eq!(batch.agents(), [Seat(0)]);
        let mut memory = Memory::new(&*batch);
        batch.reset(Some(&[3, 4]), memory.outputs()).unwrap();
        let mut dice = Dice::new(5);
        for _ in 0..4 {
            assert_eq!(memory.acting, [1, 1], "an agent is asked after each step");
            step(&mut *batch, &mut memory, &mut dice);
        }
        let saved = batch.save(1).unwrap();
        let mut other = game.batch(plan).unwrap();
        other.load(0, &saved).unwrap();
        assert_eq!(other.view_of(0, Seat(0)).unwrap(), batch.view_of(1, Seat(0)).unwrap());
        assert_eq!(other.save(0).unwrap(), saved);
        // Both go on alike.
        let mut copies = Memory::new(&*other);
        for _ in 0..3 {
            sample(batch.layout(), &memory.masks, &mut memory.actions, &mut dice);
            let actions = memory.actions.clone();
            let half = actions.len() / 2;
            batch.step(&actions, memory.outputs()).unwrap();
            let moved = [&actions[half..], &actions[half..]].concat();
            other.step(&moved, copies.outputs()).unwrap();
            assert_eq!(other.save(0).unwrap(), batch.save(1).unwrap());
        }
    }
}

#[test]
fn branches_are_searched_without_a_change_of_the_batch() {
    for game in games() {
        let mut batch = game.batch(plan(game, 2, 1, Autoreset::Off)).unwrap();
        let mut memory = Memory::new(&*batch);
        batch.reset(Some(&[1, 2]), memory.outputs()).unwrap();
        step(&mut *batch, &mut memory, &mut Dice::new(2));
        let before = batch.save(0).unwrap();
        let mut branch = batch.branch(&[0, 0, 1]).unwrap();
        assert_eq!(branch.save(1).unwrap(), before);
        let mut thoughts = Memory::new(&*branch);
        branch.write(thoughts.outputs()).unwrap();
        step(&mut *branch, &mut thoughts, &mut Dice::new(3));
        assert_eq!(batch.save(0).unwrap(), before);
        let ranks = batch.simulate(0, 10, 1).unwrap();
        assert_eq!(ranks.len(), 10 * batch.players());
        assert!(ranks.chunks(batch.players()).all(|ranks| ranks.contains(&1)));
    }
}

/// The share of the answers of a champion that no action expresses. `AGON_CHAMPION_GAMES` is the number of games.
#[test]
fn the_answers_of_champions_are_actions() {
    let count = std::env::var("AGON_CHAMPION_GAMES").ok().and_then(|count| count.parse().ok()).unwrap_or(4);
    for game in games() {
        let selected = selected(game);
        let bot = game.ladder().last().unwrap();
        let (mut all, mut missing) = (0, 0);
        for seed in 0..count {
            let mut batch = game.batch(plan(game, 1, 1, Autoreset::Off)).unwrap();
            let mut memory = Memory::new(&*batch);
            batch.reset(Some(&[seed]), memory.outputs()).unwrap();
            let mut minds: Vec<_> = (0..selected.players)
                .map(|seat| (bot.sit)(&bots::Seating { selected, seed: u64::from(seat) }))
                .collect();
            let mut first = vec![true; minds.len()];
            while memory.terminated[0] == 0 {
                let mut answers = vec![None; minds.len()];
                for (seat, mind) in minds.iter_mut().enumerate().filter(|(seat, _)| memory.acting[*seat] != 0)
                {
                    let question = batch.view_of(0, Seat(seat as u8)).unwrap();
                    let budget = bots::Thinking::Nodes(60).begin(std::mem::take(&mut first[seat]));
                    let mut text = question.as_bytes();
                    let answer = mind.answer(&mut bots::Lines::new(&mut text), budget).unwrap();
                    let action = batch.encode(0, Seat(seat as u8), &answer).unwrap();
                    answers[seat] = Some(answer);
                    all += 1;
                    missing += usize::from(action.is_none());
                }
                batch.step_lines(&[answers], memory.outputs()).unwrap();
            }
        }
        println!("{}: {missing} of {all} answers of {} have no action", game.info().name, bot.name);
        assert!(all > 100 && missing == 0, "{}: {missing} of {all}", game.info().name);
    }
}

#[test]
fn wrong_calls_are_refused_and_change_nothing() {
    for game in games() {
        let mut batch = game.batch(plan(game, 2, 1, Autoreset::Off)).unwrap();
        let mut memory = Memory::new(&*batch);
        batch.reset(None, memory.outputs()).unwrap();
        let before = batch.save(0).unwrap();
        let actions = memory.actions.clone();
        assert!(matches!(batch.step(&actions[1..], memory.outputs()), Err(BatchError::Length { .. })));
        let mut wrong = actions.clone();
        wrong[0] = Choice::MAX;
        assert!(matches!(batch.step(&wrong, memory.outputs()), Err(BatchError::Choice { .. })));
        let mut short = Memory::new(&*batch);
        short.masks.pop();
        assert!(matches!(batch.step(&actions, short.outputs()), Err(BatchError::Length { .. })));
        assert!(matches!(batch.reset(Some(&[1]), memory.outputs()), Err(BatchError::Length { .. })));
        assert!(matches!(batch.save(2), Err(BatchError::NoGame { .. })));
        assert!(matches!(batch.view_of(0, Seat(9)), Err(BatchError::NotAsked(9))));
        assert!(matches!(batch.load(0, b"{}"), Err(BatchError::NotSaved(_))));
        assert_eq!(batch.save(0).unwrap(), before);
        assert!(game.batch(BatchPlan { games: 0, ..plan(game, 1, 1, Autoreset::Off) }).is_err());
        assert!(game.batch(BatchPlan { opponents: Vec::new(), ..plan(game, 1, 1, Autoreset::Off) }).is_err());
    }
}
