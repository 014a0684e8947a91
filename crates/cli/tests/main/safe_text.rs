//! Text of bots reaches no terminal and no page with control characters or invisible characters.

use crate::{Scratch, agon, printed};

/// Marks of direction, characters without width, control characters of both kinds, tags.
const HOSTILE: &str =
    "a\u{202e}b\u{2066}c\u{200b}d\u{feff}e\u{1b}[31mf\u{7f}g\u{85}h\u{9b}2Ji\u{e0041}j\u{2028}k\u{7}l";

/// The first unsafe character of a text, other than a line feed.
fn unsafe_in(text: &str) -> Option<char> {
    text.chars().find(|&c| c != '\n' && game::text::is_unsafe(c))
}

#[track_caller]
fn assert_safe(what: &str, text: &str) {
    assert_eq!(unsafe_in(text), None, "{what}: {text:?}");
    assert!(text.contains('\u{fffd}'), "{what} shows that something was there: {text}");
}

/// The command of a bot that writes hostile text to its standard error output and in its messages, and then fails.
/// The name of its file is hostile too.
fn talker(scratch: &Scratch) -> String {
    let escaped: Vec<String> = HOSTILE.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
    let escaped = escaped.concat();
    let source = format!(
        r"
import sys
sys.stdout.reconfigure(encoding='utf-8')
sys.stderr.reconfigure(encoding='utf-8')
for line in range(16):
    input()
print('7 7', flush=True)
for turn in range(5):
    for line in range(3):
        input()
    print('{escaped}', file=sys.stderr, flush=True)
    print('SURFACE | MSG {escaped}', flush=True)
raise SystemExit(4)
"
    );
    let file = scratch.write(&format!("{HOSTILE}.py"), source);
    shell_words::join(["python3", &file])
}

#[test]
fn a_match_is_printed_safely() {
    let scratch = Scratch::new();
    let bot = talker(&scratch);
    let arguments = ["play", "ocean-of-code", "--bot", &bot, "--bot", "@wait", "--seed", "1"];
    for more in [&[][..], &["--show"], &["--stderr"], &["--show", "--stderr"]] {
        let text = printed(&[&arguments[..], more].concat());
        assert_safe("play", &text);
    }
}

#[test]
fn a_duel_and_its_report_are_printed_safely() {
    let scratch = Scratch::new();
    let bot = talker(&scratch);
    let run = scratch.file("a.run");
    let output = agon(&["duel", "ocean-of-code", "--bot", &bot, "--bot", "@wait", "-n", "2", "--run", &run]);
    assert!(output.status.success(), "{output:?}");
    assert_safe("duel", &String::from_utf8(output.stdout).unwrap());
    assert_safe("report", &printed(&["report", &run]));
    assert_safe("page", &std::fs::read_to_string(scratch.file("a.html")).unwrap());
    let check = agon(&["check", "ocean-of-code", "--bot", &bot, "--maps", "1"]);
    assert_safe("check", &String::from_utf8(check.stdout).unwrap());
    let tournament = scratch.file("t.run");
    let arguments = ["tournament", "ocean-of-code", "--bot", &bot, "--bot", "@wait", "-n", "1", "--run"];
    assert_safe("tournament", &printed(&[&arguments[..], &[&tournament]].concat()));
    let csv = printed(&[
        "tournament",
        "ocean-of-code",
        "--bot",
        &bot,
        "--bot",
        "@wait",
        "-n",
        "1",
        "--csv",
        "-",
        "--run",
        &scratch.file("c.run"),
    ]);
    assert_safe("table", &csv);
}
