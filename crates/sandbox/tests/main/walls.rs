//! What a boxed program cannot see, reach or do.

use std::fs;
use std::os::fd::AsRawFd as _;

use sandbox::{Level, Limits, Program, Sandbox, StartError};

use crate::support::{
    ALL, BOXED, Folder, at_each, attempts, is_root, number, probe, run, run_with, said, shell, text, words,
};

#[test]
fn refused_calls_fail_with_eperm() {
    const REFUSED: [&str; 27] = [
        "socket-inet",
        "socket-udp",
        "socket-inet6",
        "socket-unix",
        "socket-netlink",
        "socket-vsock",
        "pair-datagram",
        "keyctl",
        "add_key",
        "flock",
        "lockf",
        "io_uring",
        "bpf",
        "perf",
        "userfaultfd",
        "ptrace",
        "mount",
        "unshare-user",
        "unshare-net",
        "clone-user",
        "chroot",
        "setsid",
        "setpgid",
        "shmget",
        "setaffinity",
        "inotify",
        #[cfg(target_arch = "x86_64")]
        "32-bit",
        #[cfg(not(target_arch = "x86_64"))]
        "flock",
    ];
    at_each(&BOXED, |sandbox| {
        let finished = run(sandbox, &attempts(&["calls"]));
        for call in REFUSED {
            assert_eq!(said(&finished, call), "-EPERM", "{call} at level {}", sandbox.level());
        }
        assert_eq!(said(&finished, "clone3"), "-ENOSYS");
        // It succeeds without an effect.
        assert_eq!((said(&finished, "setscheduler"), said(&finished, "scheduler")), ("0".into(), "0".into()));
        assert_eq!(said(&finished, "pair-stream"), "0");
    });
}

#[test]
fn the_environment_is_empty() {
    at_each(&ALL, |sandbox| {
        let mut program = attempts(&["env"]);
        program.env = vec![("BOT_SEED".into(), "a=b".into()), ("LANG".into(), "fr_FR".into())];
        let finished = run(sandbox, &program);
        let stdout = text(&finished.stdout);
        let mut names: Vec<&str> = stdout
            .lines()
            .filter_map(|line| line.strip_prefix("env ")?.split_once('='))
            .map(|(name, _)| name)
            .collect();
        names.sort_unstable();
        // Bubblewrap adds the working folder.
        names.retain(|name| *name != "PWD");
        assert_eq!(names, ["BOT_SEED", "HOME", "LANG", "PATH"], "level {}", sandbox.level());
        assert!(stdout.contains("env BOT_SEED=a=b\n") && stdout.contains("env LANG=fr_FR\n"));
    });
    // The first process of a box has an environment too.
    at_each(&[Level::A, Level::B], |sandbox| {
        let finished = run(sandbox, &shell("cat /proc/1/environ; echo; tr '\\0' '\\n' < /proc/1/cmdline"));
        assert!(!text(&finished.stdout).contains("CARGO"), "{}", text(&finished.stdout));
    });
}

#[test]
fn no_descriptor_is_inherited() {
    // Open in this process and not closed on exec.
    let leak = rustix::io::dup(fs::File::open("/dev/null").unwrap()).unwrap();
    assert!(leak.as_raw_fd() > 2);
    at_each(&ALL, |sandbox| {
        let finished = run(sandbox, &attempts(&["fds"]));
        assert_eq!(text(&finished.stdout), "fd 0\nfd 1\nfd 2\n", "level {}", sandbox.level());
    });
}

#[test]
fn no_capability_is_left_and_none_can_be_gained() {
    at_each(&BOXED, |sandbox| {
        let finished =
            run(sandbox, &Program { argv: words(&["cat", "/proc/self/status"]), ..Program::default() });
        let status = text(&finished.stdout);
        let value = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.unwrap_or_else(|| panic!("{name} in {status}")).trim().to_owned()
        };
        for name in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            assert_eq!(value(name), "0000000000000000", "level {}", sandbox.level());
        }
        if is_root() {
            assert_eq!(value("CapBnd"), "0000000000000000", "level {}", sandbox.level());
        }
        assert_eq!((value("NoNewPrivs"), value("Seccomp")), ("1".into(), "2".into()));
        assert!(
            !is_root() || !value("Uid").starts_with("0\t"),
            "a bot of root is somebody else: {}",
            value("Uid")
        );
        assert!(value("Groups").is_empty() || !is_root(), "{}", value("Groups"));
    });
}

