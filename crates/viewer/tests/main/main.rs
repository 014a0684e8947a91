//! Matches as they are shown, against the traces of the official referees.

use catalog::record::{Line, Played, Player};
use replay::replay_of;
use viewer::{Look, Renderer, read_matches, self_contained};

const TRACES: &str = "traces/dev.jsonl.gz";

fn traces(game: &str, most: usize) -> Vec<Played> {
    let found = read_matches(&testing::game_file(game, TRACES), most);
    found.expect("the traces can be read").into_iter().map(|one| one.played).collect()
}

/// The games that have an official referee.
fn games() -> Vec<&'static str> {
    let names = catalog::games().map(|game| game.info().name);
    let games: Vec<_> = names.filter(|game| testing::game_file(game, TRACES).is_file()).collect();
    assert!(!games.is_empty());
    games
}

#[test]
fn every_trace_is_shown_to_its_end() {
    for game in games() {
        for played in traces(game, 40) {
            let replay = replay_of(&played).unwrap();
            assert_eq!(replay.end.trouble, None);
            let last = replay.steps.last().unwrap();
            let scores: Vec<i64> = serde_json::from_value(played.end["scores"].clone()).unwrap();
            // Back Track changes the scores at the end where a league asks for an objective or a player failed.
            if game != "back-track" {
                assert_eq!(last.scores, scores, "{game}, seed {}", played.header.seed);
            }
            assert_eq!(replay.end.outcome.unwrap().scores, scores);
            let answers: usize = replay.steps.iter().map(|step| step.answers.iter().flatten().count()).sum();
            // Answers of a step that was never completed are not shown.
            assert!(answers <= played.turns.len() && answers + 4 > played.turns.len());
            assert!(replay.header.edition.is_some() || played.header.options.is_some());
        }
    }
}

#[test]
fn the_input_of_an_answer_is_the_one_in_the_trace() {
    let played = &traces("ocean-of-code", 1)[0];
    let replay = replay_of(played).unwrap();
    let answer: Vec<_> = replay.steps.iter().flat_map(|step| step.answers.iter().flatten()).collect();
    for (turn, answer) in played.turns.iter().zip(answer) {
        let sent = turn.input.as_ref().unwrap().join("\n") + "\n";
        assert_eq!(answer.input, sent);
    }
}

#[test]
fn pictures_of_every_game() {
    for game in games() {
        let played = &traces(game, 1)[0];
        let replay = replay_of(played).unwrap();
        let renderer = Renderer::new(&replay).unwrap();
        let last = renderer.steps() - 1;
        for (at, dark) in [(0.0, false), (last as f64 / 2.0, true), (last as f64, false)] {
            let svg = renderer.svg(at, dark).unwrap();
            assert!(svg.starts_with("<svg xmlns=") && svg.len() > 5000, "{game} at {at}");
            assert!(!svg.contains("NaN") && !svg.contains("undefined"), "{game} at {at}");
            let png = renderer.png(at, Look { dark, width: 300 }).unwrap();
            assert!(png.starts_with(b"\x89PNG"));
        }
        assert!(renderer.svg(last as f64 + 1.0, false).unwrap_err().to_string().contains("from 0"));
        let mut gif = Vec::new();
        renderer.gif((0, 3), 2, 10, Look { dark: false, width: 200 }, &mut gif, |_| ()).unwrap();
        assert!(gif.starts_with(b"GIF89a"));
        assert!(renderer.gif((3, 1), 2, 10, Look { dark: false, width: 200 }, &mut gif, |_| ()).is_err());
    }
}

#[test]
fn hostile_text_stays_text() {
    const HOSTILE: &str = "</script><img src=x onerror=alert(1)>\"'&\u{202E}\u{0007}";
    let mut played = traces("hypersonic", 1).remove(0);
    played.bots = Some(vec![
        Player {
            name: HOSTILE.into(),
            command: format!("./{HOSTILE}"),
            digest: None,
            memory: None
        };
        2
    ]);
    for turn in &mut played.turns {
        turn.stderr = Some(Line(HOSTILE.as_bytes().to_vec()));
    }
    let replay = replay_of(&played).unwrap();
    assert!(!replay.header.players[0].name.contains(['\u{202E}', '\u{0007}']));
    let svg = Renderer::new(&replay).unwrap().svg(1.0, false).unwrap();
    assert!(!svg.contains("<img") && !svg.contains("onerror"));
    let page = self_contained(&[replay]).unwrap();
    assert!(!page.contains("onerror=alert"), "matches are packed");
}

#[test]
fn a_record_that_does_not_fit_is_shown_as_far_as_it_goes() {
    let mut played = traces("hypersonic", 1).remove(0);
    played.turns[6].player = 9;
    let replay = replay_of(&played).unwrap();
    assert!(replay.end.trouble.unwrap().contains("turns[6]"));
    assert_eq!(replay.steps.len(), 1 + 6 / replay.header.players.len());
    assert!(replay.end.outcome.is_none());
}
