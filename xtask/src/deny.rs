//! Checks licences and advisories of the dependencies with cargo-deny, as `deny.toml` demands.

use crate::shell;

/// Checks licences, sources and duplicates offline; advisories too if their list can be fetched or was fetched
/// before.
pub(crate) fn check() -> Result<(), String> {
    if !shell::works("cargo", &["deny", "--version"]) {
        println!("not checked: cargo-deny is not installed; `cargo install --locked cargo-deny` brings it");
        return Ok(());
    }
    shell::run("cargo", &["deny", "--all-features", "--locked", "check", "licenses", "bans", "sources"])?;
    if !shell::works("cargo", &["deny", "--locked", "fetch", "db"]) {
        println!("advisories are not checked: their list cannot be fetched");
        return Ok(());
    }
    shell::run("cargo", &["deny", "--all-features", "--locked", "check", "--disable-fetch", "advisories"])
}
