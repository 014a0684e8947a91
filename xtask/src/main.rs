//! The commands for developers: `cargo xtask COMMAND`.

// This tool prints to the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod bench_arena;
mod bench_bots;
mod bench_climb;
mod bench_cluster;
mod bench_growth;
mod bench_match;
mod bench_series;
mod deny;
mod dependencies;
mod dist;
mod fuzz;
#[path = "../../crates/toolchain/src/languages.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the list of languages has one home, and building this tool builds no game"
)]
mod languages;
mod nats;
mod new_game;
mod picture;
mod postgres;
#[path = "../../crates/testing/src/postgres_files.rs"]
#[allow(unreachable_pub, reason = "the tests use the same file")]
mod postgres_files;
mod prepare;
mod python;
mod run;
mod s3;
mod scale;
mod shell;
mod test;
mod tidy;
mod torture;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  run [FLAGS]      build what is needed and start the arena at a printed address (flags of `agon serve`). As root it installs
                   Debian packages that are missing; --no-install forbids it
  test [CHECK...]  set up what is needed and pass every check, or the named ones: format, tidy, licences, clippy, tests, page,
                   python, docs; --no-install forbids packages
  python [--no-install] [--torch]  build the wheel of the Python package into target/wheels, install it into a virtual environment
                   and run its tests; --torch installs PyTorch there, a download of gigabytes, and tests the example that needs it
  bench [GAME]     measure speed and instructions; prints the tables of BENCHMARKS.md
  bench match [T]  measure matches between programs: overhead, start, clocks (over T turns, default 4000)
  bench neighbour [R]  measure the effect of a hostile neighbour on the times of an honest bot (over R matches of each kind,
                   default 50)
  bench series [R] [N]  measure many matches: runs against their matches one by one, R times in turn (default 5), and the
                   memory of a run of N (default 10000)
  bench kits [N]   measure runs with the kit of each language, whose programs are started ahead (over N matches, default 40)
  bench bots [N] [GAME]  measure the champions in real matches: time of answers, memory, failures (over N maps, default 20)
  bench climb [N] [GAME]  play each starter kit against the boss of each league (N matches each, default 40)
  bench growth     measure time and memory of runs, records and tournaments as they grow
  bench python [S] [GAME...]  measure batches as Python sees them, S seconds for each figure (default 2)
  ladder GAME ...  play each built-in bot against the one below it (see `ladder GAME --help`)
  bench web        measure the viewer in a browser: size, first picture, smoothness, memory
  bench arena [S]  measure the arena with visitors and viewers for S seconds (default 60), and with a million matches kept
  bench soak [M]   measure memory and descriptors of an arena with 20 visitors over M minutes (default 60)
  torture [sqlite|postgres] [--matches N] [--kills K]  kill the server again and again while it plays: nothing may be lost
  torture --machines [--matches N] [--kills K]  the same with the machines of a run and of an arena on a cluster: also stopped and
                   disconnected, on a bad network
  bench cluster [R]  measure two workers of one core each against two threads, R times in turn (default 5)
  scale [FLAGS]    measure an arena with 10, 100 and 1,000 simulated workers and up to 100,000 bots (`scale --help` shows the
                   flags, --workers 10,100 --bots 1000 --seconds 10 takes a minute)
  cluster [N]      start NATS, PostgreSQL, an arena and N workers (default 2) on this host, to try `--cluster`
  postgres COMMAND...  run a command with a PostgreSQL of its own, whose address is in AGON_TEST_POSTGRES
  fuzz [GAME] [S]  run the fuzzer on each parser for S seconds (default 60)
  web              make the page of the viewer and the site anew (web/dist, web/dist-site)
  screenshots      photograph each scene of the viewer and each page of the site: desk and phone, light and dark
  picture [arena]  make the pictures of the README anew: the maps in the terminal, or the first page of the arena
  dist [--check]   make the release for x86_64 Linux in target/dist: tarball, Debian package and Python wheel; --check runs and
                   installs the first two in bare Debian 11 and 12 roots (as root, with debootstrap)
  new-game NAME [--title TITLE]  write a small game that passes every check, to be changed part by part
  tidy             check the habits of this repository (part of test)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["run", ref flags @ ..] => run::run(flags),
        ["test", ref flags @ ..] => test::test(flags),
        ["python", ref flags @ ..] => python::python(flags),
        ["web"] => web::build(),
        ["screenshots"] => web::screenshots(),
        ["bench", "web"] => web::bench(),
        ["scale", ref words @ ..] => scale::scale(words),
        ["torture", ref words @ ..] => torture::torture(words),
        ["postgres", ref words @ ..] => postgres::with_server(words),
        ["picture"] => picture::picture(),
        ["picture", "arena"] => web::picture(),
        ["dist", ref flags @ ..] => dist::dist(flags),
        ["tidy"] => tidy::tidy(),
        ["bench", "match"] => bench_match::bench("4000"),
        ["bench", "match", turns] => bench_match::bench(turns),
        ["bench", "neighbour"] => bench_match::neighbour("50"),
        ["bench", "neighbour", rounds] => bench_match::neighbour(rounds),
        ["bench", "arena"] => bench_arena::bench("60"),
        ["bench", "arena", seconds] => bench_arena::bench(seconds),
        ["bench", "soak"] => bench_arena::soak("60"),
        ["bench", "soak", minutes] => bench_arena::soak(minutes),
        ["bench", "series"] => bench_series::bench("5", "10000"),
        ["bench", "series", rounds] => bench_series::bench(rounds, "10000"),
        ["bench", "series", rounds, matches] => bench_series::bench(rounds, matches),
        ["bench", "kits"] => bench_series::kits("40"),
        ["bench", "kits", matches] => bench_series::kits(matches),
        ["bench", "bots"] => bench_bots::bench("20", &[]),
        ["bench", "bots", maps, ref games @ ..] => bench_bots::bench(maps, games),
        ["bench", "climb"] => bench_climb::bench("40", &[]),
        ["bench", "climb", matches, ref games @ ..] => bench_climb::bench(matches, games),
        ["bench", "growth"] => bench_growth::bench(),
        ["bench", "cluster"] => bench_cluster::bench("5"),
        ["bench", "cluster", rounds] => bench_cluster::bench(rounds),
        ["cluster"] => nats::cluster("2"),
        ["cluster", workers] => nats::cluster(workers),
        ["bench", "python", ref words @ ..] => python::bench(words),
        ["bench", ref games @ ..] => bench::bench(games),
        ["ladder", ref rest @ ..] => ladder(rest),
        ["new-game", ref words @ ..] => new_game::new_game(words),
        ["fuzz", ref rest @ ..] => fuzz::fuzz(rest),
        [] | ["help" | "-h" | "--help"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("error: there is no command `{}`\n\n{HELP}", arguments.join(" "));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Plays the ladder of every game in memory, on all cores.
fn ladder(rest: &[&str]) -> Result<(), String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).to_string();
    let mut words = vec!["run", "--release", "--locked", "--package", "runs", "--example", "ladder", "--"];
    words.extend_from_slice(rest);
    if !rest.iter().any(|word| word.starts_with("-j") || word.starts_with("--jobs")) {
        words.extend(["--jobs", &cores]);
    }
    shell::run("cargo", &words)
}
