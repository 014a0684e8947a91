//! Continuations in memory.

use std::sync::{Arc, Mutex};

use bots::{Mind, Seating};
use catalog::record::{Line, Played};
use review::{Fork, ForkError, Recording};

use crate::{MATCHES, Sample, Spy, THINKING, minds, sample, sample_with};

/// The answers as the match takes them.
fn answers(played: &Played) -> Vec<(u8, Option<&[u8]>)> {
    played.turns.iter().map(|turn| (turn.player, turn.answer())).collect()
}

fn verified(played: &Played) {
    let checked = catalog::verify::line(&serde_json::to_vec(played).unwrap()).unwrap();
    assert_eq!(checked.mismatches, []);
}

#[test]
fn the_same_bots_end_a_match_in_the_same_way() {
    for game in catalog::games() {
        let (mut forks, mut tens) = (0, 0);
        for number in 0..MATCHES {
            let Sample { recording, selected, .. } = sample_with(game, number, false);
            tens += recording.last_turn / 10;
            for turn in (1..=recording.last_turn).step_by(10) {
                let fork = Fork::new(&recording, turn, &[]).unwrap();
                let played = fork
                    .in_memory(&recording, &mut minds(game, selected, number), THINKING, THINKING)
                    .unwrap();
                assert!(
                    answers(&played) == answers(&recording.played),
                    "{} {number} {turn}",
                    game.info().name
                );
                assert_eq!(played.end, recording.played.end);
                let parent = played.parent.as_ref().unwrap();
                assert_eq!((parent.turn, &parent.digest), (turn, &recording.digest()));
                assert!(parent.seats.iter().all(|seat| seat.differed == 0));
                forks += 1;
            }
        }
        assert!(forks >= tens && forks >= MATCHES as u32, "{}: {forks} forks", game.info().name);
    }
}

/// Another bot sees the input of its seat, and nothing else; its answers of the past are ignored.
#[test]
fn a_bot_is_sent_the_input_of_its_seat_and_nothing_else() {
    for game in catalog::games() {
        for number in 0..12 {
            let Sample { recording, selected, sent, .. } = sample(game, number);
            let turn = recording.last_turn / 2 + 1;
            let seen: Vec<Arc<Mutex<Vec<String>>>> = sent.iter().map(|_| Arc::default()).collect();
            let strangers = minds(game, selected, number + 1);
            let mut spies: Vec<Box<dyn Mind>> = strangers
                .into_iter()
                .zip(&seen)
                .map(|(mind, seen)| Box::new(Spy { mind, seen: Arc::clone(seen) }) as Box<dyn Mind>)
                .collect();
            let played = Fork::new(&recording, turn, &[])
                .unwrap()
                .in_memory(&recording, &mut spies, THINKING, THINKING)
                .unwrap();
            verified(&played);
            let parent = played.parent.clone().unwrap();
            let continued = Recording::of(played).unwrap();
            for (seat, seen) in seen.iter().enumerate() {
                let seen = seen.lock().unwrap();
                let past: Vec<&String> =
                    sent[seat].iter().filter(|(at, _)| *at < turn).map(|(_, text)| text).collect();
                assert!(
                    seen.iter().take(past.len()).eq(past.iter().copied()),
                    "{} {number}",
                    game.info().name
                );
                assert_eq!(parent.seats[seat].ignored as usize, past.len());
                let asked = continued.asked(seat as u8).unwrap();
                assert!(
                    seen.iter().eq(asked.iter().map(|asked| &asked.input)),
                    "{} {number}",
                    game.info().name
                );
            }
        }
    }
}

#[test]
fn another_answer_is_played_at_its_turn() {
    let game = catalog::find("hypersonic").unwrap();
    let Sample { recording, selected, number, .. } = sample(game, 1);
    let line = b"MOVE 0 0 what if".to_vec();
    let fork = Fork::new(&recording, 5, &[(1, line.clone())]).unwrap();
    let played = fork.in_memory(&recording, &mut minds(game, selected, number), THINKING, THINKING).unwrap();
    verified(&played);
    let parent = played.parent.clone().unwrap();
    assert_eq!(parent.seats[1].given, Some(Line(line.clone())));
    assert_eq!(parent.seats[0].given, None);
    let continued = Recording::of(played).unwrap();
    assert_eq!(continued.asked_until(1, 5).unwrap().last().unwrap().answer, Some(line));
    assert_eq!(continued.asked_until(1, 4).unwrap(), recording.asked_until(1, 4).unwrap());
}

