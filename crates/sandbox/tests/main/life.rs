//! From the start of a program to its end, and to ours.

use std::io::{BufRead as _, BufReader};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use sandbox::{Boxed, Exit, Level, Limits, Sandbox};

use crate::support::{
    ALL, BOXED, Folder, LONG, at_each, attempts, is_root, probe, processes_with, run, shell, text, unique,
    until,
};

#[test]
fn exit_codes_and_signals_are_reported() {
    at_each(&ALL, |sandbox| {
        let check = |words: &[&str], expected: Exit| {
            let finished = run(sandbox, &attempts(words));
            assert_eq!(finished.exit, expected, "{words:?} at level {}", sandbox.level());
        };
        check(&["exit", "0"], Exit::Code(0));
        check(&["exit", "7"], Exit::Code(7));
        check(&["exit", "255"], Exit::Code(255));
        check(&["crash"], Exit::Signal(libc::SIGSEGV));
        check(&["abort"], Exit::Signal(libc::SIGABRT));
        check(&["raise", "15"], Exit::Signal(libc::SIGTERM));
        check(&["raise", "9"], Exit::Signal(libc::SIGKILL));
    });
}

#[test]
fn input_and_output_are_passed_on() {
    at_each(&ALL, |sandbox| {
        let input = vec![b'x'; 300_000];
        let finished =
            sandbox.run(&shell("cat; echo done >&2"), &Limits::BOT, &input, LONG, 1 << 20).unwrap();
        assert!(finished.stdout == input, "{} bytes came back", finished.stdout.len());
        assert_eq!((text(&finished.stderr), finished.exit), ("done\n".into(), Exit::Code(0)));
    });
}

#[test]
fn output_over_the_limit_is_discarded() {
    at_each(&ALL, |sandbox| {
        let program = shell("head -c 1000000 /dev/zero; head -c 500000 /dev/zero >&2");
        let finished = sandbox.run(&program, &Limits::BOT, b"", LONG, 1000).unwrap();
        assert_eq!((finished.stdout.len(), finished.stdout_cut), (1000, 999_000));
        assert_eq!((finished.stderr.len(), finished.stderr_cut), (1000, 499_000));
        assert_eq!(finished.exit, Exit::Code(0), "level {}", sandbox.level());
    });
}

#[test]
fn a_program_that_does_not_end_is_killed() {
    at_each(&ALL, |sandbox| {
        // It never reads either.
        let wall = Duration::from_millis(50);
        let finished = sandbox.run(&attempts(&["sleep"]), &Limits::BOT, &vec![0; 1 << 20], wall, 10).unwrap();
        assert!(finished.timed_out && !finished.succeeded());
        assert_eq!(finished.exit, Exit::Signal(9));
        assert!(finished.wall >= wall && finished.wall < LONG, "{:?}", finished.wall);
    });
}

#[test]
fn pipes_do_not_block_and_are_not_inherited() {
    at_each(&ALL, |sandbox| {
        let boxed = sandbox.start(&attempts(&["sleep"]), &Limits::BOT).unwrap();
        for end in [&boxed.stdin, &boxed.stdout, &boxed.stderr] {
            let end = end.as_ref().unwrap();
            assert!(rustix::fs::fcntl_getfl(end).unwrap().contains(rustix::fs::OFlags::NONBLOCK));
            assert!(rustix::io::fcntl_getfd(end).unwrap().contains(rustix::io::FdFlags::CLOEXEC));
        }
    });
}

#[test]
fn the_end_can_be_waited_for() {
    at_each(&ALL, |sandbox| {
        let mut boxed = sandbox.start(&shell("read line; exit 3"), &Limits::BOT).unwrap();
        assert_eq!(boxed.try_wait(), None);
        rustix::io::write(boxed.stdin.as_ref().unwrap(), b"go\n").unwrap();
        let patience = Timespec { tv_sec: LONG.as_secs() as i64, tv_nsec: 0 };
        let fd = boxed.pidfd();
        assert_eq!(poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::IN)], Some(&patience)), Ok(1));
        assert_eq!(boxed.try_wait(), Some(Exit::Code(3)), "level {}", sandbox.level());
        assert_eq!(boxed.kill(), Exit::Code(3));
        assert_eq!((boxed.kill(), boxed.try_wait()), (Exit::Code(3), Some(Exit::Code(3))));
    });
}

