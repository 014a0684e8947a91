//! Run files for tests, made from dice: no match is played.

use std::path::PathBuf;

use game::Dice;
use report::RunReport;
use runs::{Format, MatchLine, Metric, Plan, RunHeader};
use serde_json::Value;

/// A folder for one test, gone when the test is over.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("agon-report-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind lies among temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A run of bots of which the first is the strongest.
pub(crate) fn header(game: &str, bots: &[&str], players: u8, plan: Plan, units: u64) -> RunHeader {
    let game = catalog::find(game).unwrap();
    let names: Vec<String> = bots.iter().map(|&bot| bot.to_owned()).collect();
    RunHeader {
        agon_run: RunHeader::VERSION,
        game: game.info().name.to_owned(),
        league: game.info().leagues.len() as u8,
        edition: game.info().editions[0].name.to_owned(),
        bots: names.clone(),
        names,
        digests: vec![None; bots.len()],
        players,
        first_seed: -3,
        units,
        clock: referee::Clock::SITE,
        sandbox: sandbox::Level::None,
        ponder: false,
        sprt: None,
        plan,
        records: None,
        shard: None,
    }
}

pub(crate) fn duel(game: &str, units: u64) -> RunHeader {
    header(game, &["./new", "./old"], 2, Plan::Duel, units)
}

pub(crate) fn tournament(units: u64) -> RunHeader {
    header("back-track", &["a", "b", "c", "d"], 2, Plan::Tournament(Format::RoundRobin), units)
}

/// Match number `index`: the lower its number, the more often a bot wins.
pub(crate) fn line(header: &RunHeader, index: u64) -> MatchLine {
    let (players, bots) = (u64::from(header.players), header.bots.len() as u64);
    let (unit, rotation) = (index / players, (index % players) as usize);
    let mut dice = Dice::new(index);
    let mut seats: Vec<usize> = match header.plan {
        // Each bot meets the next ones, in turn.
        Plan::Tournament(_) => {
            let first = unit % bots;
            vec![first as usize, ((first + 1 + unit / bots % (bots - 1)) % bots) as usize]
        }
        _ => (0..header.players as usize).collect(),
    };
    seats.rotate_left(rotation);
    let scores: Vec<i64> = seats.iter().map(|&bot| i64::from(dice.below(100)) - 20 * bot as i64).collect();
    let ranks = game::ranks(&scores);
    let turns = 20 + dice.below(60);
    let times: Vec<[u64; 3]> =
        seats.iter().map(|&bot| [900 + 100 * bot as u64, 4_000, 9_000 + index % 7]).collect();
    let depth = |bot: usize| {
        Metric::Turns((0..u64::from(turns)).map(|turn| (turn, (bot as u64 + turn % 5) as f64)).collect())
    };
    let metrics = |&bot: &usize| {
        [("depth".to_owned(), depth(bot)), ("nodes".to_owned(), Metric::Number(1e6))].into_iter().collect()
    };
    MatchLine {
        index,
        seed: header.first_seed + unit as i64,
        scores,
        ranks,
        reason: "turn-limit".into(),
        causes: vec![None; seats.len()],
        details: vec![None; seats.len()],
        failed_turns: Vec::new(),
        skipped: Vec::new(),
        first_skipped: Vec::new(),
        turns,
        slowest_us: times.iter().map(|times| times[2]).collect(),
        answers: turns,
        disturbed: 0,
        times_us: times,
        metrics: seats.iter().map(metrics).collect(),
        seats,
    }
}

/// The file of a run with these matches.
pub(crate) fn text(header: &RunHeader, lines: impl IntoIterator<Item = MatchLine>) -> String {
    let mut text = serde_json::to_string(header).unwrap() + "\n";
    for line in lines {
        text += &serde_json::to_string(&line).unwrap();
        text.push('\n');
    }
    text
}

/// All matches of a run.
pub(crate) fn all(header: &RunHeader) -> impl Iterator<Item = MatchLine> {
    (0..header.matches()).map(|index| line(header, index))
}

/// What a report is: its JSON, its page, its summary.
pub(crate) struct Made {
    pub(crate) json: Value,
    pub(crate) page: String,
    pub(crate) text: String,
}

pub(crate) fn report(name: &str, file: &str) -> Made {
    let scratch = Scratch::new(name);
    let path = scratch.file("a.run");
    std::fs::write(&path, file).unwrap();
    let findings = RunReport::read(&path, None).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), file, "a run is only read");
    Made {
        json: serde_json::to_value(&findings).unwrap(),
        page: findings.to_page(&scratch.file("a.html")),
        text: findings.to_text(),
    }
}
