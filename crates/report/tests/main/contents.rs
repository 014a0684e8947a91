//! What a report says of a good run.

use runs::{Plan, RunHeader};
use serde_json::json;

use super::html::{checked, words};
use super::runs::{all, duel, header, line, report, text, tournament};

fn sum(counts: &serde_json::Value) -> u64 {
    counts.as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum()
}

#[test]
fn a_report_of_a_duel_is_complete() {
    let header = duel("ocean-of-code", 60);
    let made = report("duel", &text(&header, all(&header)));
    let words = words(&checked(&made.page));
    for part in [
        "Ocean of Code",
        "Results of ./new vs ./old:",
        "./new is better than ./old",
        "Rating over games",
        "Final scores",
        "Length of matches",
        "limit 50 ms",
        "depth over the turns",
        "Outcomes by seat and map",
        "% of the map",
        "No bot failed in any match.",
        "Worst losses",
        "agon play ocean-of-code --league 4 --edition standard --seed",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert!(!words.contains("agon resume"), "a complete run needs no resuming");
    assert!(
        made.text.contains("Results of ./new vs ./old:") && made.text.contains("no bot failed"),
        "{}",
        made.text
    );

    let json = &made.json;
    assert_eq!(
        (&json["complete"], &json["finished"], &json["planned"]),
        (&json!(true), &json!(120), &json!(120))
    );
    let wins = (0..120).filter(|&index| {
        let line = line(&header, index);
        line.ranks[line.seats.iter().position(|&bot| bot == 0).unwrap()] == 1 && line.ranks != [1, 1]
    });
    assert_eq!(json["verdict"]["duel"]["report"]["wins"], wins.count());
    for player in 0..2 {
        assert_eq!(sum(&json["scores"]["counts"][player]), 120, "each game has a score");
    }
    let lengths: u64 = json["lengths"]["turns"]["counts"].as_array().unwrap().iter().map(sum).sum();
    assert_eq!(lengths, 120);
    let games = json["ratings"]["games"].as_array().unwrap();
    assert_eq!((games.len(), games.last().unwrap()), (60, &json!(120)));
    let last = json["ratings"]["lines"][0][1].as_array().unwrap().last().unwrap();
    assert_eq!(last, &json["verdict"]["duel"]["report"]["elo"], "the curve ends with the verdict");
    assert_eq!(json["times"]["limit_ms"], 50);
    assert_eq!(json["times"]["players"][0]["longest"]["max"], 9006.0);
    for sorted in [&json["by_seat"]].into_iter().chain(json["by_map"].as_array().unwrap()) {
        let groups = sorted["groups"].as_array().unwrap();
        let counts: u64 = groups.iter().map(|group| group["shares"][0]["count"].as_u64().unwrap()).sum();
        assert_eq!(counts, if sorted["counted"] == "games" { 120 } else { 60 }, "{sorted}");
    }
    let depth = &json["metrics"]["by_turn"][0];
    assert_eq!(depth["name"], "depth");
    assert_eq!(depth["players"][1][1][0], json!([0, {"count": 120, "min": 1.0, "mean": 1.0, "max": 1.0}]));
}

#[test]
fn a_tournament_has_its_tables() {
    let header = tournament(60);
    let made = report("tournament", &text(&header, all(&header)));
    let words = words(&checked(&made.page));
    assert!(words.contains("Head to head") && words.contains("Ratings after each of 120 games"), "{words}");
    let table = &made.json["verdict"]["table"];
    let names: Vec<&str> =
        table["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b", "c", "d"], "the dice favour the first");
    for a in 0..4 {
        for b in 0..4 {
            assert_eq!(table["against"][a][b]["wins"], table["against"][b][a]["losses"]);
        }
    }
    assert!(made.text.contains("  1  a "), "{}", made.text);
}

#[test]
fn one_against_copies_is_a_duel_of_two() {
    let header = header("hypersonic", &["./new", "@boss", "@boss #2", "@boss #3"], 4, Plan::Duel, 12);
    let made = report("copies", &text(&header, all(&header)));
    checked(&made.page);
    assert_eq!(made.json["bots"].as_array().unwrap().len(), 2);
    assert_eq!(sum(&made.json["scores"]["counts"][1]), 3 * 48, "three seats of each match");
}