#[test]
fn damaged_parents_do_not_verify() {
    let game = catalog::find("ocean-of-code").unwrap();
    let Sample { recording, selected, number, .. } = sample(game, 1);
    let turn = recording.last_turn / 2;
    let seat = recording.awaited(turn).next().unwrap().0;
    let given = recording.asked_until(seat, turn).unwrap().last().unwrap().answer.clone().unwrap();
    let fork = Fork::new(&recording, turn, &[(seat, given)]).unwrap();
    let good = fork.in_memory(&recording, &mut minds(game, selected, number), THINKING, THINKING).unwrap();
    verified(&good);
    let damage: [fn(&mut catalog::record::Parent); 4] = [
        |parent| parent.turn = 10_000,
        |parent| parent.seats.truncate(1),
        |parent| parent.seats[0].ignored += 100,
        |parent| parent.seats.iter_mut().for_each(|seat| seat.given = Some(Line(b"MOVE X".to_vec()))),
    ];
    for damage in damage {
        let mut bad = good.clone();
        damage(bad.parent.as_mut().unwrap());
        let checked = catalog::verify::line(&serde_json::to_vec(&bad).unwrap()).unwrap();
        assert!(checked.mismatches.iter().any(|mismatch| mismatch.what.starts_with("parent")), "{checked:?}");
    }
}

#[test]
fn wrong_forks_are_refused() {
    let game = catalog::find("ocean-of-code").unwrap();
    let recording = sample(game, 1).recording;
    let last = recording.last_turn;
    assert!(matches!(Fork::new(&recording, last + 1, &[]), Err(ForkError::Recording(_))));
    let other = 1 - recording.awaited(3).next().unwrap().0;
    let answer = |seat: u8, line: &str| (seat, line.as_bytes().to_vec());
    assert!(matches!(Fork::new(&recording, 3, &[answer(other, "SURFACE")]), Err(ForkError::NotAsked { .. })));
    assert!(matches!(Fork::new(&recording, 3, &[answer(9, "SURFACE")]), Err(ForkError::NotAsked { .. })));
    let own = 1 - other;
    assert_eq!(Fork::new(&recording, 3, &[answer(own, "a\nb")]).unwrap_err(), ForkError::Lines(own));
    let twice = [answer(own, "SURFACE"), answer(own, "SURFACE")];
    assert_eq!(Fork::new(&recording, 3, &twice).unwrap_err(), ForkError::GivenTwice(own));
}

/// A stronger bot may take a seat whose player failed, before its failure.
#[test]
fn a_lost_match_may_be_won() {
    let game = catalog::find("hypersonic").unwrap();
    let sample = (0..MATCHES)
        .map(|number| sample(game, number))
        .find(|sample| sample.recording.played.turns.iter().any(|turn| turn.output.is_none()))
        .unwrap();
    let failed = sample.recording.played.turns.iter().find(|turn| turn.output.is_none()).unwrap().player;
    let turn = sample.recording.asked(failed).unwrap().last().unwrap().turn;
    let fork = Fork::new(&sample.recording, turn, &[]).unwrap();
    let seating = Seating { selected: sample.selected, seed: 1 };
    let mut minds: Vec<Box<dyn Mind>> =
        (0..sample.selected.players).map(|_| (game.bot("boss-1").unwrap().sit)(&seating)).collect();
    let played = fork.in_memory(&sample.recording, &mut minds, THINKING, THINKING).unwrap();
    verified(&played);
    let continued = Recording::of(played).unwrap();
    let answered = continued.asked_until(failed, turn).unwrap().last().unwrap();
    assert!(answered.answer.is_some());
}
