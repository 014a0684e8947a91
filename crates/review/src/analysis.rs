//! The probability of each player to win at each turn, and the turns that decided a match.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use bots::{BuiltIn, Lines, Mind, Seating, Thinking};
use catalog::record::Line;
use catalog::{AnyGame, AnyMatch};
use game::{Dice, Seat, Selected};
use replay::analysis::{Analysis, Better, Moment, Position};

use crate::estimate::{Model, PLAYOUTS, features, probabilities, win_shares};
use crate::fork::Fork;
use crate::recording::{Recording, RecordingError};
use crate::tally::points;

/// Version of the form.
const VERSION: u32 = 1;
/// Moments that are looked at.
const MOMENTS: usize = 3;
/// A turn is a candidate if the answer cost its player at least this much.
const LEAST_LOSS: f64 = 0.05;
/// Candidates whose loss is estimated again with more continuations: the first estimates have chance in them.
const REFINED: usize = 6;
/// How much more.
const REFINEMENT: u32 = 6;
/// Random answers that are drawn at a moment; those that differ are estimated.
const RANDOM: usize = 20;
/// Random continuations that estimate each other answer.
const ESTIMATED: u32 = 2 * PLAYOUTS;
/// Other answers that are tried: the best ones by this estimate.
const ALTERNATIVES: usize = 6;
/// Pairs of continuations of each other answer.
const SCREENED: u32 = 4;
/// Pairs of continuations by built-in bots that confirm a better answer, at depth 1.
const PAIRS: u32 = 20;
/// Built-in bots of continuations search this number of nodes for each answer.
const THINKING: Thinking = Thinking::Nodes(20);
/// Built-in bots search this number for an answer that is ignored.
const IGNORED: Thinking = Thinking::Nodes(1);
/// Built-in bots that suggest an answer search these numbers.
const SUGGESTING: [u64; 3] = [400, 100, 25];

/// The turn at which the probability of a seat to win fell most; `None` if it never fell.
///
/// # Errors
///
/// When the record does not fit its game.
pub fn worst_turn(recording: &Recording, seat: u8, threads: usize) -> Result<Option<u32>, RecordingError> {
    let positions = positions(recording, 1, threads, &AtomicU64::new(0))?;
    let found = candidates(recording, &positions).into_iter().find(|candidate| candidate.seat == seat);
    Ok(found.map(|candidate| candidate.turn))
}

/// Analyses a match with this number of threads. The result does not depend on the number of threads. `done` counts the
/// finished turns.
///
/// # Errors
///
/// When the record does not fit its game.
pub fn analyse(
    recording: &Recording,
    depth: u32,
    threads: usize,
    done: &AtomicU64,
) -> Result<Analysis, RecordingError> {
    let positions = positions(recording, depth, threads, done)?;
    let mut candidates = candidates(recording, &positions);
    candidates.truncate(REFINED);
    let losses = parallel(threads, &candidates, |candidate| loss(recording, candidate, depth * REFINEMENT));
    for (candidate, loss) in candidates.iter_mut().zip(losses) {
        candidate.loss = loss?;
    }
    candidates.retain(|candidate| candidate.loss >= LEAST_LOSS);
    candidates.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.turn.cmp(&b.turn)));
    candidates.truncate(MOMENTS);
    let found = parallel(threads, &candidates, |candidate| moment(recording, candidate, depth));
    let moments = found.into_iter().collect::<Result<Vec<Moment>, RecordingError>>()?;
    Ok(Analysis { agon_analysis: VERSION, digest: recording.digest(), depth, positions, moments })
}
/// Applies a function to each item on several threads; the results are in the order of the items.
fn parallel<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.clamp(1, items.len().max(1));
    let mut found: Vec<(usize, R)> = std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let own = items.iter().enumerate().skip(thread).step_by(threads);
                    own.map(|(place, item)| (place, work(item))).collect::<Vec<_>>()
                })
            })
            .collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, result)| result).collect()
}

