//! `cargo xtask python`: the Python package: its wheel, its virtual environment, its tests.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::{prepare, shell};

/// The oldest version of Python that the package runs with.
const OLDEST: &str = "3.11";

/// How the wheel is built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Profile {
    /// For users and measurements, in `target/wheels`.
    Release,
    /// For `cargo xtask test`, in `target/python/wheels`.
    Dev,
}

/// Builds the wheel into `target/wheels`, installs it into a virtual environment and runs its tests. With `--torch` the
/// environment gets `PyTorch` too, a large download, and the example that needs it is tested.
pub(crate) fn python(flags: &[&str]) -> Result<(), String> {
    let (torch, others): (Vec<&str>, Vec<&str>) = flags.iter().partition(|flag| **flag == "--torch");
    prepare::for_python(prepare::Install::of_flags(&others)?)?;
    let wheel = install(Profile::Release)?;
    if !torch.is_empty() {
        pip(&["install", "--quiet", "torch"])?;
    }
    run_tests()?;
    println!("\n{}", wheel.display());
    Ok(())
}

/// The same as a part of `cargo xtask test`: quickly built.
pub(crate) fn test() -> Result<(), String> {
    install(Profile::Dev)?;
    run_tests()
}

/// Measures batches as Python sees them.
pub(crate) fn bench(words: &[&str]) -> Result<(), String> {
    prepare::for_python(prepare::Install::AsRoot)?;
    install(Profile::Release)?;
    let script = folder().join("bench/steps.py").display().to_string();
    // Threads of numpy would compete with those of the batch.
    let mut bench = shell::command(&program("python"), &[&[script.as_str()], words].concat());
    bench.env("OPENBLAS_NUM_THREADS", "1");
    shell::finish(bench)
}

fn folder() -> PathBuf {
    shell::root().join("crates/python")
}

/// A program of the virtual environment.
fn program(name: &str) -> String {
    shell::target().join("python/venv/bin").join(name).display().to_string()
}

fn pip(words: &[&str]) -> Result<(), String> {
    let common = ["-m", "pip", "--disable-pip-version-check"];
    shell::run(&program("python"), &[&common, words].concat())
}

/// Makes the virtual environment, if it is not there, with the packages of `requirements.txt`.
fn environment() -> Result<(), String> {
    let at = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    let venv = shell::target().join("python/venv");
    let requirements = folder().join("requirements.txt");
    let wanted = fs::read(&requirements).map_err(at(&requirements))?;
    let installed = venv.join("requirements.txt");
    if fs::read(&installed).ok().as_ref() == Some(&wanted) {
        return Ok(());
    }
    let check = format!("import sys; sys.exit(sys.version_info < ({}))", OLDEST.replace('.', ", "));
    if !shell::works("python3", &["-c", &check]) {
        return Err(format!("the Python package needs Python {OLDEST} or later"));
    }
    shell::run("python3", &["-m", "venv", "--clear", &venv.display().to_string()])?;
    pip(&["install", "--quiet", "--requirement", &requirements.display().to_string()])?;
    fs::write(&installed, wanted).map_err(at(&installed))
}

/// Builds the wheel with the command in it, and installs it into the virtual environment. Returns its path.
fn install(profile: Profile) -> Result<PathBuf, String> {
    environment()?;
    let (agon, out, options): (_, _, &[&str]) = match profile {
        Profile::Release => (shell::build_agon()?, "wheels", &["--release"]),
        Profile::Dev => {
            // The features of the tests, which have built most of it.
            let words = ["build", "--locked", "--workspace", "--all-features", "--bin", "agon"];
            shell::run("cargo", &words)?;
            let agon = shell::target().join("debug/agon").display().to_string();
            (agon, "python/wheels", &[])
        }
    };
    let command = put_command(Path::new(&agon))?;
    if profile == Profile::Dev {
        // Without its symbols the program is packed faster; with them it works as well.
        shell::works("strip", &[&command.display().to_string()]);
    }
    let wheel = build(&shell::target().join(out), options, &[])?;
    pip(&["install", "--quiet", "--force-reinstall", "--no-deps", &wheel.display().to_string()])?;
    Ok(wheel)
}

/// Builds a wheel for this version of glibc and later ones into a folder, with this build of the command in it. `variables` let the
/// build find `zig`.
pub(crate) fn portable(
    agon: &Path,
    glibc: &str,
    target: &str,
    out: &Path,
    variables: &[(&str, &str)],
) -> Result<PathBuf, String> {
    environment()?;
    put_command(agon)?;
    // The build fails if the library needs a later version.
    let compatible = format!("manylinux_{}", glibc.replace('.', "_"));
    build(out, &["--release", "--zig", "--target", target, "--compatibility", &compatible], variables)
}

/// Copies the command to its place in the wheel and returns this place: files in this folder become programs of the environment in
/// which the wheel is installed.
fn put_command(agon: &Path) -> Result<PathBuf, String> {
    let command = folder().join("agon.data/scripts/agon");
    let failed = |error: std::io::Error| format!("{}: {error}", command.display());
    fs::create_dir_all(folder().join("agon.data/scripts")).map_err(failed)?;
    fs::copy(agon, &command).map_err(failed)?;
    fs::set_permissions(&command, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    Ok(command)
}

/// Builds the wheel into a folder and returns its path.
fn build(out: &Path, options: &[&str], variables: &[(&str, &str)]) -> Result<PathBuf, String> {
    // An older wheel must not be taken for the new one.
    for old in wheels(out) {
        fs::remove_file(&old).map_err(|error| format!("{}: {error}", old.display()))?;
    }
    let (manifest, place) = (folder().join("Cargo.toml").display().to_string(), out.display().to_string());
    let python = program("python");
    let mut words = vec!["build", "--locked", "--quiet", "--manifest-path", &manifest, "--out", &place];
    words.extend(["--interpreter", &python]);
    words.extend(options);
    let mut maturin = shell::command(&program("maturin"), &words);
    maturin.envs(variables.iter().copied());
    shell::finish(maturin)?;
    wheels(out).pop().ok_or_else(|| format!("{place}: there is no wheel"))
}

/// The wheels in a folder.
fn wheels(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "whl")).collect()
}

fn run_tests() -> Result<(), String> {
    let tests = folder().join("tests").display().to_string();
    let options = ["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"];
    let mut pytest = shell::command(&program("python"), &[&options[..], &[&tests]].concat());
    pytest.env("PYTHONDONTWRITEBYTECODE", "1");
    shell::finish(pytest)
}
