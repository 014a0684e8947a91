//! `cargo xtask dist`: the release for `x86_64` Linux, as a tarball, as a Debian package and as a Python wheel, and its check in bare
//! Debian roots.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::shell::{self, root};
use crate::{prepare, python};

/// The oldest glibc that the command runs with: that of Debian 10.
const GLIBC: &str = "2.28";
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// The Debian releases in which the check runs.
const RELEASES: [&str; 2] = ["bullseye", "bookworm"];

/// Makes the release in `target/dist`; with `--check` it is also run, installed, upgraded and removed in bare Debian roots.
pub(crate) fn dist(flags: &[&str]) -> Result<(), String> {
    if let Some(unknown) = flags.iter().find(|flag| **flag != "--check") {
        return Err(format!("there is no flag `{unknown}`"));
    }
    let folder = root().join("target/dist");
    make_folder(&folder)?;
    let began = Instant::now();
    let zig = Zig::prepare(&folder)?;
    let binary = build(&zig)?;
    println!("built in {} s", began.elapsed().as_secs());
    let version = version()?;
    let tarball = tarball(&folder, &binary, &version)?;
    let package = package(&folder, &folder.join(name(&version)), &version)?;
    prepare::for_python(prepare::Install::AsRoot)?;
    let wheel = python::portable(&binary, GLIBC, TARGET, &folder, &zig.variables())?;
    for file in [&binary, &tarball, &package, &wheel] {
        let bytes = fs::metadata(file).map_err(at(file))?.len();
        println!("{}: {:.1} MB", file.display(), bytes as f64 / 1e6);
    }
    if flags.contains(&"--check") { check(&folder, &tarball, &package, &version) } else { Ok(()) }
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(at(path))
}

/// The version of the workspace.
fn version() -> Result<String, String> {
    let path = root().join("Cargo.toml");
    let manifest = fs::read_to_string(&path).map_err(at(&path))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    line.and_then(|rest| rest.split('"').next())
        .map(str::to_owned)
        .ok_or_else(|| "Cargo.toml has no version".to_owned())
}

/// The name of the folder in the tarball.
fn name(version: &str) -> String {
    format!("agon-{version}-x86_64-linux")
}

/// `zig` and `cargo-zigbuild`: the compiler and linker that know old versions of glibc.
struct Zig {
    /// The folders of programs.
    path: String,
    /// The folder of the Python packages.
    packages: String,
}

impl Zig {
    /// Takes both from `PyPI` where they are not installed.
    fn prepare(folder: &Path) -> Result<Zig, String> {
        let tools = folder.join("tools");
        let packages = tools.display().to_string();
        let mut path = std::env::var("PATH").unwrap_or_default();
        if !shell::works("cargo-zigbuild", &["--version"]) {
            if !tools.join("bin/cargo-zigbuild").is_file() {
                let words = ["-m", "pip", "install", "--quiet", "--target", &packages];
                shell::run("python3", &[&words[..], &["cargo-zigbuild", "ziglang"]].concat())?;
            }
            path = format!("{}:{path}", tools.join("bin").display());
        }
        Ok(Zig { path, packages })
    }

    /// The variables with which a build finds both.
    fn variables(&self) -> [(&str, &str); 2] {
        [("PATH", &self.path), ("PYTHONPATH", &self.packages)]
    }
}

/// Builds the command against an old glibc.
fn build(zig: &Zig) -> Result<PathBuf, String> {
    let target = format!("{TARGET}.{GLIBC}");
    let words =
        ["zigbuild", "--release", "--locked", "--package", "cli", "--bin", "agon", "--target", &target];
    let mut command = shell::command("cargo", &words);
    command.envs(zig.variables());
    shell::finish(command)?;
    Ok(shell::target().join(TARGET).join("release/agon"))
}