#[test]
fn a_killed_sandbox_has_no_processes() {
    at_each(&ALL, |sandbox| {
        let name = unique();
        let script =
            format!("./probe sleep {name} & ./probe sleep {name} & ./probe daemon {name} sleep {name}");
        let mut program = shell(&script);
        if sandbox.level() == Level::None {
            // A plain process may leave its group, and is not held.
            program = shell(&format!("./probe sleep {name} & ./probe sleep {name} & ./probe sleep {name}"));
        }
        let mut boxed = sandbox.start(&program, &Limits::BOT).unwrap();
        let expected = if sandbox.level() == Level::None { 3 } else { 4 };
        until("started", || processes_with(&name).len() >= expected);
        let began = Instant::now();
        assert_eq!(boxed.kill(), Exit::Signal(9));
        println!("level {}: empty after {:?}", sandbox.level(), began.elapsed());
        assert_eq!(processes_with(&name), Vec::<String>::new(), "level {}", sandbox.level());
    });
}

#[test]
fn remaining_processes_end_with_the_sandbox() {
    at_each(&ALL, |sandbox| {
        let name = unique();
        let mut boxed =
            sandbox.start(&shell(&format!("./probe sleep {name} & exit 4")), &Limits::BOT).unwrap();
        until("ended", || boxed.try_wait().is_some());
        assert_eq!(boxed.kill(), Exit::Code(4), "level {}", sandbox.level());
        assert_eq!(processes_with(&name), Vec::<String>::new(), "level {}", sandbox.level());
        let boxed = sandbox.start(&attempts(&["sleep", &name]), &Limits::BOT).unwrap();
        drop(boxed);
        assert_eq!(processes_with(&name), Vec::<String>::new(), "dropped at level {}", sandbox.level());
    });
}

#[test]
fn a_frozen_sandbox_does_not_run() {
    at_each(&ALL, |sandbox| {
        let mut boxed = sandbox.start(&attempts(&["count"]), &Limits::BOT).unwrap();
        let stdout = boxed.stdout.take().unwrap();
        until("counting", || drain(&stdout) > 0);
        boxed.freeze();
        // What was on its way may still come.
        std::thread::sleep(Duration::from_millis(50));
        drain(&stdout);
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(drain(&stdout), 0, "level {}", sandbox.level());
        boxed.thaw();
        until("counting again", || drain(&stdout) > 0);
        boxed.freeze();
        assert_eq!(boxed.try_wait(), None);
        assert_eq!(boxed.kill(), Exit::Signal(9));
    });
}

fn drain(pipe: &OwnedFd) -> usize {
    let mut buffer = [0; 4096];
    let mut total = 0;
    while let Ok(count @ 1..) = rustix::io::read(pipe, &mut buffer[..]) {
        total += count;
    }
    total
}

#[test]
fn cpu_time_is_the_programs_own() {
    at_each(&ALL, |sandbox| {
        let mut boxed =
            sandbox.start(&shell("read line; exec ./probe burn 200 sleep"), &Limits::BOT).unwrap();
        let before = boxed.cpu_time().unwrap();
        assert!(before < Duration::from_millis(100), "{before:?} at level {}", sandbox.level());
        rustix::io::write(boxed.stdin.as_ref().unwrap(), b"go\n").unwrap();
        let stdout = boxed.stdout.take().unwrap();
        until("burnt", || drain(&stdout) > 0);
        let after = boxed.cpu_time().unwrap();
        assert!((199..400).contains(&after.as_millis()), "{after:?} at level {}", sandbox.level());
        if let Some(all) = boxed.cpu_time_of_all() {
            assert!(all >= Duration::from_millis(199), "{all:?}");
        }
        assert!(boxed.peak_memory().unwrap() > 100_000, "level {}", sandbox.level());
        boxed.kill();
        assert_eq!(boxed.cpu_time(), None);
    });
}

#[test]
fn the_thread_that_starts_a_program_may_end() {
    at_each(&ALL, |sandbox| {
        let start = || sandbox.start(&attempts(&["sleep"]), &Limits::BOT).unwrap();
        let mut boxed: Boxed = std::thread::scope(|scope| scope.spawn(start).join().unwrap());
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(boxed.try_wait(), None, "level {}", sandbox.level());
    });
}

#[test]
fn many_sandboxes_at_once() {
    at_each(&ALL, |sandbox| {
        std::thread::scope(|scope| {
            for thread in 0..6 {
                scope.spawn(move || {
                    for turn in 0..10 {
                        let code = (thread * 10 + turn).to_string();
                        let finished = run(sandbox, &attempts(&["exit", &code]));
                        assert_eq!(
                            finished.exit,
                            Exit::Code(thread * 10 + turn),
                            "level {}",
                            sandbox.level()
                        );
                    }
                });
            }
        });
    });
}

