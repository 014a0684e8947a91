//! The input of a seat, made again from a record.

use review::{Recording, RecordingError};

use crate::{MATCHES, sample};

#[test]
fn every_seat_is_sent_the_bytes_of_the_match() {
    for game in catalog::games() {
        let (mut players, mut turns) = (Vec::new(), 0);
        for number in 0..MATCHES {
            let sample = sample(game, number);
            players.push(sample.selected.players);
            for (seat, sent) in sample.sent.iter().enumerate() {
                let asked = sample.recording.asked(seat as u8).unwrap();
                let made: Vec<(u32, &str)> =
                    asked.iter().map(|asked| (asked.turn, asked.input.as_str())).collect();
                let sent: Vec<(u32, &str)> = sent.iter().map(|(turn, text)| (*turn, text.as_str())).collect();
                assert!(made == sent, "{}, match {number}, seat {seat}", game.info().name);
                turns += made.len();
                // A turn alone has the same input as far as it goes.
                let (turn, _) = sent[sent.len() / 2];
                let until = sample.recording.asked_until(seat as u8, turn).unwrap();
                assert_eq!(until, &asked[..until.len()]);
                assert_eq!(until.last().map(|asked| asked.turn), Some(turn));
            }
        }
        for count in game.info().min_players..=game.info().max_players {
            assert!(players.contains(&count), "{}: no match of {count} players", game.info().name);
        }
        assert!(turns > 1000, "{}: {turns} turns", game.info().name);
    }
}

/// The turns of a recording are those of the viewer: `AnyMatch::turn`, which the sample notes. Traces have the lines that
/// were sent by the official referees.
#[test]
fn recorded_lines_are_taken_as_they_are() {
    let path = testing::game_file("ocean-of-code", "traces/dev.jsonl.gz");
    let mut checked = 0;
    catalog::verify::lines(&path, |_, text| {
        let Ok(catalog::record::Entry::Played(mut played)) = catalog::record::read(&text) else {
            return true;
        };
        if played.turns.iter().any(|turn| turn.input.is_none()) {
            return true;
        }
        let recorded = Recording::of((*played).clone()).unwrap();
        played.turns.iter_mut().for_each(|turn| turn.input = None);
        let made = Recording::of(*played).unwrap();
        for seat in 0..made.players() {
            assert_eq!(made.asked(seat).unwrap(), recorded.asked(seat).unwrap());
        }
        checked += 1;
        checked < 5
    })
    .unwrap();
    assert_eq!(checked, 5);
}

#[test]
fn wrong_places_are_named() {
    let game = catalog::find("ocean-of-code").unwrap();
    let recording = sample(game, 1).recording;
    let last = recording.last_turn;
    assert_eq!(recording.asked_until(2, 1), Err(RecordingError::NoSeat { seat: 2, players: 2 }));
    assert_eq!(recording.asked_until(0, last + 1), Err(RecordingError::NoTurn { turn: last + 1, last }));
    assert_eq!(recording.asked_until(0, 0), Err(RecordingError::NoTurn { turn: 0, last }));
    // Players take turns.
    let other = recording.asked(1).unwrap()[0].turn;
    assert_eq!(
        recording.asked_until(0, other),
        Err(RecordingError::NotItsTurn { seat: 0, turn: other, next: other + 1 })
    );
    let why = recording.asked_until(0, last + 9).unwrap_err().to_string();
    assert!(why.contains(&format!("1 to {last}")), "{why}");
}

#[test]
fn a_seat_that_is_out_is_not_asked() {
    let game = catalog::find("hypersonic").unwrap();
    let mut found = 0;
    for number in 0..30 {
        let sample = sample(game, number);
        for seat in 0..sample.selected.players {
            let last = sample.sent[usize::from(seat)].last().unwrap().0;
            if last < sample.recording.last_turn {
                let turn = sample.recording.last_turn;
                let error = sample.recording.asked_until(seat, turn).unwrap_err();
                assert_eq!(error, RecordingError::Out { seat, turn, last });
                found += 1;
            }
        }
    }
    assert!(found > 3, "{found}");
}

#[test]
fn records_that_do_not_fit_are_refused() {
    let game = catalog::find("hypersonic").unwrap();
    let played = sample(game, 1).recording.played;
    let mut unknown = played.clone();
    unknown.header.rules = Some(catalog::record::RulesField::Edition("of-tomorrow".into()));
    let why = Recording::of(unknown).unwrap_err().to_string();
    assert!(why.contains("of-tomorrow") && why.contains("choose one of"), "{why}");
    let mut other = played.clone();
    other.turns.insert(0, catalog::record::Turn::new(9, None));
    assert!(matches!(Recording::of(other), Err(RecordingError::Misfit { place: 0, .. })));
    let mut other = played.clone();
    other.header.game = "chess".into();
    assert!(matches!(Recording::of(other), Err(RecordingError::Game(_))));
    // Rules that can be played but belong to no edition: the input is made, but no bot is built in for them.
    let mut other = played;
    let Some(catalog::record::RulesField::Full(rules)) = &mut other.header.rules else {
        panic!("full rules")
    };
    let number = rules.iter_mut().find(|(name, _)| name.contains("turn_ms")).unwrap();
    *number.1 = 77.into();
    let recording = Recording::of(other).unwrap();
    assert!(matches!(recording.selected(), Err(RecordingError::UnknownEdition(_))));
}
