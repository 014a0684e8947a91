//! Hostile bots and damaged files.

use report::RunReport;
use runs::Metric;

use super::html::{checked, words};
use super::runs::{Scratch, all, duel, line, report, text, tournament};

/// Text that would leave its place if anything let it.
const HOSTILE: [&str; 8] = [
    "</title></style></script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "a\u{202e}b\u{2066}c\u{200f}d",
    "\u{1b}[2J\u{7}\0\r\nResults of me vs you:",
    "&lt;b&gt; & &amp;",
    "<!-- ]]> --> {{x}} `$(reboot)`",
    "\u{2028}\u{feff}שלום",
];

#[test]
fn hostile_text_stays_text() {
    for (at, hostile) in HOSTILE.iter().enumerate() {
        for mut header in [duel("hypersonic", 6), tournament(12)] {
            for bot in 0..header.bots.len() {
                header.names[bot] = format!("{hostile} {bot}");
                header.bots[bot] = format!("./bot '{hostile}' {bot}");
                header.digests[bot] = Some((*hostile).to_owned());
            }
            let spoiled = all(&header).map(|mut line| {
                line.reason = (*hostile).to_owned();
                line.causes[0] = Some((*hostile).to_owned());
                line.details[0] = Some((*hostile).to_owned());
                for metrics in &mut line.metrics {
                    let turns = Metric::Turns(vec![(0, 1.0), (3, 2.0)]);
                    metrics.insert((*hostile).to_owned(), turns);
                    metrics.insert(format!("n {hostile}"), Metric::Number(2.0));
                    metrics.insert(format!("w {hostile}"), Metric::Word((*hostile).to_owned()));
                }
                line
            });
            let made = report(&format!("hostile-{at}"), &text(&header, spoiled));
            let shown = words(&checked(&made.page));
            assert!(shown.contains(report::clean(hostile).trim()), "it is shown, not dropped: {hostile:?}");
            let steering = |c: char| {
                c.is_control() && c != '\n' || "\u{202e}\u{2066}\u{200f}\u{2028}\u{feff}".contains(c)
            };
            assert!(!shown.contains(steering) && !made.text.contains(steering), "{hostile:?}");
            assert!(!made.text.lines().any(|line| line.starts_with("Results of me")), "{}", made.text);
        }
    }
}

#[test]
fn hostile_numbers_are_bounded() {
    let header = duel("hypersonic", 6);
    let spoiled = all(&header).map(|mut line| {
        line.scores = vec![i64::MIN, i64::MAX];
        line.turns = if line.index % 2 == 0 { u32::MAX } else { 0 };
        line.times_us = vec![[u64::MAX; 3], [0; 3]];
        let wild = [
            ("a".to_owned(), Metric::Turns(vec![(u64::MAX, f64::MAX), (0, f64::MIN)])),
            ("b".to_owned(), Metric::Number(1e308)),
        ];
        line.metrics = vec![wild.into_iter().collect(); 2];
        line
    });
    let made = report("numbers", &text(&header, spoiled));
    checked(&made.page);
    // Fewer or more times and metrics than seats.
    let lopsided = all(&header).map(|mut line| {
        line.times_us.truncate(1);
        line.slowest_us.clear();
        line.metrics.truncate(1);
        line
    });
    checked(&report("lopsided", &text(&header, lopsided)).page);
}

#[test]
fn invalid_run_files_are_refused_with_a_reason() {
    let scratch = Scratch::new("refused");
    let header = duel("ocean-of-code", 4);
    let good = text(&header, all(&header));
    let lines: Vec<&str> = good.lines().collect();
    let first = lines[0];
    let spoiled = |change: &dyn Fn(&mut runs::MatchLine)| {
        let mut line = line(&header, 1);
        change(&mut line);
        text(&header, [line])
    };
    let cases: Vec<(String, &str)> = vec![
        (String::new(), "it is empty"),
        ("\n".into(), "EOF"),
        ("noise".into(), "is not a run"),
        ("{\"agon\":1,\"game\":\"hypersonic\"}\n".into(), "agon_run"),
        (first.replace("\"agon_run\":3", "\"agon_run\":99") + "\n", "version 99"),
        (first.replace("ocean-of-code", "chess") + "\n", "chess"),
        (first.replace("\"standard\"", "\"2099\"") + "\n", "2099"),
        (format!("{first}\nnoise\n{}\n", lines[1]), "line 2"),
        (spoiled(&|line| line.index = 8), "out of its schedule"),
        (spoiled(&|line| line.seats[0] = 7), "line 2: a bot of a match is not in the run"),
        (spoiled(&|line| line.ranks.truncate(1)), "number of seats"),
    ];
    for (file, why) in cases {
        let path = scratch.file("a.run");
        std::fs::write(&path, &file).unwrap();
        let error = RunReport::read(&path, None).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("a.run"), "{why}: {error}");
    }
    let error = RunReport::read(&scratch.file("missing.run"), None).unwrap_err().to_string();
    assert!(error.contains("missing.run"), "{error}");
    assert!(RunReport::read(&scratch.file(""), None).is_err(), "a folder is no run");
}

/// Whatever happens to a byte of a run, the answer is a report or a reason.
#[test]
fn damaged_files_never_panic() {
    let scratch = Scratch::new("damaged");
    let header = duel("ocean-of-code", 3);
    let good = text(&header, all(&header)).into_bytes();
    let path = scratch.file("a.run");
    let mut dice = game::Dice::new(7);
    for _ in 0..400 {
        let mut bytes = good.clone();
        for _ in 0..=dice.below(3) {
            let at = dice.below(bytes.len() as u32) as usize;
            match dice.below(3) {
                0 => bytes[at] = dice.below(256) as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(findings) = RunReport::read(&path, None) {
            checked(&findings.to_page(&path));
        }
    }
}