#[test]
fn results_of_a_tuning_are_shown() {
    let tuning = runs::Tuning {
        parameters: vec!["depth=1:9:3".parse().unwrap()],
        iterations: 6,
        units: 2,
        confirm: 8,
        starts: 1,
        against: false,
    };
    let of = |name: &str, tuning: &runs::Tuning| {
        let mut header = duel("hypersonic", tuning.all_units());
        header.plan = Plan::Tune(tuning.clone());
        report(name, &text(&header, all(&header)))
    };
    let made = of("tune", &tuning);
    let words = words(&checked(&made.page));
    assert!(
        words.contains("depth: 3 at the start") && words.contains("Results of tuned vs start"),
        "{words}"
    );
    // A match is played again with its own parameters on both sides.
    let again = made.json["worst_losses"][0]["replay"].as_str().unwrap();
    assert_eq!(again.matches("AGON_PARAM_DEPTH=").count(), 2, "{again}");
    assert!(words.contains("40 of 40 matches") && words.contains(&format!("{again} --watch")), "{words}");
    assert_eq!(made.json["verdict"]["tune"]["parameters"][0]["path"].as_array().unwrap().len(), 7);
    assert_eq!(made.json["verdict"]["tune"]["confirmed"]["games"], 16);
    assert_eq!(made.json["complete"], true);

    let made = of("tune-against", &runs::Tuning { starts: 3, against: true, ..tuning });
    let (verdict, words) = (&made.json["verdict"]["tune"], self::words(&checked(&made.page)));
    assert_eq!((&verdict["iterations"], &verdict["done"]), (&18.into(), &18.into()));
    assert_eq!((&verdict["confirmed"]["games"], &verdict["baseline"]["games"]), (&16.into(), &16.into()));
    let opponent = verdict["against"].as_str().unwrap();
    assert!(words.contains(&format!("Results of start vs {opponent}")), "{words}");
    let again = made.json["worst_losses"][0]["replay"].as_str().unwrap();
    assert_eq!(again.matches("AGON_PARAM_DEPTH=").count(), 1, "{again}");
    assert_eq!(made.json["complete"], true);
}

#[test]
fn an_incomplete_run_has_the_command_to_continue() {
    let header = duel("back-track", 50);
    // The last matches ended first; one unit is half done, and the file ends within a line.
    let mut file = text(&header, (0..41).rev().map(|index| line(&header, index)));
    file.push_str("{\"index\":41,\"se");
    let made = report("torn", &file);
    let words = words(&checked(&made.page));
    assert!(words.contains("agon resume") && words.contains("ends within a line"), "{words}");
    assert_eq!(made.json["finished"], 41);
    assert_eq!(made.json["verdict"]["duel"]["report"]["games"], 40, "whole pairs count");
    assert!(made.text.contains("go on: agon resume"), "{}", made.text);
}

#[test]
fn a_run_with_an_early_stop_keeps_its_decision() {
    let mut header = duel("ocean-of-code", 400);
    header.sprt = serde_json::from_str("[0.0, 40.0]").unwrap();
    let made = report("sprt", &text(&header, all(&header)));
    let report = &made.json["verdict"]["duel"];
    assert_eq!(report["decision"], "accept_h1");
    let games = report["report"]["games"].as_u64().unwrap();
    assert!(games < 800);
    assert_eq!(made.json["uncounted"], 800 - games);
    assert_eq!(
        sum(&made.json["scores"]["counts"][0]),
        games,
        "what was played after the decision counts for nothing"
    );
    assert!(words(&checked(&made.page)).contains("H1 (40) is accepted"));
}

#[test]
fn no_match_counts_twice() {
    let header = duel("hypersonic", 5);
    let twice = all(&header).chain(all(&header));
    assert_eq!(report("twice", &text(&header, twice)).json["finished"], 10);
}

#[test]
fn failures_come_with_the_command_that_plays_them_again() {
    let header = duel("hypersonic", 150);
    let failed = all(&header).map(|mut line| {
        line.causes[1] = Some("timeout".into());
        line.details[1] = Some("timeout: no answer after 150 ms, the limit is 100 ms".into());
        line
    });
    let made = report("failures", &text(&header, failed));
    let words = words(&checked(&made.page));
    assert!(words.contains("300 failures") && words.contains("… and 200 others"), "{words}");
    assert_eq!(made.json["failures"]["total"], 300);
    assert_eq!(made.json["failures"]["kinds"], json!([[0, "timeout", 150], [1, "timeout", 150]]));
    let first = &made.json["failures"]["listed"][0];
    assert_eq!((&first["index"], &first["seat"], &first["player"]), (&json!(0), &json!(1), &json!(1)));
    let replay = first["replay"].as_str().unwrap();
    assert!(
        replay.starts_with("agon play hypersonic") && replay.ends_with("--bot ./new --bot ./old"),
        "{replay}"
    );
    assert!(made.text.contains(replay), "{}", made.text);
}

