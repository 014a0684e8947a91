//! Boxes of level A that are made once and used for many starts.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sandbox::{Exit, Level, Limits, Program, Sandbox};

use crate::support::{Folder, LONG, at_each, attempts, run, run_with, shell, text, until, words};

/// A box of level A that makes frames. In strict mode the host must have it.
#[track_caller]
fn with_frames(check: impl Fn(&Sandbox)) {
    at_each(&[Level::A], |sandbox| {
        let is_made = cfg!(target_arch = "x86_64") && {
            run(sandbox, &shell("exit 0"));
            sandbox.frames_made() > 0
        };
        if testing::require("boxes that are used again", is_made) {
            check(sandbox);
        }
    });
}

#[test]
fn a_box_is_used_again() {
    with_frames(|sandbox| {
        let program = shell("echo $$ $PPID; pwd; ls /tmp /dev/shm; touch /tmp/mark /dev/shm/mark");
        let first = run(sandbox, &program);
        let before = sandbox.frames_made();
        let began = Instant::now();
        for _ in 0..50 {
            let again = run(sandbox, &program);
            assert_eq!(text(&again.stdout), text(&first.stdout));
            assert_eq!(again.exit, Exit::Code(0), "{}", text(&again.stderr));
        }
        println!("a start, a run and an end: {:?}", began.elapsed() / 50);
        // A frame is cleaned in the background; the next start may be earlier.
        assert!(sandbox.frames_made() - before < 10, "{} frames", sandbox.frames_made() - before);
        assert!(text(&first.stdout).starts_with("2 1\n"), "{}", text(&first.stdout));
    });
}

#[test]
fn two_starts_at_once_have_two_boxes() {
    with_frames(|sandbox| {
        let program = shell("echo mine > /tmp/mark; cat; cat /tmp/*");
        let mut boxes: Vec<_> = (0..4).map(|_| sandbox.start(&program, &Limits::BOT).unwrap()).collect();
        let before = sandbox.frames_made();
        assert!(before >= 4);
        for boxed in &mut boxes {
            boxed.stdin = None;
            until("ended", || boxed.try_wait().is_some());
            let mut said = [0; 64];
            let length = rustix::io::read(boxed.stdout.as_ref().unwrap(), &mut said[..]).unwrap();
            assert_eq!(&said[..length], b"mine\n");
        }
    });
}

#[test]
fn each_start_has_its_own_numbers() {
    with_frames(|sandbox| {
        let limits = Limits { memory: 64 << 20, ..Limits::BOT };
        // The same program each time; the first of two uses much.
        let program = shell("read what; exec ./probe $what");
        let play = |what: &str| sandbox.run(&program, &limits, what.as_bytes(), LONG, 1 << 16).unwrap();
        for _ in 0..4 {
            let much = play("memory 200000000\n");
            assert!(much.memory_exceeded, "{much:?}");
            let little = play("exit 3\n");
            assert!(!little.memory_exceeded && little.exit == Exit::Code(3), "{little:?}");
            assert!(little.peak_memory.unwrap() < 16 << 20, "{little:?}");
            play("burn 100\n");
            let mut boxed = sandbox.start(&program, &limits).unwrap();
            assert!(
                boxed.cpu_time_of_all().unwrap() < Duration::from_millis(50),
                "{:?}",
                boxed.cpu_time_of_all()
            );
            boxed.kill();
        }
    });
}

#[test]
fn a_box_that_was_frozen_runs_again() {
    with_frames(|sandbox| {
        for _ in 0..4 {
            let mut boxed = sandbox.start(&attempts(&["sleep"]), &Limits::BOT).unwrap();
            boxed.freeze();
            assert_eq!(boxed.kill(), Exit::Signal(9));
        }
    });
}

#[test]
fn a_changed_program_is_not_run_in_its_old_box() {
    with_frames(|sandbox| {
        let outer = Folder::new();
        let folder = outer.0.join("bot");
        let program =
            Program { argv: words(&["./bot.sh"]), folder: Some(folder.clone()), ..Program::default() };
        for version in 0..3 {
            // The folder is another one each time.
            let _first = fs::remove_dir_all(&folder);
            fs::create_dir(&folder).unwrap();
            outer.write("bot/bot.sh", &format!("#!/bin/sh\necho {version}\n"), 0o755);
            for _ in 0..2 {
                assert_eq!(text(&run(sandbox, &program).stdout), format!("{version}\n"));
            }
        }
    });
}

#[test]
fn a_box_whose_keeper_is_killed_is_broken() {
    with_frames(|sandbox| {
        let mut boxed = sandbox.start(&attempts(&["sleep"]), &Limits::BOT).unwrap();
        assert!(!boxed.is_broken());
        let stat = fs::read_to_string(format!("/proc/{}/stat", boxed.pid().unwrap())).unwrap();
        let keeper = stat.rsplit_once(") ").unwrap().1.split(' ').nth(1).unwrap().parse().unwrap();
        kill_process(Pid::from_raw(keeper).unwrap(), Signal::KILL).unwrap();
        until("ended", || boxed.try_wait().is_some());
        assert!(boxed.is_broken());
        drop(boxed);
        // A program that kills itself, or is killed by us, does not break its box.
        let mut boxed = sandbox.start(&attempts(&["raise", "9"]), &Limits::BOT).unwrap();
        until("ended", || boxed.try_wait().is_some());
        assert!(!boxed.is_broken());
        assert_eq!(boxed.kill(), Exit::Signal(9));
        assert!(!boxed.is_broken());
    });
}

#[test]
fn a_keeper_shows_nothing_of_ours() {
    with_frames(|sandbox| {
        let script = "cat /proc/1/cmdline | tr '\\0' ' '; echo; cat /proc/1/comm
            for f in environ maps mem exe root cwd fd; do cat /proc/1/$f; ls /proc/1/$f/; done; kill -9 1; readlink /proc/1/exe";
        let finished = run_with(sandbox, &shell(script), &Limits::BOT);
        let stdout = text(&finished.stdout);
        let (shown, rest) = stdout.split_at(stdout.find('\n').unwrap() + 1);
        assert_eq!(shown, "init \n", "{stdout}");
        assert!(!rest.contains("agon") && rest.lines().count() == 1, "{stdout}");
    });
}
