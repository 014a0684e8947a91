//! What the runner itself must get right: times, ends, failures that are ours.

use std::cell::Cell;
use std::time::Duration;

use play::Runner;
use referee::{Cause, Clock, Ending, Exit};
use sandbox::{Level, Program, Sandbox};
use toolchain::{Bot, BuildCache, Builtin, How};

use crate::{bot, builtin, causes, launcher, plan, play, sandbox};

/// A bot made of a line of shell.
fn shell(script: &str) -> Bot {
    bot(&format!("/bin/sh -c {}", shell_quoted(script)))
}

fn shell_quoted(script: &str) -> String {
    format!("'{}'", script.replace('\'', r"'\''"))
}

/// Places its submarine, then does the same every turn; `$l` is what the opponent did.
fn sayer(line: &str) -> String {
    let placed = "n=0; while [ $n -lt 16 ]; do read l; n=$((n+1)); done; sleep 0.05; echo 7 7";
    format!("{placed}; while read a && read b && read l; do {line}; done")
}

#[test]
fn built_in_bots_need_no_box() {
    let bots = [builtin(Builtin::Random), builtin(Builtin::Wait)];
    let played = play(&plan("ocean-of-code", 1, &bots));
    assert_eq!(causes(&played), [None, None]);
    assert_eq!(played.log.len() as u32, played.play.turns_played() + 2);
}

#[test]
fn the_same_match_twice_is_the_same_match() {
    let bots = [builtin(Builtin::Random), builtin(Builtin::Random)];
    let plan = plan("back-track", 5, &bots);
    let (first, second) = (play(&plan), play(&plan));
    let outputs =
        |played: &play::PlayedMatch| played.log.iter().map(|turn| turn.output.clone()).collect::<Vec<_>>();
    assert_eq!(outputs(&first), outputs(&second));
    assert_eq!(first.ending, second.ending);
}

#[test]
fn a_timeout_is_called_in_time() {
    let bots = [shell("sleep 100"), builtin(Builtin::Random)];
    let played = play(&plan("ocean-of-code", 1, &bots));
    let Some(Cause::Timeout { used_ms, limit_ms, .. }) = &causes(&played)[0] else {
        panic!("{:?}", causes(&played))
    };
    assert_eq!(*limit_ms, 1000);
    assert!((1050..1500).contains(used_ms), "{used_ms} ms");
}

#[test]
fn a_crash_shows_its_code_its_signal_and_its_last_words() {
    for (script, exit) in
        [("echo oh dear >&2; exit 3", Exit::Code(3)), ("echo oh dear >&2; kill -SEGV $$", Exit::Signal(11))]
    {
        let bots = [shell(script), builtin(Builtin::Random)];
        let played = play(&plan("ocean-of-code", 1, &bots));
        let Some(Cause::Crash { exit: got, stderr }) = &causes(&played)[0] else {
            panic!("{:?}", causes(&played))
        };
        assert_eq!((*got, stderr.as_str()), (exit, "oh dear\n"), "{script}");
    }
}

#[test]
fn a_program_that_does_not_exist_crashes_and_is_not_our_fault() {
    let program = Program { argv: vec!["/no/such/program".into()], ..Program::default() };
    let ghost = Bot { name: "ghost".into(), asked: "ghost".into(), digest: None, how: How::Program(program) };
    let bots = [builtin(Builtin::Random), ghost];
    let played = play(&plan("ocean-of-code", 1, &bots));
    assert!(
        matches!(&causes(&played)[1], Some(Cause::Crash { exit: Exit::NotStarted | Exit::Code(_), .. })),
        "{:?}",
        causes(&played)
    );
}

