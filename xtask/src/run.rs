//! `cargo xtask run`: runs the arena on this machine.

use crate::prepare::Install;
use crate::{prepare, shell};

/// Builds the command and starts the arena. Its data is kept between runs. `--no-install` installs no package; all
/// other words are flags of `agon serve`.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let (own, flags): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| **word == "--no-install");
    let install = if own.is_empty() { Install::AsRoot } else { Install::Never };
    // Packages are fetched while the compiler works.
    let prepared = std::thread::spawn(move || prepare::for_arena(install));
    let agon = shell::build_agon();
    prepared.join().unwrap_or_else(|_| Err("the packages could not be installed".to_owned()))?;
    let agon = agon?;

    let data = shell::target().join("arena").display().to_string();
    let mut words = vec!["serve"];
    if !flags.iter().any(|flag| flag.starts_with("--data")) {
        words.extend(["--data", &data]);
    }
    // Without root there is no full sandbox. The arena serves this machine alone, so its users could run programs
    // anyway.
    if !shell::is_root() && !flags.iter().any(|flag| flag.starts_with("--listen")) {
        words.push("--allow-weak-sandbox");
    }
    words.extend(flags);
    println!("\n$ agon {}", words.join(" "));
    shell::finish_before_us(shell::command(&agon, &words))
}