#[test]
fn other_processes_are_invisible() {
    at_each(&BOXED, |sandbox| {
        let us = std::process::id().to_string();
        let finished = run(sandbox, &attempts(&["processes", "kill", &us]));
        assert_eq!(number(&finished, "environments"), 0, "level {}", sandbox.level());
        let (seen, kill) = (number(&finished, "processes"), said(&finished, "kill"));
        match sandbox.level() {
            // Itself and the box's first process.
            Level::A | Level::B => {
                assert_eq!(seen, 2);
                assert_eq!(kill, "-ESRCH");
            }
            _ => {
                assert_eq!(seen, 0);
                assert_eq!(kill, "-EPERM");
            }
        }
    });
}

#[test]
fn the_system_is_read_only() {
    let home = std::env::var("HOME").unwrap_or_else(|_| "/root".into());
    at_each(&BOXED, |sandbox| {
        let folder = probe().to_str().unwrap();
        let closed = ["/", "/usr", "/usr/bin", "/etc", "/dev", "/var/tmp", "/sys", folder, &home];
        let mut tries = Vec::new();
        for path in closed {
            tries.extend(["write", path]);
        }
        let finished = run(sandbox, &attempts(&tries));
        for path in closed {
            let result = said(&finished, &format!("write {path}"));
            assert!(result.starts_with('-'), "level {} writes to {path}", sandbox.level());
        }
        let finished = run(sandbox, &attempts(&["chmod", "probe", "chmod", "/usr/bin/env"]));
        assert_eq!(text(&finished.stdout).matches("chmod -").count(), 2, "{}", text(&finished.stdout));
    });
}

#[test]
fn only_needed_files_are_visible() {
    let folder = Folder::new();
    let secret = folder.write("secret", "s", 0o644);
    let secret = secret.to_str().unwrap();
    let own = format!("{}/environ", "/proc/self");
    at_each(&BOXED, |sandbox| {
        let program = shell(&format!("./probe read {secret} read /etc/shadow read /etc/hostname read {own}"));
        let finished = run(sandbox, &program);
        for path in [secret, "/etc/shadow", "/etc/hostname"] {
            let result = said(&finished, &format!("read {path}"));
            assert!(result.starts_with('-'), "level {} reads {path}: {result}", sandbox.level());
        }
    });
}

#[test]
fn a_home_folder_is_never_visible_as_a_whole() {
    // As `python3 bot.py` would be called at home.
    let home = Folder::new();
    home.write("bot.sh", "cat secret; cat bot.sh; pwd", 0o644);
    home.write("secret", "the secret", 0o644);
    let argv = words(&["sh", "bot.sh"]);
    let program = Program { argv, folder: Some(std::env::temp_dir()), ..Program::default() };
    fs::copy(home.0.join("bot.sh"), std::env::temp_dir().join("bot.sh")).unwrap();
    fs::copy(home.0.join("secret"), std::env::temp_dir().join("secret")).unwrap();
    at_each(&BOXED, |sandbox| {
        let finished = run(sandbox, &program);
        let stdout = text(&finished.stdout);
        assert!(!stdout.contains("the secret") && stdout.contains("cat bot.sh"), "{finished:?}");
        assert!(stdout.ends_with(&format!("{}\n", std::env::temp_dir().display())), "{stdout}");
    });
    fs::remove_file(std::env::temp_dir().join("bot.sh")).unwrap();
    fs::remove_file(std::env::temp_dir().join("secret")).unwrap();
}

#[test]
fn named_files_are_visible_with_their_folder() {
    let folder = Folder::new();
    let script = folder.write("bot.sh", ". ${0%/*}/part.sh", 0o644);
    folder.write("part.sh", "echo part of it", 0o644);
    at_each(&ALL, |sandbox| {
        let mut program = shell("");
        program.argv = words(&["sh", script.to_str().unwrap()]);
        assert_eq!(text(&run(sandbox, &program).stdout), "part of it\n", "level {}", sandbox.level());
    });
}