#[test]
fn answers_and_their_stderr_belong_together() {
    let bots = [shell(&sayer("echo thinking of $l >&2; echo SURFACE")), builtin(Builtin::Random)];
    let played = play(&plan("ocean-of-code", 1, &bots));
    assert_eq!(causes(&played), [None, None]);
    let own: Vec<_> = played.log.iter().filter(|turn| turn.seat.0 == 0).collect();
    assert!(own[0].wall >= Duration::from_millis(50), "{:?}", own[0].wall);
    assert!(own[0].stderr.is_empty());
    assert_eq!(own[1].stderr, b"thinking of NA\n");
}

#[test]
fn an_invalid_answer_is_quoted() {
    let bots = [shell(&sayer("echo DANCE")), builtin(Builtin::Random)];
    let played = play(&plan("ocean-of-code", 1, &bots));
    let Some(Cause::Invalid { fault }) = &causes(&played)[0] else { panic!("{:?}", causes(&played)) };
    assert_eq!((fault.code.as_ref(), fault.came.as_str()), ("unknown", "`DANCE`"));
}

#[test]
fn a_match_that_is_broken_off_is_void() {
    let bots = [shell(&sayer("echo SURFACE")), builtin(Builtin::Random)];
    let plan = plan("ocean-of-code", 1, &bots);
    let answers = Cell::new(0);
    let impatient = || {
        answers.set(answers.get() + 1);
        (answers.get() == 5).then(|| "enough".to_owned())
    };
    let played = Runner::new(sandbox(), launcher(), None).breaking_off(&impatient).play(&plan);
    assert_eq!(played.ending, Ending::Void { why: "enough".into(), by: None });
    assert!((5..20).contains(&played.log.len()), "{}", played.log.len());
}

#[test]
fn a_text_is_made_ready_under_a_name_of_ours() {
    let python = toolchain::Language::of(std::path::Path::new("x.py")).unwrap();
    let source = "import sys\nprint('3 3', flush=True)\nsys.stdin.read()\n";
    let folder = testing::scratch();
    let cache = BuildCache::new(folder.path().to_owned());
    let made = || cache.prepare_text("../../evil name", python, source.as_bytes(), sandbox()).unwrap();
    // Two at once do not get into each other's way.
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(made);
        (made(), other.join().unwrap())
    });
    let toolchain::How::Program(program) = &first.how else { panic!("{first:?}") };
    let words: Vec<String> = program.argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    assert!(words[1].ends_with("/bot.py") && !words[1].contains("evil"), "{words:?}");
    assert_eq!(first.digest, second.digest);
    std::fs::create_dir(folder.path().join("half-made")).unwrap();
    cache.sweep(1);
    assert!(std::path::Path::new(&words[1]).is_file(), "what is ready stays");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    cache.sweep(0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn cpu_time_is_measured_where_it_counts() {
    // It burns CPU time for a while before it places its submarine.
    let bots = [
        shell("read l; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo 99 99; cat > /dev/null"),
        builtin(Builtin::Random),
    ];
    let mut plan = plan("ocean-of-code", 1, &bots);
    plan.clock = Clock::CPU;
    let played = play(&plan);
    let cpu = played.log[0].cpu.unwrap();
    assert!(cpu > Duration::from_millis(5), "{cpu:?}");
}

#[test]
fn plain_processes_play_too() {
    let plain = Sandbox::new(Some(Level::None)).unwrap();
    let bots = [shell(&sayer("echo SURFACE")), builtin(Builtin::Random)];
    let played = Runner::new(&plain, launcher(), None).play(&plan("ocean-of-code", 1, &bots));
    assert_eq!(causes(&played), [None, None]);
    assert!(matches!(played.ending, Ending::Over { .. }));
}

#[test]
fn four_programs_play_one_match() {
    let walker = "while read l; do case $l in '0 '*) ;; [0-9]) n=$l; while [ $n -gt 0 ]; do read e; n=$((n-1)); done; echo MOVE 6 5;; esac; done";
    let bots = [shell(walker), shell(walker), shell(walker), shell(walker)];
    let played = play(&plan("hypersonic", 3, &bots));
    assert_eq!(causes(&played), [None, None, None, None]);
}