#[test]
fn records_can_be_watched() {
    let scratch = super::runs::Scratch::new("records");
    let header = duel("ocean-of-code", 10);
    let run = scratch.file("a.run");
    std::fs::write(&run, text(&header, all(&header))).unwrap();
    let folder = scratch.file("records");
    std::fs::create_dir_all(&folder).unwrap();
    for index in 0..20 {
        std::fs::write(runs::record_path(&folder, index), "").unwrap();
    }
    let findings = report::RunReport::read(&run, Some(&folder)).unwrap();
    let page = findings.to_page(&scratch.file("a.html"));
    checked(&page);
    assert!(page.contains("href=\"records/") && page.contains("agon watch "), "{page}");
    let without = report::RunReport::read(&run, None).unwrap().to_page(&scratch.file("a.html"));
    assert!(!without.contains("agon watch"));
}

/// Files of the first version have neither names nor times nor metrics; what cannot be drawn is said.
#[test]
fn old_runs_are_read_too() {
    let header = duel("hypersonic", 10);
    let mut first: serde_json::Value = serde_json::to_value(&header).unwrap();
    let object = first.as_object_mut().unwrap();
    for key in ["names", "players", "plan"] {
        object.remove(key);
    }
    object.insert("agon_run".into(), json!(1));
    let mut file = first.to_string() + "\n";
    for line in all(&header) {
        let mut line = serde_json::to_value(&line).unwrap();
        line.as_object_mut().unwrap().remove("times_us");
        line.as_object_mut().unwrap().remove("metrics");
        file += &(line.to_string() + "\n");
    }
    let made = report("old", &file);
    let words = words(&checked(&made.page));
    assert!(words.contains("kept by an older agon") && words.contains("No bot wrote any"), "{words}");
    assert_eq!(made.json["bots"][0]["name"], "new");
    assert_eq!(made.json["times"]["players"][0]["longest"]["max"], 9006.0);
}

#[test]
fn a_run_that_has_just_begun_has_a_report() {
    for header in
        [duel("ocean-of-code", 10), tournament(10), header("hypersonic", &["a", "b", "c"], 3, Plan::Duel, 4)]
    {
        let made = report("begun", &text(&header, []));
        assert!(words(&checked(&made.page)).contains("finished yet"), "{}", made.text);
        let one = report("one", &text(&header, [line(&header, 0)]));
        checked(&one.page);
        assert_eq!(one.json["finished"], 1);
    }
}

/// As many matches as somebody plays over night: every one is counted, and the page stays small.
#[test]
fn ten_thousand_matches_make_a_small_page() {
    let header: RunHeader = duel("back-track", 5000);
    let made = report("large", &text(&header, all(&header)));
    checked(&made.page);
    assert_eq!(made.json["verdict"]["duel"]["report"]["games"], 10_000);
    assert_eq!(sum(&made.json["scores"]["counts"][0]), 10_000);
    assert!(made.page.len() < 400_000, "{} bytes", made.page.len());
}

/// A game whose maps have features has features that tell maps apart.
#[test]
fn outcomes_are_grouped_by_map_features() {
    let mut games = 0;
    for game in catalog::games() {
        let selected = game.select(&game::Selection::default()).unwrap();
        let maps: Vec<Vec<game::Feature>> =
            (0..40).map(|seed| game.start(selected, seed).features()).collect();
        games += usize::from(!maps[0].is_empty());
        for at in 0..maps[0].len() {
            let name = maps[0][at].name;
            let values: Vec<f64> = maps.iter().map(|map| map[at].value).collect();
            assert!(values.iter().any(|&value| value > 0.0), "{}: {name} {values:?}", game.info().name);
            let (least, most) =
                (values.iter().copied().fold(f64::MAX, f64::min), values.iter().copied().fold(0.0, f64::max));
            assert!(least < most, "{}: {name}", game.info().name);
        }
    }
    assert!(games > 0);
}
