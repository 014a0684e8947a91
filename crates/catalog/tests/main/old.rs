//! A record that an earlier version wrote is still read, verified and shown.

use catalog::record::{self, Entry};
use catalog::verify;
use game::Seat;

const RECORD: &[u8] = include_bytes!("old/record.json");

#[test]
fn an_old_record_verifies() {
    let checked = verify::line(RECORD).unwrap();
    assert_eq!(checked.mismatches, []);
    assert_eq!(checked.turns, 4);
}

#[test]
fn an_old_record_is_shown() {
    let Ok(Entry::Played(played)) = record::read(RECORD) else { panic!("not a match") };
    let mut show = catalog::find(&played.header.game).unwrap().show(&played.header).unwrap();
    let mut steps = 0;
    for turn in &played.turns {
        let line = turn.output.as_ref().map(|lines| lines[0].0.as_slice());
        steps += u32::from(show.answer(Seat(turn.player), line).unwrap());
        assert!(show.frame(None).is_object());
    }
    assert_eq!((steps, show.play().awaited().len()), (4, 0));
    assert_eq!(show.play().outcome().scores, [300, 1_000_000]);
    let player = &played.bots.unwrap()[0];
    assert_eq!((player.name.as_str(), player.command.as_str()), ("bot.sh", "./bot.sh"));
    assert_eq!(played.outcome.unwrap()["causes"][0], "crash");
    assert_eq!(played.settings.unwrap()["turn_ms"], 100);
}
