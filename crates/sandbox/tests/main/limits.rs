//! What a boxed program may use, and not more.

use std::fs;

use sandbox::{Exit, Level, Limits};

use crate::support::{
    ALL, BOXED, at_each, attempts, is_root, number, processes_with, run, run_with, said, text, unique, until,
};

#[test]
fn memory_is_limited() {
    let limits = Limits { memory: 64 << 20, ..Limits::BOT };
    at_each(&BOXED, |sandbox| {
        let finished = run_with(sandbox, &attempts(&["memory", "200"]), &limits);
        if finished.memory_exceeded {
            assert_eq!(finished.exit, Exit::Signal(9), "level {}", sandbox.level());
            let peak = finished.peak_memory.unwrap();
            assert!((60 << 20..=64 << 20).contains(&peak), "{peak}");
        } else {
            // Without a control group, the allocation fails.
            assert_ne!(sandbox.level(), Level::A);
            let used = number(&finished, "memory");
            assert!((40..=64).contains(&used), "{used} MiB at level {}", sandbox.level());
        }
        let finished = run_with(sandbox, &attempts(&["memory", "30"]), &limits);
        assert_eq!(finished.exit, Exit::Code(0), "level {}", sandbox.level());
        assert!(!finished.memory_exceeded);
    });
}

#[test]
fn temporary_files_are_limited() {
    let limits = Limits { tmp_bytes: 4 << 20, file_bytes: 2 << 20, ..Limits::BOT };
    at_each(&[Level::A, Level::B], |sandbox| {
        let finished = run_with(sandbox, &attempts(&["fill", "/tmp"]), &limits);
        let filled = number(&finished, "filled");
        assert!((3 << 20..=4 << 20).contains(&filled), "{filled}");
        let finished = run_with(sandbox, &attempts(&["fill", "/dev/shm"]), &limits);
        assert!(number(&finished, "filled") <= 4 << 20);
        let finished = run_with(sandbox, &attempts(&["large", "/tmp/large", "3000000"]), &limits);
        assert_eq!(said(&finished, "large"), "-EFBIG");
    });
    at_each(&[Level::C], |sandbox| {
        for place in ["/tmp", "/dev/shm", "/var/tmp", "."] {
            let finished = run_with(sandbox, &attempts(&["fill", place]), &limits);
            assert_eq!(number(&finished, "filled"), 0, "{place}");
        }
    });
}

#[test]
fn processes_are_limited() {
    let limits = Limits { processes: 10, ..Limits::BOT };
    at_each(&BOXED, |sandbox| {
        let finished = run_with(sandbox, &attempts(&["forks"]), &limits);
        let forked = number(&finished, "forked");
        if sandbox.level() == Level::C && !is_root() {
            // Counted with all other processes of this user.
            assert!(forked < 5000, "{forked}");
        } else {
            assert!((8..=10).contains(&forked), "{forked} at level {}", sandbox.level());
        }
    });
}

#[test]
fn a_fork_bomb_is_killed() {
    at_each(&BOXED, |sandbox| {
        let name = unique();
        let mut boxed = sandbox.start(&attempts(&["bomb", &name]), &Limits::BOT).unwrap();
        until("many processes", || processes_with(&name).len() > 30);
        let began = std::time::Instant::now();
        boxed.kill();
        println!("level {}: a fork bomb was gone after {:?}", sandbox.level(), began.elapsed());
        assert_eq!(processes_with(&name), Vec::<String>::new(), "level {}", sandbox.level());
    });
}

#[test]
fn open_files_are_limited() {
    at_each(&BOXED, |sandbox| {
        let finished = run_with(sandbox, &attempts(&["files"]), &Limits { open_files: 20, ..Limits::BOT });
        assert_eq!(number(&finished, "opened"), 17, "level {}", sandbox.level());
    });
}

#[test]
fn cpu_time_is_limited() {
    let limits = Limits { cpu_seconds: Some(1), ..Limits::BOT };
    at_each(&BOXED, |sandbox| {
        let finished = run_with(sandbox, &attempts(&["burn", "5000"]), &limits);
        assert!(matches!(finished.exit, Exit::Signal(9 | 24)), "{:?}", finished.exit);
    });
}

#[test]
fn a_program_stays_on_its_core() {
    let cores = rustix::thread::sched_getaffinity(None).unwrap();
    let first = (0..1024).find(|&core| cores.is_set(core)).unwrap();
    let limits = Limits { cores: vec![first], ..Limits::BOT };
    at_each(&BOXED, |sandbox| {
        let finished = run_with(sandbox, &attempts(&["calls"]), &limits);
        // It has tried to take all of them before.
        assert_eq!(number(&finished, "cores"), 1, "level {}", sandbox.level());
    });
    at_each(&ALL, |sandbox| {
        let finished =
            run_with(sandbox, &crate::support::shell("grep Cpus_allowed_list /proc/self/status"), &limits);
        if sandbox.level() != Level::C {
            assert_eq!(text(&finished.stdout), format!("Cpus_allowed_list:\t{first}\n"));
        }
    });
}

#[test]
fn a_host_short_of_memory_kills_bots_first() {
    at_each(&BOXED, |sandbox| {
        let finished = run(sandbox, &crate::support::shell("exec cat /proc/self/oom_score_adj"));
        assert_eq!(text(&finished.stdout), "1000\n", "level {}", sandbox.level());
    });
}

#[test]
fn no_control_group_remains() {
    if !testing::require("root, which may make control groups", is_root()) {
        return;
    }
    let before = groups();
    at_each(&BOXED, |sandbox| {
        let boxed = sandbox.start(&attempts(&["sleep"]), &Limits::BOT).unwrap();
        drop(boxed);
    });
    let left: Vec<String> = groups().into_iter().filter(|group| !before.contains(group)).collect();
    // Other tests of this process run at the same time and have groups of their own; ours are gone with their boxes.
    until("gone", || left.iter().all(|group| !std::path::Path::new(group).exists()));
}

fn groups() -> Vec<String> {
    let ours = format!("agon-box-{}-", std::process::id());
    let mut found = Vec::new();
    let mut folders = vec![std::path::PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if entry.file_name().to_string_lossy().starts_with(&ours) {
                    found.push(entry.path().to_string_lossy().into_owned());
                }
                folders.push(entry.path());
            }
        }
    }
    found
}
