//! What an admin installed is out of sight: `/usr/local`, and our own command wherever it is.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use sandbox::Program;

use crate::support::{BOXED, Folder, at_each, is_root, probe, run, shell, text, words};

#[test]
fn a_command_in_path_is_out_of_reach() {
    let folder = Folder::new();
    folder.write("agon", "#!/bin/sh\necho champion\n", 0o755);
    let script = format!("agon; {0}/agon; PATH={0}:$PATH agon; echo $PATH", folder.0.display());
    at_each(&BOXED, |sandbox| {
        let finished = run(sandbox, &shell(&script));
        let stdout = text(&finished.stdout);
        assert!(!stdout.contains("champion"), "level {}: {stdout}", sandbox.level());
        assert!(!stdout.contains("/usr/local"), "level {}: {stdout}", sandbox.level());
    });
}

/// The host of this test has our command in `/usr/local/bin` and in `/usr/bin`, and a language in `/usr/local/bin`. Both
/// folders are those of a mount namespace that ends with the test.
#[test]
fn our_own_command_is_in_no_box() {
    if !is_root() {
        return;
    }
    let folder = Folder::new();
    let script = "set -e
        mount -t tmpfs none $1
        mkdir $1/up $1/work
        mount -t overlay overlay -o lowerdir=/usr/bin,upperdir=$1/up,workdir=$1/work /usr/bin
        mount -t tmpfs none /usr/local
        mkdir -p /usr/local/bin /usr/local/lib/lang
        printf '#!/bin/sh\\necho champion\\n' > /usr/local/bin/agon
        printf '#!/bin/sh\\ncat /usr/local/lib/lang/words $1; agon; /usr/bin/agon; /usr/local/bin/agon\\n' > /usr/local/bin/lang
        echo spoken > /usr/local/lib/lang/words
        chmod 755 /usr/local /usr/local/bin /usr/local/bin/*
        cp /usr/local/bin/agon /usr/bin/agon
        exec \"$2\" --exact hidden::part_with_our_command --ignored --nocapture";
    let exe = std::env::current_exe().unwrap();
    let done = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "sh", "-c", script, "sh"])
        .args([folder.0.as_path(), &exe])
        .env("BOX_TEST_PROBE", probe())
        .output()
        .unwrap();
    let said = text(&done.stdout) + &text(&done.stderr);
    let mounts = !said.contains("mount:") && !said.contains("unshare:");
    if testing::require("a mount namespace with overlays", mounts) {
        assert!(done.status.success() && said.contains("1 passed"), "{said}");
    }
}

/// Not a test: a part of [`our_own_command_is_in_no_box`].
#[test]
#[ignore = "a part of another test"]
fn part_with_our_command() {
    for file in ["/usr/bin/agon", "/usr/local/bin/agon"] {
        assert!(Path::new(file).is_file());
    }
    let folder = Folder::new();
    let bot = folder.write("bot.lang", "as told\n", 0o644);
    let copy = folder.0.join("agon");
    fs::copy("/usr/local/bin/agon", &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    at_each(&BOXED, |sandbox| {
        let level = sandbox.level();
        let script =
            "agon; /usr/bin/agon; /bin/agon; /usr/local/bin/agon; /usr/local/bin/lang; ls /usr/local/bin";
        let finished = run(sandbox, &shell(script));
        assert_eq!(text(&finished.stdout), "", "level {level}: {}", text(&finished.stderr));
        // The files of a language in `/usr/local` are shown to its programs.
        let argv = words(&["lang", bot.to_str().unwrap()]);
        let finished = run(sandbox, &Program { argv, ..Program::default() });
        assert_eq!(text(&finished.stdout), "spoken\nas told\n", "level {level}: {}", text(&finished.stderr));
        // The command itself can be run: that is how our own bots are started.
        let own = Program { argv: words(&["/usr/local/bin/agon"]), ..Program::default() };
        assert_eq!(text(&run(sandbox, &own).stdout), "champion\n", "level {level}");
    });
}
