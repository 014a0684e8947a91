//! Rebuilds this crate when a file appears in a folder of kits: the macro that embeds the kits does not notice new files.

use std::path::Path;

fn main() {
    // A new game is a new line of the registry.
    println!("cargo::rerun-if-changed=../catalog/src/registry.rs");
    println!("cargo::rerun-if-changed=build.rs");
    let games = Path::new("../../games");
    for game in std::fs::read_dir(games).into_iter().flatten().flatten() {
        let kits = game.path().join("kits");
        if kits.is_dir() {
            println!("cargo::rerun-if-changed={}", kits.display());
        }
    }
}
