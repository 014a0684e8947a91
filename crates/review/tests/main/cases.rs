//! Test cases of bots.

use catalog::record::Line;
use review::{Case, CaseError, Expected};
use sandbox::{Level, Program, Sandbox};

use crate::sample;

fn program(script: &str) -> Program {
    let argv = ["/bin/sh", "-c", script].map(std::ffi::OsString::from).to_vec();
    Program { argv, folder: None, writable: None, env: Vec::new() }
}

#[test]
fn a_case_survives_its_file_and_runs() {
    let folder = testing::scratch();
    let recording = sample(catalog::find("ocean-of-code").unwrap(), 1).recording;
    let asked = recording.asked(0).unwrap();
    let (first, third) = (asked[0].turn, asked[2].turn);
    let lines = |lines: &[&str]| lines.iter().map(|line| Line(line.as_bytes().to_vec())).collect();
    let case = Case::new(&recording, 0, third, Expected::Not(lines(&["SURFACE"]))).unwrap();
    let path = folder.path().join("b.json.gz");
    case.write(&path).unwrap();
    assert_eq!(Case::read(&path).unwrap(), case);
    Case::new(&recording, 0, first, Expected::InTime).unwrap().write(&folder.path().join("a.json")).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "not a case").unwrap();
    let cases = Case::read_folder(folder.path()).unwrap();
    assert_eq!(cases.iter().map(|(_, case)| case.turn).collect::<Vec<_>>(), [first, third]);

    let sandbox = Sandbox::new(Some(Level::None)).unwrap();
    let run = |case: &Case, script: &str| case.run(&sandbox, &program(script), true).unwrap();
    // Three lines answer three questions.
    let good = run(&case, "echo 7 7; echo MOVE N; echo MOVE S >&1; cat >/dev/null");
    assert_eq!((good.failed, good.answer.as_deref()), (None, Some(&b"MOVE S"[..])));
    let bad = run(&case, "echo 7 7; echo MOVE N; echo SURFACE; cat >/dev/null");
    assert!(bad.failed.unwrap().contains("SURFACE"));
    let crashed = run(&case, "echo 7 7; echo help >&2; exit 4");
    assert!(crashed.failed.unwrap().contains("exit code 4"));
    let silent = run(&case, "echo 7 7; echo MOVE N; cat >/dev/null; sleep 9");
    assert!(silent.failed.unwrap().contains("no answer within"));
    let one_of = Case { expect: Expected::OneOf(lines(&["MOVE N", "MOVE W"])), ..case };
    assert_eq!(run(&one_of, "echo 7 7; echo x; echo MOVE W; cat >/dev/null").failed, None);
    assert!(run(&one_of, "echo 7 7; echo x; echo MOVE E; cat >/dev/null").failed.is_some());
}

#[test]
fn files_that_are_no_cases_are_refused() {
    let folder = testing::scratch();
    assert!(matches!(Case::read_folder(folder.path()), Err(CaseError::Empty(_))));
    assert!(matches!(Case::read_folder(&folder.path().join("no")), Err(CaseError::File { .. })));
    std::fs::write(folder.path().join("a.json"), "{}").unwrap();
    assert!(matches!(Case::read_folder(folder.path()), Err(CaseError::Form { .. })));
}
