//! A box that cannot be started is our fault: the match is void, and nobody has lost.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use play::Runner;
use referee::Ending;
use sandbox::{Level, Sandbox};
use toolchain::{Bot, Builtin};

use crate::{bot_in, builtin, launcher, plan};

/// Runs a part of a test as a program of its own, in a mount namespace of its own where we are root.
fn run_part(name: &str, variables: &[(&str, &OsStr)]) {
    let exe = std::env::current_exe().unwrap();
    let mut part = if rustix::process::geteuid().is_root() {
        let mut part = Command::new("unshare");
        part.args(["--mount", "--propagation", "private"]).arg(exe);
        part
    } else {
        Command::new(exe)
    };
    part.args(["--exact", &format!("start::{name}"), "--ignored", "--nocapture"]);
    let done = part.envs(variables.iter().copied()).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
}

/// Plays a match, and returns why it is void.
fn void(sandbox: &Sandbox, bots: &[Bot]) -> String {
    match Runner::new(sandbox, launcher(), None).play(&plan("ocean-of-code", 1, bots)).ending {
        Ending::Void { why, .. } => why,
        Ending::Over { causes, .. } => panic!("not void at level {}: {causes:?}", sandbox.level()),
    }
}

fn bots(sandbox: &Sandbox) -> [Bot; 2] {
    [bot_in("/bin/sh -c 'read l; echo 1 1; cat > /dev/null'", sandbox), builtin(Builtin::Random)]
}

fn mount(arguments: &[&str]) {
    assert!(Command::new("mount").args(arguments).status().unwrap().success(), "mount {arguments:?}");
}

/// Bubblewrap of this host.
fn bwrap() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("bwrap")).find(|file| file.is_file())
}

/// The levels that use bubblewrap, as far as this host reaches them.
fn wrapped() -> Vec<Sandbox> {
    [Level::A, Level::B].into_iter().filter_map(|level| Sandbox::new(Some(level)).ok()).collect()
}

#[test]
fn a_match_without_bubblewrap_is_void() {
    let folder = testing::scratch();
    if testing::require("bubblewrap", bwrap().is_some()) {
        let rest = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{rest}", folder.path().display());
        let variables = [("PATH", path.as_ref()), ("PLAY_TEST_FOLDER", folder.path().as_os_str())];
        run_part("part_without_bubblewrap", &variables);
    }
}

/// Not a test: `bwrap` is first one that works, then one that ends at once, one that fails with a message, none.
#[test]
#[ignore = "a part of another test"]
fn part_without_bubblewrap() {
    let real = bwrap().unwrap();
    let fake = Path::new(&std::env::var("PLAY_TEST_FOLDER").unwrap()).join("bwrap");
    std::os::unix::fs::symlink(&real, &fake).unwrap();
    // Level A makes its boxes itself where it can.
    let sandboxes: Vec<Sandbox> =
        wrapped().into_iter().filter(|sandbox| sandbox.frames_made() == 0).collect();
    assert!(!sandboxes.is_empty());
    let replace = |by: &str| {
        let _first = fs::remove_file(&fake);
        std::os::unix::fs::symlink(by, &fake).unwrap();
    };
    let script = fake.with_file_name("script");
    for sandbox in &sandboxes {
        let bots = bots(sandbox);
        replace("/bin/false");
        assert!(void(sandbox, &bots).contains("bubblewrap ended"));
        for said in ["setting up uid map: Permission denied", "execvp /bin/sh: Cannot allocate memory"] {
            fs::write(&script, format!("#!/bin/sh\necho 'bwrap: {said}' >&2; exit 1\n")).unwrap();
            fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
            replace(script.to_str().unwrap());
            let why = void(sandbox, &bots);
            assert!(why.contains(said.rsplit(": ").next().unwrap()), "{why}");
        }
        replace("/no/such/file");
        void(sandbox, &bots);
        replace(real.to_str().unwrap());
    }
}

#[test]
fn a_match_without_control_groups_is_void() {
    let is_level_a = Sandbox::new(Some(Level::A)).is_ok();
    if testing::require("a box of level a", is_level_a) {
        run_part("part_without_control_groups", &[]);
    }
}

/// Not a test: no control group can be made, since their folder is read-only.
#[test]
#[ignore = "a part of another test"]
fn part_without_control_groups() {
    let sandbox = Sandbox::new(Some(Level::A)).unwrap();
    let bots = bots(&sandbox);
    mount(&["-t", "tmpfs", "-o", "ro", "none", "/sys/fs/cgroup"]);
    let why = void(&sandbox, &bots);
    assert!(why.contains("/sys/fs/cgroup"), "{why}");
}

#[test]
fn a_full_disk_is_not_the_fault_of_a_bot() {
    let folder = testing::scratch();
    if testing::require("root, to mount a small disk", rustix::process::geteuid().is_root()) {
        run_part("part_with_a_full_disk", &[("TMPDIR", folder.path().as_os_str())]);
    }
}

/// Not a test: the folder for temporary files is full.
#[test]
#[ignore = "a part of another test"]
fn part_with_a_full_disk() {
    let sandboxes = wrapped();
    assert!(!sandboxes.is_empty());
    let bots: Vec<[Bot; 2]> = sandboxes.iter().map(bots).collect();
    let folder = std::env::temp_dir();
    mount(&["-t", "tmpfs", "-o", "size=16k", "none", folder.to_str().unwrap()]);
    let full = fs::write(folder.join("full"), vec![0; 64 << 10]).unwrap_err();
    assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    for (sandbox, bots) in sandboxes.iter().zip(&bots) {
        let played = Runner::new(sandbox, launcher(), None).play(&plan("ocean-of-code", 1, bots));
        let is_started = played.start[0].is_some();
        assert!(is_started || matches!(played.ending, Ending::Void { .. }), "{:?}", played.ending);
    }
}
