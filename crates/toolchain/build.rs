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
                let path = kit?.path().canonicalize()?;
                let file = path.file_name().unwrap_or_default();
                files.push((game.file_name().into_string(), file.to_os_string().into_string(), path));
            }
        }
    }
    files.sort_by(|a, b| a.2.cmp(&b.2));
    let mut list = "&[\n".to_owned();
    for (game, file, path) in files {
        let (Ok(game), Ok(file)) = (game, file) else {
            return Err(io::Error::other(format!("{} is not UTF-8", path.display())));
        };
        writeln!(list, "({game:?}, {file:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&variable("OUT_DIR")?).join("kits.rs"), list)
}
