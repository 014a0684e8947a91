//! Lists the files in the `kits` folders of the games, so that `kits.rs` embeds them.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name| env::var(name).map_err(io::Error::other);
    let games = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../../games");
    let mut files = Vec::new();
    // A new game is a new line of the registry.
    println!("cargo::rerun-if-changed=../catalog/src/registry.rs");
    println!("cargo::rerun-if-changed=build.rs");
    for game in fs::read_dir(&games)? {
        let game = game?;
        let kits = game.path().join("kits");
        if kits.is_dir() {
            println!("cargo::rerun-if-changed={}", kits.display());
            for kit in fs::read_dir(kits)? {
                let kit = kit?;
                files.push([game.file_name(), kit.file_name(), kit.path().canonicalize()?.into()]);
            }
        }
    }
    files.sort();
    let mut list = "&[\n".to_owned();
    for names in files {
        let [Some(game), Some(file), Some(path)] = names.each_ref().map(|name| name.to_str()) else {
            return Err(io::Error::other(format!("{} is not UTF-8", names[2].display())));
        };
        writeln!(list, "({game:?}, {file:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&variable("OUT_DIR")?).join("kits.rs"), list)
}