#[test]
fn start_errors_give_the_reason() {
    let folder = Folder::new();
    folder.write("text", "echo", 0o644);
    folder.write("no-interpreter", "#!/no/such/interpreter\n", 0o755);
    folder.write("no-format", "\u{0}neither script nor program", 0o755);
    folder.write("no-first-line", "echo a script $1", 0o755);
    fs::create_dir(folder.0.join("folder")).unwrap();
    at_each(&ALL, |sandbox| {
        let start = |name: &str| {
            let program =
                Program { argv: words(&[name]), folder: Some(folder.0.clone()), ..Program::default() };
            sandbox.start(&program, &Limits::BOT).err()
        };
        let level = sandbox.level();
        for name in ["no-such-program-anywhere", "./missing", ""] {
            assert!(
                matches!(start(name), Some(StartError::NotFound(_))),
                "{name} at level {level}: {:?}",
                start(name)
            );
        }
        let argv = words(&["./no-first-line", "of sorts"]);
        let script = Program { argv, folder: Some(folder.0.clone()), ..Program::default() };
        assert_eq!(text(&run(sandbox, &script).stdout), "a script of sorts\n", "level {level}");
        for name in ["./text", "./no-interpreter", "./no-format", "./folder"] {
            if name == "./no-format" && level < Level::C {
                // Bubblewrap hands it to the shell, which knows nothing to do with it.
                continue;
            }
            let error = start(name);
            assert!(
                matches!(error, Some(StartError::NotExecutable(_))),
                "{name} at level {level}: {error:?}"
            );
        }
        let nowhere =
            Program { argv: words(&["true"]), folder: Some("/no/such/folder".into()), ..Program::default() };
        let error = sandbox.start(&nowhere, &Limits::BOT).err();
        assert!(matches!(error, Some(StartError::NotFound(_))), "{error:?}");
    });
}

#[test]
fn an_unreachable_level_gives_the_reason() {
    // Root reaches every level. `an_ordinary_user_has_sandboxes_too` runs this test as another user.
    if is_root() {
        return;
    }
    let error = Sandbox::new(Some(Level::A)).unwrap_err();
    assert_eq!(error.asked, Some(Level::A));
    assert!(error.to_string().contains("root"), "{error}");
    let best = Sandbox::new(None).unwrap();
    assert!(best.level() != Level::None && best.short_of()[0] == error, "{:?}", best.short_of());
}

#[test]
fn a_compiler_writes_only_to_its_output_folder() {
    let folder = Folder::new();
    folder.write("bot.c", "#include <stdio.h>\nint main(void) { puts(\"compiled\"); return 0; }\n", 0o644);
    at_each(&ALL, |sandbox| {
        let out = folder.0.join(format!("out-{}", sandbox.level()));
        fs::create_dir(&out).unwrap();
        let target = out.join("bot");
        let argv = words(&["cc", "-o", target.to_str().unwrap(), "bot.c"]);
        let program = Program {
            argv,
            folder: Some(folder.0.clone()),
            writable: Some(out.clone()),
            ..Program::default()
        };
        let finished = run_with(sandbox, &program, &Limits::COMPILE);
        assert!(finished.succeeded(), "level {}: {finished:?}", sandbox.level());
        let program = Program { argv: words(&["./bot"]), folder: Some(out), ..Program::default() };
        assert_eq!(text(&run(sandbox, &program).stdout), "compiled\n");
    });
}

#[test]
fn a_compiler_cannot_read_other_files() {
    let folder = Folder::new();
    folder.write("bot.c", "#include \"/etc/passwd\"\n#include \"/etc/hostname\"\n", 0o644);
    let out = Folder::new();
    at_each(&BOXED, |sandbox| {
        let argv = words(&["cc", "-c", "-o", out.0.join("bot.o").to_str().unwrap(), "bot.c"]);
        let program = Program {
            argv,
            folder: Some(folder.0.clone()),
            writable: Some(out.0.clone()),
            ..Program::default()
        };
        let finished = run_with(sandbox, &program, &Limits::COMPILE);
        assert!(!finished.succeeded());
        assert!(!text(&finished.stderr).contains("root:"), "{}", text(&finished.stderr));
    });
}