/// The tarball: the command, its manual pages and completions, the example of the settings and of the unit.
fn tarball(folder: &Path, binary: &Path, version: &str) -> Result<PathBuf, String> {
    let name = name(version);
    let staged = folder.join(&name);
    if staged.exists() {
        fs::remove_dir_all(&staged).map_err(at(&staged))?;
    }
    make_folder(&staged.join("completions"))?;
    copy(binary, &staged.join("agon"), 0o755)?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root().join(file), &staged.join(file), 0o644)?;
    }
    for file in ["agon.toml", "agon.service"] {
        copy(&root().join("docs/arena").join(file), &staged.join(file), 0o644)?;
    }
    let (command, man) = (binary.display().to_string(), staged.join("man").display().to_string());
    shell::run(&command, &["man", &man])?;
    for (shell_name, file) in [("bash", "agon"), ("zsh", "_agon"), ("fish", "agon.fish")] {
        let script = shell::read(&command, &["completions", shell_name])?;
        let path = staged.join("completions").join(file);
        fs::write(&path, script).map_err(at(&path))?;
    }
    let tarball = folder.join(format!("{name}.tar.gz"));
    let (place, file) = (folder.display().to_string(), tarball.display().to_string());
    shell::run("tar", &["-C", &place, "--owner=0", "--group=0", "-czf", &file, &name])?;
    Ok(tarball)
}

fn copy(from: &Path, to: &Path, mode: u32) -> Result<(), String> {
    if let Some(folder) = to.parent() {
        make_folder(folder)?;
    }
    fs::copy(from, to).map_err(at(from))?;
    fs::set_permissions(to, fs::Permissions::from_mode(mode)).map_err(at(to))
}

/// The Debian package of the files of the tarball.
fn package(folder: &Path, staged: &Path, version: &str) -> Result<PathBuf, String> {
    let tree = folder.join("deb");
    if tree.exists() {
        fs::remove_dir_all(&tree).map_err(at(&tree))?;
    }
    copy(&staged.join("agon"), &tree.join("usr/bin/agon"), 0o755)?;
    copy(&staged.join("agon.toml"), &tree.join("etc/agon/agon.toml"), 0o600)?;
    let unit = tree.join("lib/systemd/system/agon.service");
    copy(&staged.join("agon.service"), &unit, 0o644)?;
    let text = fs::read_to_string(&unit).map_err(at(&unit))?.replace("/usr/local/bin/agon", "/usr/bin/agon");
    fs::write(&unit, text).map_err(at(&unit))?;
    for (file, place) in [
        ("agon", "usr/share/bash-completion/completions/agon"),
        ("_agon", "usr/share/zsh/vendor-completions/_agon"),
        ("agon.fish", "usr/share/fish/vendor_completions.d/agon.fish"),
    ] {
        copy(&staged.join("completions").join(file), &tree.join(place), 0o644)?;
    }
    let doc = tree.join("usr/share/doc/agon");
    copy(&staged.join("CHANGELOG.md"), &doc.join("CHANGELOG.md"), 0o644)?;
    copy(&staged.join("LICENSE-MIT"), &doc.join("copyright"), 0o644)?;
    let man = tree.join("usr/share/man/man1");
    let pages = staged.join("man");
    for page in fs::read_dir(&pages).map_err(at(&pages))?.flatten() {
        let to = man.join(page.file_name());
        copy(&page.path(), &to, 0o644)?;
        shell::run("gzip", &["-9n", &to.display().to_string()])?;
    }
    let control = format!(
        "Package: agon\nVersion: {version}\nArchitecture: amd64\nMaintainer: Agon <agon@localhost>\nSection: games\nPriority: optional\n\
         Depends: libc6 (>= {GLIBC})\nSuggests: g++, python3, default-jdk-headless, nodejs, rustc, mono-mcs\n\
         Description: bot battles\n Agon plays bots against each other at games: fairly, fast and reproducibly, in the terminal,\n \
         in the browser and as an arena for a class or a contest.\n"
    );
    make_folder(&tree.join("DEBIAN"))?;
    for (file, text) in [("control", control.as_str()), ("conffiles", "/etc/agon/agon.toml\n")] {
        let path = tree.join("DEBIAN").join(file);
        fs::write(&path, text).map_err(at(&path))?;
    }
    for script in ["postinst", "prerm", "postrm"] {
        copy(&root().join("packaging").join(script), &tree.join("DEBIAN").join(script), 0o755)?;
    }
    let package = folder.join(format!("agon_{version}_amd64.deb"));
    let (tree, file) = (tree.display().to_string(), package.display().to_string());
    shell::run("dpkg-deb", &["--root-owner-group", "-Zxz", "--build", &tree, &file])?;
    Ok(package)
}

