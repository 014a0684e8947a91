//! A new game compiles, passes its checks and changes three lines outside its folder; a bad name changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Names, insert, manifest_key, plan, registry_key, report, write, write_file};
use crate::shell;

/// A name that no real game will have.
const NAME: &str = "scaffold-test";

/// The files of the working tree that git knows or would add, by path.
fn tree() -> BTreeMap<String, Vec<u8>> {
    let listed =
        shell::read("git", &["ls-files", "--cached", "--others", "--exclude-standard"]).expect("git");
    let root = shell::root();
    // A file may be deleted and the deletion not yet committed.
    let listed = listed.lines().filter(|path| root.join(path).is_file());
    listed.map(|path| (path.to_owned(), fs::read(root.join(path)).expect("a readable file"))).collect()
}

/// All files below a folder, by path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = Vec::new();
    super::gather(folder, folder, &mut found).expect("a readable folder");
    found.into_iter().map(|(path, data)| (path.display().to_string(), data)).collect()
}

/// A copy of the workspace at a fixed place, so that a second run compiles only the crates that have changed.
fn copy(tree: &BTreeMap<String, Vec<u8>>) -> PathBuf {
    let copy = shell::target().join("new-game");
    if copy.exists() {
        for path in files(&copy).into_keys().filter(|path| !tree.contains_key(path)) {
            fs::remove_file(copy.join(path)).expect("the copy is ours");
        }
    }
    // Cargo would take an empty folder of the game for a member of the workspace, which it cannot read.
    let _ = fs::remove_dir_all(copy.join("games").join(NAME));
    for (path, data) in tree {
        // Unchanged files are not written again: they would be compiled again.
        if fs::read(copy.join(path)).ok().as_ref() != Some(data) {
            write_file(&copy.join(path), data).expect("the copy is ours");
        }
    }
    copy
}

/// The number of lines that were added to a text; all old lines must be kept in order.
fn lines_added(old: &str, new: &str) -> usize {
    let mut rest = new.lines();
    for line in old.lines() {
        assert!(rest.any(|kept| kept == line), "the line `{line}` is gone");
    }
    new.lines().count() - old.lines().count()
}

#[test]
fn a_new_game_compiles_passes_the_battery_and_is_three_lines_elsewhere() {
    let tree = tree();
    let root = copy(&tree);
    let names = Names::read(&[NAME]).expect("a good name");
    let count = write(&root, &names).expect("a game");

    let mut added = 0;
    let mut own = 0;
    for (path, data) in files(&root) {
        match tree.get(&path) {
            None if path.starts_with(&format!("games/{NAME}/")) => {
                own += 1;
                let text = String::from_utf8_lossy(&data);
                for placeholder in ["__name__", "__ident__", "__Name__", "__title__"] {
                    assert!(!text.contains(placeholder), "{path} contains {placeholder}");
                }
            }
            None => panic!("{path} is new"),
            Some(old) if *old != data && path != "Cargo.lock" => {
                added += lines_added(&String::from_utf8_lossy(old), &String::from_utf8_lossy(&data));
            }
            Some(_) => {}
        }
    }
    assert_eq!((added, own), (3, count));
    assert!(report(&names, count).contains(&format!("games/{NAME}  {count} files")));
    let again = plan(&root, &names).expect_err("the game exists");
    assert!(again.contains("there is a game"), "{again}");

    // The engine with its tests, then everything that depends on it: the bots, and the registry in the catalog.
    let bots = format!("{NAME}-bots");
    for words in [
        &["test", "--package", NAME, "--all-features"][..],
        &["clippy", "--no-deps", "--package", NAME, "--package", &bots, "--all-targets", "--all-features"],
    ] {
        let mut cargo = shell::command("cargo", words);
        cargo.args(["--offline", "--locked", "--quiet"]);
        if words[0] == "clippy" {
            cargo.args(["--", "--deny", "warnings"]);
        }
        // External crates are compiled there already; ours have other paths and therefore other file names.
        cargo.current_dir(&root).env("CARGO_TARGET_DIR", shell::target());
        shell::finish(cargo).expect("a game that passes its checks");
    }
}

#[test]
fn a_bad_name_is_refused_before_anything_is_written() {
    for (words, why) in [
        (&[][..], "usage"),
        (&["--title"], "is no name"),
        (&["moon", "race"], "usage"),
        (&["Moon"], "is no name"),
        (&["moon_race"], "is no name"),
        (&["moon--race"], "is no name"),
        (&["-moon"], "is no name"),
        (&["3d"], "is no name"),
        (&["../moon"], "is no name"),
        (&["a-name-that-is-much-too-long"], "at most 24"),
        (&["moon", "--title", "Moon \"Race\""], "is no title"),
        (&["moon", "--title", " Moon"], "is no title"),
    ] {
        let error = Names::read(words).expect_err("a bad name");
        assert!(error.contains(why), "{words:?}: {error}");
    }
    let root = shell::root();
    let game = fs::read_dir(root.join("games")).expect("games").flatten().next().expect("a game").file_name();
    let game = game.to_string_lossy();
    for (name, why) in [
        (&*game, "there is a game"),
        ("match", "a word of the language"),
        ("core", "a crate of Rust itself"),
        ("catalog", "a crate of this name"),
        ("proc-macro2", "a crate of this name"),
        ("registry", "a module"),
        ("board", "the type would be `Board`"),
    ] {
        let names = Names::read(&[name]).expect("the form is right");
        let error = plan(&root, &names).expect_err("the name is taken");
        assert!(error.contains(why), "{name}: {error}");
    }
}

#[test]
fn names_have_their_forms() {
    let names = Names::read(&["moon-race-2"]).expect("a good name");
    let expected = ["moon-race-2", "moon_race_2", "MoonRace2", "Moon Race 2"].map(str::to_owned);
    assert_eq!([names.name, names.ident, names.camel, names.title], expected);
    let names = Names::read(&["moon", "--title", "À la Lune !"]).expect("a good title");
    assert_eq!(names.title, "À la Lune !");
}

#[test]
fn lines_are_inserted_in_order() {
    let text = "x\na = { path = \"../../games/a\" }\na-bots = { path = \"../../games/a/bots\" }\n\n[z]\n";
    let with = |name: &str| {
        let line = format!("{name} = {{ path = \"../../games/{name}\" }}");
        let text = insert(text, &line, manifest_key).expect("a place");
        text.lines().position(|at| at == line)
    };
    assert_eq!([with("0"), with("a-b"), with("b")], [Some(1), Some(2), Some(3)]);
    assert_eq!(insert("nothing", "    &Entry::<a::A>", registry_key), None);
}