/// Not a test: what `no_process_outlives_the_starter` kills. Starts a box and waits.
#[test]
#[ignore = "a part of another test"]
fn part_start_and_wait() {
    let level: Level = std::env::var("BOX_TEST_LEVEL").unwrap().parse().unwrap();
    let name = std::env::var("BOX_TEST_NAME").unwrap();
    let sandbox = Sandbox::new(Some(level)).unwrap();
    let script = format!("./probe sleep {name} & exec ./probe daemon {name} sleep {name}");
    let boxed = sandbox.start(&shell(&script), &Limits::BOT).unwrap();
    until("started", || processes_with(&name).len() >= 3);
    if std::env::var("BOX_TEST_FROZEN").is_ok() {
        boxed.freeze();
    }
    println!("ready");
    std::thread::sleep(LONG * 10);
}

#[test]
fn no_process_outlives_the_starter() {
    for frozen in [false, true] {
        at_each(&ALL, |sandbox| outlives(sandbox.level(), frozen));
    }
}

fn outlives(level: Level, frozen: bool) {
    let name = unique();
    let mut us = Command::new(std::env::current_exe().unwrap());
    us.args(["--exact", "life::part_start_and_wait", "--ignored", "--nocapture"])
        .env("BOX_TEST_LEVEL", level.to_string())
        .env("BOX_TEST_NAME", &name)
        .env("BOX_TEST_PROBE", probe())
        .stdout(Stdio::piped());
    if frozen {
        us.env("BOX_TEST_FROZEN", "yes");
    }
    let mut us = us.spawn().unwrap();
    let mut lines = BufReader::new(us.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().ends_with("ready")), "level {level}");
    us.kill().unwrap();
    // A plain process that makes itself a daemon is not held; nobody else takes it away.
    let daemons = usize::from(level == Level::None);
    let took = until("gone", || processes_with(&name).len() <= daemons);
    us.wait().unwrap();
    println!("level {level}{}: gone {took:?} after the kill", if frozen { ", frozen" } else { "" });
    for process in processes_with(&name) {
        println!("still there, and killed by its name: {process}");
    }
    kill_processes_with(&name);
}

fn kill_processes_with(name: &str) {
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let pid = entry.file_name().to_string_lossy().parse().ok().and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid.filter(|_| text(&words).split('\0').any(|word| word == name)) {
            let _gone = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

/// Runs all tests again as an ordinary user.
#[test]
fn an_ordinary_user_has_sandboxes_too() {
    // An ordinary user runs the tests as such already. The levels that it lacks make the other tests fail in strict mode.
    if !is_root() {
        return;
    }
    let setpriv = Command::new("setpriv").arg("--version").output();
    if !testing::require("setpriv", setpriv.is_ok_and(|version| version.status.success())) {
        return;
    }
    let folder = Folder::new();
    let copy = folder.0.join("tests");
    std::fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&copy)
        .args(["--test-threads=2", "--nocapture"])
        .current_dir("/")
        .env("HOME", "/nonexistent")
        .env("BOX_TEST_PROBE", probe())
        // An ordinary user does not reach every level. The programs that the tests need were required before.
        .env_remove("AGON_TEST_STRICT")
        .stdout(Stdio::piped());
    // Another test may be starting a process just now, which holds the copy open for writing until it is its own: then the copy
    // cannot be run yet, and nothing is printed.
    for _ in 0..20 {
        let mut tests = command.spawn().unwrap();
        let mut printed = 0;
        for line in BufReader::new(tests.stdout.take().unwrap()).lines() {
            println!("  nobody: {}", line.unwrap());
            printed += 1;
        }
        let ended = tests.wait().unwrap();
        if printed > 0 {
            assert!(ended.success());
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the tests could not be started as an ordinary user");
}

#[test]
fn the_strongest_level_is_chosen() {
    let best = BOXED.into_iter().find(|level| Sandbox::new(Some(*level)).is_ok());
    assert_eq!(Sandbox::new(None).ok().map(|sandbox| sandbox.level()), best);
}

#[test]
fn the_doctor_reports() {
    let report = sandbox::doctor();
    let best = Sandbox::new(None).map_or(Level::None, |sandbox| sandbox.level());
    assert_eq!(report.level, best);
    assert!(report.cores >= 1 && report.bots_at_once >= 1 && report.clock.max >= report.clock.p50);
    let read: sandbox::Report = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(read, report);
    let text = report.to_string();
    for word in ["level a", "bubblewrap", "landlock", "seccomp", "Clock:", "Cores:"] {
        assert!(text.contains(word), "{text}");
    }
}
