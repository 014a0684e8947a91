//! What the runner itself must get right: times, ends, failures that are ours.

use std::cell::Cell;
use std::time::Duration;

use play::Runner;
use referee::{Cause, Clock, Ending, Exit};
use sandbox::{Level, Program, Sandbox};
use toolchain::{Bot, Builtin, How};

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
fn built_in_bots_need_no_sandbox() {
    let bots = [builtin(Builtin::Random), builtin(Builtin::Wait)];
    let played = play(&plan("ocean-of-code", 1, &bots));
    assert_eq!(causes(&played), [None, None]);
    assert_eq!(played.log.len() as u32, played.play.turns_played() + 2);
}

#[test]
fn a_match_is_deterministic() {
    let bots = [builtin(Builtin::Random), builtin(Builtin::Random)];
    let plan = plan("back-track", 5, &bots);
    let (first, second) = (play(&plan), play(&plan));
    let outputs =
        |played: &play::PlayedMatch| played.log.iter().map(|turn| turn.output.clone()).collect::<Vec<_>>();
    assert_eq!(outputs(&first), outputs(&second));
    assert_eq!(first.ending, second.ending);
}

#[test]
fn a_timeout_is_detected_in_time() {
    let bots = [shell("sleep 100"), builtin(Builtin::Random)];
    let played = play(&plan("ocean-of-code", 1, &bots));
    let Some(Cause::Timeout { used_ms, limit_ms, .. }) = &causes(&played)[0] else {
        panic!("{:?}", causes(&played))
    };
    assert_eq!(*limit_ms, 1000);
    assert!((1050..1500).contains(used_ms), "{used_ms} ms");
}

#[test]
fn a_crash_has_its_code_signal_and_last_output() {
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
fn stderr_is_assigned_to_its_answer() {
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
fn an_aborted_match_is_void() {
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
fn the_cpu_clock_counts_cpu_time() {
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
fn bots_can_play_without_a_sandbox() {
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