/// Runs the command of the tarball, then installs, upgrades, removes and purges the package in bare Debian roots. It needs root
/// and `debootstrap`.
fn check(folder: &Path, tarball: &Path, package: &Path, version: &str) -> Result<(), String> {
    for release in RELEASES {
        let place = folder.join("roots").join(release);
        let shown = place.display().to_string();
        if !place.join("usr/bin/dpkg").is_file() {
            make_folder(&place)?;
            shell::run("debootstrap", &["--variant=minbase", release, &shown])?;
        }
        let name = name(version);
        shell::run(
            "tar",
            &["-C", &place.join("tmp").display().to_string(), "-xzf", &tarball.display().to_string()],
        )?;
        copy(package, &place.join("tmp/agon.deb"), 0o644)?;
        let game = shell::games()?.into_iter().next().unwrap_or_default();
        let script = CHECK.replace("NAME", &name).replace("VERSION", version).replace("GAME", &game);
        // The root has its own processes and its own `/proc`, which are gone with the last process of the check.
        let inside = "mount -t proc proc \"$0/proc\"; exec chroot \"$0\" sh -euxc \"$1\"";
        let own = ["--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", inside];
        shell::run("unshare", &[&own[..], &[shown.as_str(), script.as_str()]].concat())?;
        println!(
            "{release}: the tarball runs; the package installs, is upgraded with its data kept, and is removed"
        );
    }
    Ok(())
}

/// The check inside a root. There is no systemd in it: the server is started as the unit starts it.
const CHECK: &str = r#"
/tmp/NAME/agon --version | grep -F "VERSION"
/tmp/NAME/agon play GAME @random @random --sandbox none --seed 1 > /dev/null
dpkg --purge agon 2> /dev/null || true
dpkg -i /tmp/agon.deb
test "$(stat -c %a /etc/agon/agon.toml)" = 600
test -s /usr/share/man/man1/agon-play.1.gz
test -s /usr/share/bash-completion/completions/agon
grep -q '^ExecStart=/usr/bin/agon serve' /lib/systemd/system/agon.service
mkdir -p /var/lib/agon
start() {
    : > /tmp/agon.log
    agon serve --config /etc/agon/agon.toml --listen 127.0.0.1:18089 --allow-weak-sandbox > /tmp/agon.log 2>&1 &
    server=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        if grep -q '^http://' /tmp/agon.log; then break; fi
        sleep 1
    done
    grep '^http://' /tmp/agon.log
    kill $server
    wait $server || true
}
start
test "$(stat -c %a /var/lib/agon/admin-password)" = 600
if grep -F "$(cat /var/lib/agon/admin-password)" /tmp/agon.log; then exit 1; fi
echo '# changed' >> /etc/agon/agon.toml
dpkg -i --force-confold /tmp/agon.deb
grep -q '# changed' /etc/agon/agon.toml
start
if grep -q 'admin  ' /tmp/agon.log; then exit 1; fi
dpkg -r agon
test ! -e /usr/bin/agon
test -d /var/lib/agon
dpkg --purge agon
test ! -e /var/lib/agon
test ! -e /etc/agon/agon.toml
"#;
