//! Probabilities and the turns that decided a match.

use std::sync::atomic::AtomicU64;

use game::Dice;
use review::estimate::{Model, features, probabilities, win_shares};
use review::{Analysis, analyse, worst_turn};

use crate::{sample, sample_with};

#[test]
fn a_match_is_analysed_from_its_start_to_its_end() {
    for game in catalog::games() {
        let sample = sample(game, 4);
        let analysis = analyse(&sample.recording, 1, 1, &AtomicU64::new(0)).unwrap();
        let turns: Vec<u32> = analysis.positions.iter().map(|position| position.turn).collect();
        assert_eq!(turns, (0..=sample.recording.last_turn).collect::<Vec<u32>>());
        for position in &analysis.positions {
            assert!((position.win.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{position:?}");
            assert_eq!(position.known.is_some(), game.info().hidden);
        }
        for moment in &analysis.moments {
            assert!(moment.loss > 0.0 && sample.recording.asked_until(moment.seat, moment.turn).is_ok());
            let clear = moment.better.as_ref().is_some_and(|better| better.interval[0] > 0.0);
            assert_eq!(moment.blunder, clear, "{moment:?}");
        }
        // Neither the number of threads nor the file changes anything.
        let again = analyse(&sample.recording, 1, 3, &AtomicU64::new(0)).unwrap();
        assert_eq!(again, analysis);
        let text = serde_json::to_string(&analysis).unwrap();
        let read: Analysis = serde_json::from_str(&text).unwrap();
        assert_eq!((read.positions.len(), &read.digest), (analysis.positions.len(), &analysis.digest));
    }
}

/// A player that stops to answer has lost most at that turn.
#[test]
fn the_turn_of_a_failure_is_found() {
    let game = catalog::find("hypersonic").unwrap();
    let mut found = 0;
    for number in [0, 3, 6, 9, 12, 15] {
        let recording = sample_with(game, number, true).recording;
        let Some(failed) = recording.played.turns.iter().find(|turn| turn.output.is_none()) else { continue };
        let turn =
            recording.asked(failed.player).unwrap().iter().find(|asked| asked.answer.is_none()).unwrap().turn;
        let worst = worst_turn(&recording, failed.player, 1).unwrap();
        found += u32::from(worst == Some(turn));
    }
    assert!(found >= 2, "{found}");
}

/// The mean prediction is near the mean result, in matches that were not fitted: a coarse check of the weights.
#[test]
fn predictions_are_calibrated() {
    let fitted: Vec<_> = catalog::games().filter(|game| Model::of(*game) != Model::PLAIN).collect();
    assert!(fitted.len() >= 3, "a new game has no weights yet");
    for game in fitted {
        let model = Model::of(game);
        let (mut sure, mut won) = (0.0, 0.0);
        for number in 0..60 {
            let recording = sample_with(game, number, false).recording;
            let (play, _) = recording.before(recording.last_turn / 2 + 1).unwrap();
            let found = probabilities(&model.onlooker, &features(&*play, None, 16, &mut Dice::new(number)));
            let mut end = recording.before(recording.last_turn).unwrap().0;
            for turn in &recording.played.turns[recording.before(recording.last_turn).unwrap().1.len()..] {
                end.answer(game::Seat(turn.player), turn.answer()).unwrap();
            }
            let shares = win_shares(&end.outcome());
            for (predicted, share) in found.iter().zip(shares).filter(|(predicted, _)| **predicted > 0.5) {
                sure += predicted;
                won += share;
            }
        }
        assert!((sure - won).abs() < 0.2 * sure, "{}: {sure} expected, {won} won", game.info().name);
    }
}
