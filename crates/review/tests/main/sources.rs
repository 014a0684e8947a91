//! Records by the words of a user.

use catalog::file;
use review::{SourceError, open};
use serde_json::{Value, json};

use crate::sample;

#[test]
fn a_file_may_have_one_match_or_many() {
    let folder = testing::scratch();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let game = catalog::find("ocean-of-code").unwrap();
    let matches = [sample(game, 1).recording.played, sample(game, 2).recording.played];
    file::write_one(path("one.json.gz").as_ref(), &matches[0]).unwrap();
    std::fs::write(path("pretty.json"), serde_json::to_string_pretty(&matches[1]).unwrap()).unwrap();
    let mut many = file::RecordFile::create(path("many.jsonl").as_ref()).unwrap();
    for played in &matches {
        many.line(played).unwrap();
    }
    many.finish().unwrap();
    let seed = |words: &str| open(words).unwrap().played.header.seed;
    assert_eq!(seed(&path("one.json.gz")), matches[0].header.seed);
    assert_eq!(seed(&path("pretty.json")), matches[1].header.seed);
    assert_eq!(seed(&path("many.jsonl:2")), matches[1].header.seed);
    assert!(matches!(open(&path("many.jsonl")), Err(SourceError::Several(_))));
    assert!(matches!(open(&path("many.jsonl:3")), Err(SourceError::None { line: Some(3), .. })));
    assert!(matches!(open(&path("nothing.json")), Err(SourceError::NoFile(_))));
    std::fs::write(path("text.json"), "hello\n").unwrap();
    assert!(matches!(open(&path("text.json")), Err(SourceError::NoRecord { line: 1, .. })));
}

#[test]
fn a_replay_of_the_contest_site_is_a_record() {
    let folder = testing::scratch();
    let game = catalog::find("ocean-of-code").unwrap();
    let sample = (0..9)
        .map(|number| sample(game, number))
        .find(|sample| {
            sample.selected.league == 4
                && sample.recording.played.turns.iter().all(|turn| turn.output.is_some())
        })
        .unwrap();
    let mut frames = vec![json!({"agentId": -1})];
    for turn in &sample.recording.played.turns {
        let text = String::from_utf8(turn.answer().unwrap().to_vec()).unwrap();
        frames.push(json!({"agentId": turn.player, "stdout": format!("{text}\n")}));
    }
    let (play, _) = sample.recording.before(sample.recording.last_turn).unwrap();
    let mut play = play;
    let last = sample.recording.played.turns.last().unwrap();
    play.answer(game::Seat(last.player), last.answer()).unwrap();
    let agents: Vec<Value> =
        (0..2).map(|seat| json!({"index": seat, "codingamer": {"pseudo": format!("p{seat}")}})).collect();
    let replay = json!({"gameResult": {
        "frames": frames, "agents": agents, "scores": play.outcome().scores, "gameId": 5,
        "refereeInput": format!("seed={}\n", sample.recording.played.header.seed),
        "questionTitle": "Ocean of Code",
    }});
    let path = folder.path().join("replay.json");
    std::fs::write(&path, replay.to_string()).unwrap();
    let opened = open(&path.display().to_string()).unwrap();
    let answers = |played: &catalog::record::Played| -> Vec<_> {
        played.turns.iter().map(|turn| (turn.player, turn.output.clone())).collect()
    };
    assert_eq!(answers(&opened.played), answers(&sample.recording.played));
}