/// The probabilities of all positions.
fn positions(
    recording: &Recording,
    depth: u32,
    threads: usize,
    done: &AtomicU64,
) -> Result<Vec<Position>, RecordingError> {
    let ranges: Vec<usize> = (0..threads.max(1)).collect();
    let parts = parallel(threads, &ranges, |&own| -> Result<Vec<Position>, RecordingError> {
        let mut play = recording.game.set_up(&recording.played.header)?;
        let mut found = Vec::new();
        let mut seen = None;
        for (place, entry) in recording.played.turns.iter().enumerate() {
            let turn = play.turn();
            if seen.replace(turn) != Some(turn) && turn as usize % ranges.len() == own {
                found.push(position(recording, &*play, turn - 1, depth));
                done.fetch_add(1, Ordering::Relaxed);
            }
            let misfit = |error| RecordingError::Misfit { place, error };
            play.answer(Seat(entry.player), entry.answer()).map_err(misfit)?;
        }
        if own == 0 && play.awaited().is_empty() {
            let known = recording.game.info().hidden.then(|| win_shares(&play.outcome()));
            found.push(Position { turn: play.turn(), win: win_shares(&play.outcome()), known });
        }
        Ok(found)
    });
    let mut all: Vec<Position> = Vec::new();
    for part in parts {
        all.extend(part?);
    }
    all.sort_by_key(|position| position.turn);
    Ok(all)
}

/// The probabilities at the start of a turn.
fn position(recording: &Recording, play: &dyn AnyMatch, turn: u32, depth: u32) -> Position {
    let game = recording.game.info();
    let model = Model::of(recording.game);
    let mut dice = Dice::new((recording.played.header.seed as u64).rotate_left(20) ^ u64::from(turn));
    let count = PLAYOUTS * depth.max(1);
    let win = probabilities(&model.onlooker, &features(play, None, count, &mut dice));
    let known = game.hidden.then(|| {
        let own = |seat: u8| {
            let features = features(play, Some(Seat(seat)), count, &mut dice);
            probabilities(&model.player, &features)[usize::from(seat)]
        };
        (0..recording.players()).map(own).collect()
    });
    Position { turn, win, known }
}

/// A turn that may have decided the match.
struct Candidate {
    turn: u32,
    seat: u8,
    /// The position at which the player is asked again: where players take turns, the opponent has answered too.
    until: u32,
    loss: f64,
}

/// The turns whose answers cost most, the dearest first.
fn candidates(recording: &Recording, positions: &[Position]) -> Vec<Candidate> {
    let share =
        |turn: u32, seat: u8| positions.get(turn as usize).map(|position| position.win[usize::from(seat)]);
    let mut found = Vec::new();
    for seat in 0..recording.players() {
        let asked = recording.asked(seat).unwrap_or_default();
        for (place, question) in asked.iter().enumerate() {
            let turn = question.turn;
            let until = asked.get(place + 1).map_or(recording.last_turn, |next| next.turn - 1);
            let (Some(before), Some(after)) = (share(turn - 1, seat), share(until, seat)) else { continue };
            let loss = before - after;
            if loss >= LEAST_LOSS {
                found.push(Candidate { turn, seat, until, loss });
            }
        }
    }
    found.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.turn.cmp(&b.turn)));
    found
}

/// The loss of a player at a turn.
fn loss(recording: &Recording, candidate: &Candidate, depth: u32) -> Result<f64, RecordingError> {
    let (mut play, past) = recording.before(candidate.turn)?;
    let before = position(recording, &*play, candidate.turn - 1, depth);
    for (place, entry) in recording.played.turns.iter().enumerate().skip(past.len()) {
        if play.turn() > candidate.until || play.awaited().is_empty() {
            break;
        }
        let misfit = |error| RecordingError::Misfit { place, error };
        play.answer(Seat(entry.player), entry.answer()).map_err(misfit)?;
    }
    let after = if play.awaited().is_empty() {
        win_shares(&play.outcome())
    } else {
        position(recording, &*play, candidate.until, depth).win
    };
    Ok(before.win[usize::from(candidate.seat)] - after[usize::from(candidate.seat)])
}

