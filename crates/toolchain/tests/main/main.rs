//! Builds of real compilers in the real sandbox.

// Tests may assume.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use sandbox::{Exit, Limits, Sandbox};
use toolchain::{Bot, Bounds, BuildCache, How, Language, PrepareError};

const MIB: u64 = 1 << 20;

fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    SANDBOX.get_or_init(|| Sandbox::new(None).unwrap())
}

fn language(extension: &str) -> Option<&'static Language> {
    let language = Language::of(Path::new(&format!("bot.{extension}"))).unwrap();
    testing::require(language.name, language.missing().is_none()).then_some(language)
}

fn build(cache: &BuildCache, language: &'static Language, source: &str) -> Result<Bot, PrepareError> {
    cache.prepare_text("bot", language, source.as_bytes(), Some("ada"), sandbox())
}

/// The output of a bot.
fn output(bot: &Bot) -> (Exit, String) {
    let How::Program(program) = &bot.how else { panic!("{bot:?}") };
    let done = sandbox().run(program, &Limits::BOT, b"", Duration::from_secs(20), 1000).unwrap();
    (done.exit, String::from_utf8(done.stdout).unwrap())
}

fn folder_of(bot: &Bot) -> PathBuf {
    let How::Program(program) = &bot.how else { panic!("{bot:?}") };
    program.folder.clone().unwrap()
}

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

#[test]
fn sources_get_a_fixed_name_and_two_builds_at_once_agree() {
    let Some(python) = language("py") else { return };
    let scratch = testing::scratch();
    let cache = BuildCache::new(scratch.path().join("bots"), Bounds::ARENA);
    let source = b"print('3 3')\n";
    let made = || cache.prepare_text("../../evil name", python, source, None, sandbox()).unwrap();
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(made);
        (made(), other.join().unwrap())
    });
    assert_eq!(folder_of(&first), folder_of(&second));
    assert!(folder_of(&first).join("bot.py").is_file());
    assert_eq!(output(&first), (Exit::Code(0), "3 3\n".to_owned()));
    // Remains of builds that were interrupted are removed, finished builds stay.
    fs::create_dir(scratch.path().join("bots/building.1.1")).unwrap();
    fs::create_dir(scratch.path().join("bots/without-manifest")).unwrap();
    cache.clean();
    assert_eq!(fs::read_dir(scratch.path().join("bots")).unwrap().count(), 1);
    assert!(cache.hold(&first).is_some());
}

#[test]
fn damaged_builds_are_made_again() {
    let Some(c) = language("c") else { return };
    let scratch = testing::scratch();
    let folder = scratch.path().join("bots");
    let cache = BuildCache::new(folder.clone(), Bounds::ARENA);
    let bot = build(&cache, c, HELLO).unwrap();
    let program = folder_of(&bot).join("bot");
    let size = fs::metadata(&program).unwrap().len();
    let damages: [&dyn Fn(); 5] = [
        // After a power cut a file may be empty.
        &|| fs::write(&program, b"").unwrap(),
        // The same size and other bytes.
        &|| fs::write(&program, vec![0; usize::try_from(size).unwrap()]).unwrap(),
        &|| fs::remove_file(&program).unwrap(),
        &|| fs::write(folder_of(&bot).with_file_name("manifest.json"), b"{").unwrap(),
        &|| fs::remove_file(folder_of(&bot).with_file_name("manifest.json")).unwrap(),
    ];
    for damage in damages {
        damage();
        assert!(cache.hold(&bot).is_none(), "a damaged program does not play");
        // A cache that never saw the build before notices it as well.
        let other = BuildCache::new(folder.clone(), Bounds::ARENA);
        assert!(other.hold(&bot).is_none());
        let again = build(&other, c, HELLO).unwrap();
        assert_eq!(output(&again), (Exit::Code(0), "hello\n".to_owned()));
        assert!(cache.hold(&bot).is_some());
    }
}

#[test]
fn no_name_in_a_source_collides_with_files_of_the_cache() {
    let Some(java) = language("java") else { return };
    let scratch = testing::scratch();
    let cache = BuildCache::new(scratch.path().join("bots"), Bounds::ARENA);
    for package in ["ready", "manifest", "program", "building"] {
        let source = format!(
            "package {package}; class Bot {{ public static void main(String[] a) {{ System.out.println(\"{package}\"); }} }}"
        );
        let bot = build(&cache, java, &source).unwrap();
        assert!(cache.hold(&bot).is_some());
        let (_, said) = output(&bot);
        assert_eq!(said, format!("{package}\n"));
    }
}

#[test]
fn large_programs_are_refused_while_they_are_built() {
    let Some(c) = language("c") else { return };
    let scratch = testing::scratch();
    let bounds = Bounds { build_bytes: 4 * MIB, ..Bounds::ARENA };
    let cache = BuildCache::new(scratch.path().join("bots"), bounds);
    let large = "char data[250 << 20] = {1};\nint main(void) { return data[7]; }\n";
    let refused = build(&cache, c, large).unwrap_err();
    assert!(matches!(refused, PrepareError::Compile { .. }), "{refused:?}");
    assert_eq!(fs::read_dir(scratch.path().join("bots")).unwrap().count(), 0, "nothing stays on the disk");
    build(&cache, c, HELLO).unwrap();

    let Some(java) = language("java") else { return };
    let classes: Vec<String> = (0..60).map(|number| format!("class C{number} {{}}\n")).collect();
    let many = BuildCache::new(scratch.path().join("many"), Bounds { build_files: 40, ..Bounds::ARENA });
    let refused = build(&many, java, &classes.concat()).unwrap_err();
    assert!(refused.to_string().contains("more than 40 files"), "{refused}");
}

#[test]
fn the_longest_unused_builds_go_first() {
    let Some(python) = language("py") else { return };
    let scratch = testing::scratch();
    let folder = scratch.path().join("bots");
    let source = |number: u32| format!("# {}\nprint({number})\n", "x".repeat(300_000));
    let build_of = |cache: &BuildCache, number: u32, owner: &str| {
        let bot =
            cache.prepare_text("bot", python, source(number).as_bytes(), Some(owner), sandbox()).unwrap();
        // The order is that of times on disk.
        std::thread::sleep(Duration::from_millis(20));
        bot
    };
    let cache =
        BuildCache::new(folder.clone(), Bounds { owner_bytes: MIB, total_bytes: 2 * MIB, ..Bounds::ARENA });
    // Three builds fit for an owner, six in all.
    let first = build_of(&cache, 1, "ada");
    let second = build_of(&cache, 2, "ada");
    build_of(&cache, 3, "ada");
    let hold = cache.hold(&first).unwrap();
    // The first one is in use: the second one is removed.
    build_of(&cache, 4, "ada");
    assert!(cache.hold(&first).is_some());
    assert!(cache.hold(&second).is_none());
    drop(hold);
    // Another owner has space of its own, until all of it is used.
    let others: Vec<Bot> = (5..8).map(|number| build_of(&cache, number, "bob")).collect();
    assert!(cache.hold(&first).is_some());
    assert!(others.iter().all(|bot| cache.hold(bot).is_some()));
    build_of(&cache, 8, "eve");
    assert!(cache.hold(&first).is_none(), "the total is full");
    // A shared cache removes nothing that was used lately.
    let shared = BuildCache::new(folder.clone(), Bounds { total_bytes: 0, ..Bounds::SHARED });
    let count = fs::read_dir(&folder).unwrap().count();
    build_of(&shared, 9, "ada");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), count + 1);
}
