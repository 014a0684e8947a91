//! `agon report`: from bots that play to a page.

use std::fs;

use crate::{Scratch, agon, json, printed, refused};

#[test]
fn a_duel_is_reported_as_a_page() {
    let scratch = Scratch::new();
    let (run, records) = (scratch.file("a.run"), scratch.file("records"));
    let bots = ["--bot", "@random", "--bot", "@wait"];
    let played = json(
        &[
            &["duel", "ocean-of-code"],
            &bots[..],
            &["-n", "20", "--run", &run, "--records", &records, "--json"],
        ]
        .concat(),
    );
    let text = printed(&["report", &run]);
    for words in [
        "Ocean of Code",
        "complete: 20 of 20 matches",
        "Results of @random vs @wait:",
        "Games: 20",
        "page with charts: ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let page = fs::read_to_string(scratch.file("a.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "a whole page");
    for words in [
        "Results of @random vs @wait:",
        "<svg",
        "Rating over games",
        "Outcomes by seat and map",
        "not complete",
    ] {
        assert_eq!(page.contains(words), words != "not complete", "{words}");
    }
    for address in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(address), "the page asks for {address}");
    }
    let report = json(&["report", &run, "--json", "--html", &scratch.file("other.html")]);
    assert_eq!(
        report["report"]["verdict"]["duel"]["report"], played["report"],
        "the same verdict as the duel's own"
    );
    assert_eq!(report["page"], scratch.file("other.html"));
    let other = fs::read_to_string(scratch.file("other.html")).unwrap();
    assert_eq!(other.replace("other-replays", "a-replays"), page);
    // The worst losses have a page with an analysed replay each.
    let losses = report["report"]["worst_losses"].as_array().unwrap();
    let linked = losses.iter().filter(|loss| !loss["page"].is_null());
    let linked: Vec<String> = linked.map(|loss| format!("a-replays/{}.html", loss["index"])).collect();
    assert_eq!(linked.len(), losses.len().min(3), "{losses:?}");
    for link in &linked {
        assert!(page.contains(&format!("href=\"{link}")), "{link}");
        let replay = fs::read_to_string(scratch.file(link)).unwrap();
        assert!(replay.contains("agon-replays"), "{link}");
    }
    let without = json(&["report", &run, "--json", "--replays", "0", "--html", &scratch.file("third.html")]);
    assert!(without["report"]["worst_losses"][0]["page"].is_null());
    assert!(!fs::read_to_string(scratch.file("third.html")).unwrap().contains("analysed replay"));
    let names: Vec<String> = fs::read_dir(scratch.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let folders = if linked.is_empty() { 0 } else { 2 };
    assert_eq!(names.len(), 5 + folders, "nothing else is left: {names:?}");
}

#[test]
fn reports_contain_failures_and_safe_names() {
    let scratch = Scratch::new();
    let run = scratch.file("a.run");
    let hostile = scratch.file("<script>alert(1)<");
    fs::write(&hostile, "#!/bin/sh\necho '<b>oops</b>' >&2\nexit 3\n").unwrap();
    let command = format!("/bin/sh {}", shell_words::quote(&hostile));
    printed(&["duel", "hypersonic", "--bot", &command, "--bot", "@random", "-n", "4", "--run", &run]);
    let text = printed(&["report", &run]);
    assert!(text.contains("4 failures of bots") && text.contains("crash: exit code 3"), "{text}");
    let page = fs::read_to_string(scratch.file("a.html")).unwrap();
    assert!(page.contains("&lt;script&gt;alert(1)&lt;"), "the name is shown");
    assert_eq!(page.matches("<script").count(), 1, "and there is one script, ours");
}

#[test]
fn invalid_run_files_are_refused() {
    let scratch = Scratch::new();
    let run = scratch.file("a.run");
    refused(&["report", &run], 2, &["a.run"]);
    fs::write(&run, "").unwrap();
    refused(&["report", &run], 2, &["is not a run", "empty"]);
    fs::write(&run, "noise\n").unwrap();
    refused(&["report", &run], 2, &["is not a run"]);
    assert!(!scratch.path().join("a.html").exists(), "no page of nothing");
    fs::remove_file(&run).unwrap();
    printed(&["duel", "hypersonic", "--bot", "@random", "--bot", "@wait", "-n", "2", "--run", &run]);
    refused(&["report", &run, "--html", &run], 2, &["would replace the run"]);
    refused(&["report", &run, "--html", "/no/such/folder/a.html"], 2, &["cannot be written"]);
    refused(&["report", &run, "--records", &scratch.file("none")], 2, &["no folder"]);
    assert_eq!(agon(&["report"]).status.code(), Some(2));
}