/// Looks for a better answer at a turn, and confirms it.
fn moment(recording: &Recording, candidate: &Candidate, depth: u32) -> Result<Moment, RecordingError> {
    let Candidate { turn, seat, loss, .. } = *candidate;
    let asked = recording.asked_until(seat, turn)?;
    let recorded = asked.last().and_then(|asked| asked.answer.clone());
    let mut moment =
        Moment { turn, seat, recorded: recorded.clone().map(Line), loss, better: None, blunder: false };
    let (Some(recorded), Some(selected)) = (recorded, recording.selected) else { return Ok(moment) };
    let mut continuations = Continuations { recording, selected, candidate, recorded, shares: Vec::new() };
    let mut answers = alternatives(recording, turn, candidate)?;
    let sums: Vec<f64> = answers
        .iter()
        .map(|answer| {
            let gains = continuations.gains(answer, 0..u64::from(SCREENED));
            gains.map_or(f64::MIN, |gains| gains.iter().sum::<f64>())
        })
        .collect();
    // The first of the best: the one with the best estimate.
    let best = (0..answers.len()).rev().max_by(|&a, &b| sums[a].total_cmp(&sums[b]));
    if let Some(best) = best.filter(|&best| sums[best] > 0.0)
        && let Some(better) = continuations.confirmed(answers.swap_remove(best), depth)
    {
        moment.blunder = better.interval[0] > 0.0;
        moment.better = (better.gain > 0.0).then_some(better);
    }
    Ok(moment)
}

/// Other answers at a turn, the best by estimate: those of the built-in bots at several strengths, which are sent the input
/// of the seat, and random ones.
fn alternatives(
    recording: &Recording,
    turn: u32,
    candidate: &Candidate,
) -> Result<Vec<Vec<u8>>, RecordingError> {
    let seat = candidate.seat;
    let (play, _) = recording.before(turn)?;
    let recorded = recording.asked_until(seat, turn)?.last().and_then(|asked| asked.answer.clone());
    let mut answers = suggestions(recording, turn, candidate)?;
    let mut dice =
        Dice::new((recording.played.header.seed as u64) ^ (u64::from(turn) << 32) ^ u64::from(seat));
    answers.extend((0..RANDOM).map(|_| play.random_answer(Seat(seat), &mut dice)));
    let mut known = Vec::new();
    for answer in answers {
        if Some(&answer) != recorded.as_ref() && !known.iter().any(|(_, other)| *other == answer) {
            known.push((estimate(recording, candidate, &answer)?, answer));
        }
    }
    // Equal estimates stay in their order: the answer of the strongest bot is first.
    known.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    known.truncate(ALTERNATIVES);
    Ok(known.into_iter().map(|(_, answer)| answer).collect())
}

/// The answers of the built-in bots, the strongest first.
fn suggestions(
    recording: &Recording,
    turn: u32,
    candidate: &Candidate,
) -> Result<Vec<Vec<u8>>, RecordingError> {
    let Some(selected) = recording.selected else { return Ok(Vec::new()) };
    let asked = recording.asked_until(candidate.seat, turn)?;
    let ladder = ladder(recording.game, selected);
    let mut found = Vec::new();
    for nodes in SUGGESTING {
        for bot in ladder.iter().rev() {
            let mut mind = (bot.sit)(&Seating { selected, seed: nodes });
            let mut answer = None;
            for (place, question) in asked.iter().enumerate() {
                let thinking = if place + 1 == asked.len() { Thinking::Nodes(nodes) } else { IGNORED };
                let mut text = question.input.as_bytes();
                answer = mind.answer(&mut Lines::new(&mut text), thinking.begin(place == 0)).ok();
                if answer.is_none() {
                    break;
                }
            }
            found.extend(answer);
        }
    }
    Ok(found)
}

/// The probability of the player to win after an answer, while the others play their recorded ones.
fn estimate(recording: &Recording, candidate: &Candidate, answer: &[u8]) -> Result<f64, RecordingError> {
    let Candidate { turn, seat, .. } = *candidate;
    let (mut play, _) = recording.before(turn)?;
    // Only awaited seats answer.
    let _ = play.answer(Seat(seat), Some(answer));
    for (other, line) in others_at(recording, turn, seat) {
        let _ = play.answer(other, line);
    }
    let shares = if play.awaited().is_empty() {
        win_shares(&play.outcome())
    } else {
        let mut dice = Dice::new((recording.played.header.seed as u64) ^ u64::from(turn));
        let model = Model::of(recording.game);
        probabilities(&model.onlooker, &features(&*play, None, ESTIMATED, &mut dice))
    };
    Ok(shares[usize::from(seat)])
}

/// The recorded answers of the other seats at a turn.
fn others_at(recording: &Recording, turn: u32, seat: u8) -> Vec<(Seat, Option<&[u8]>)> {
    let others = recording.awaited(turn).filter(|other| other.0 != seat);
    let answer = |other: Seat| {
        let asked = recording.asked_until(other.0, turn).ok()?.last()?;
        Some((other, asked.answer.as_deref()))
    };
    others.filter_map(answer).collect()
}

/// Continuations of a turn by built-in bots, with the recorded answer and with others.
struct Continuations<'a> {
    recording: &'a Recording,
    selected: Selected,
    candidate: &'a Candidate,
    recorded: Vec<u8>,
    /// The points of the player with the recorded answer, by number of the continuation.
    shares: Vec<f64>,
}

impl Continuations<'_> {
    /// The points of the player in a continuation after an answer.
    fn share(&self, answer: &[u8], number: u64) -> Option<f64> {
        let Candidate { turn, seat, .. } = *self.candidate;
        let others = others_at(self.recording, turn, seat).into_iter();
        let mut given: Vec<(u8, Vec<u8>)> =
            others.filter_map(|(other, line)| Some((other.0, line?.to_vec()))).collect();
        given.push((seat, answer.to_vec()));
        let fork = Fork::new(self.recording, turn, &given).ok()?;
        let mut minds = minds(self.recording.game, self.selected, number);
        let played = fork.in_memory(self.recording, &mut minds, IGNORED, THINKING).ok()?;
        let ranks = played.outcome?["ranks"].as_array()?.clone();
        let ranks: Vec<u8> = ranks.iter().map(|rank| rank.as_u64().unwrap_or_default() as u8).collect();
        Some(points(&ranks, usize::from(seat)))
    }

    /// The gains of an answer over the recorded one, in continuations with the same built-in bots.
    fn gains(&mut self, answer: &[u8], numbers: Range<u64>) -> Option<Vec<f64>> {
        while (self.shares.len() as u64) < numbers.end {
            let share = self.share(&self.recorded, self.shares.len() as u64)?;
            self.shares.push(share);
        }
        numbers.map(|number| Some(self.share(answer, number)? - self.shares[number as usize])).collect()
    }

    /// Estimates the gain of an answer by other continuations than those that chose it.
    fn confirmed(&mut self, answer: Vec<u8>, depth: u32) -> Option<Better> {
        let pairs = PAIRS * depth.max(1);
        let first = u64::from(SCREENED);
        let gains = self.gains(&answer, first..first + u64::from(pairs))?;
        let n = f64::from(pairs);
        let gain = gains.iter().sum::<f64>() / n;
        let variance = gains.iter().map(|one| (one - gain).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        // Few pairs that agree do not prove that all would.
        let half = 1.96 * variance.sqrt().max(0.25) / n.sqrt();
        Some(Better { answer: Line(answer), gain, interval: [gain - half, gain + half], pairs })
    }
}

/// The built-in bots that know these rules, weakest first.
fn ladder(game: &dyn AnyGame, selected: Selected) -> Vec<&'static BuiltIn> {
    let full = usize::from(selected.league) == game.info().leagues.len();
    let plays = |bot: &&BuiltIn| bot.league.map_or(full, |league| league <= selected.league);
    game.ladder().iter().filter(plays).collect()
}

/// The bots of a continuation: others of the ladder in each.
fn minds(game: &dyn AnyGame, selected: Selected, number: u64) -> Vec<Box<dyn Mind>> {
    let ladder = ladder(game, selected);
    let sit = |seat: u64| {
        let bot = ladder[(number + seat) as usize % ladder.len()];
        (bot.sit)(&Seating { selected, seed: number ^ seat })
    };
    (0..u64::from(selected.players)).map(sit).collect()
}
