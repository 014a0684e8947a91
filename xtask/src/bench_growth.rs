//! `cargo xtask bench growth`: time and memory of runs, records and tournaments as they grow.
//!
//! Each measurement is a process of its own, so its memory is known; its time is the best of three. The exponent is that of the
//! last step, ten times the work: 1 is linear.

use std::path::Path;

use crate::shell;

/// Runs of each measurement.
const RUNS: usize = 3;

/// A kind of work: how its file is made, its sizes, and what is measured on the file.
struct Work {
    title: &'static str,
    make: &'static str,
    sizes: [u64; 3],
    commands: &'static [&'static str],
}

const WORKS: [Work; 4] = [
    Work {
        title: "a duel, matches",
        make: "make-duel",
        sizes: [1000, 10_000, 100_000],
        commands: &["resume", "report"],
    },
    Work {
        title: "a duel in 16 parts, matches",
        make: "make-parts",
        sizes: [1000, 10_000, 100_000],
        commands: &["merge"],
    },
    Work {
        title: "records, turns",
        make: "make-trace",
        sizes: [10_000, 100_000, 1_000_000],
        commands: &["verify"],
    },
    Work {
        title: "ten Swiss rounds, bots",
        make: "make-tournament",
        sizes: [10, 100, 1000],
        commands: &["resume", "table", "report"],
    },
];

/// Measures everything and prints the table.
pub(crate) fn bench() -> Result<(), String> {
    shell::run(
        "cargo",
        &["build", "--release", "--locked", "--package", "report", "--example", "growth_bench"],
    )?;
    let bench = shell::target().join("release/examples/growth_bench").display().to_string();
    let folder = shell::target().join("growth");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    println!("\n| work | command | small | medium | large | exponent of time | of memory |");
    println!("|---|---|---|---|---|---|---|");
    for work in &WORKS {
        let mut files = Vec::new();
        for size in work.sizes {
            let file = folder.join(format!("{}-{size}.jsonl", work.make)).display().to_string();
            measured(&bench, &[work.make, &size.to_string(), &file])?;
            files.push(file);
        }
        for command in work.commands {
            let costs: Vec<Cost> =
                files.iter().map(|file| best(&bench, &[command, file])).collect::<Result<_, _>>()?;
            let cells: Vec<String> =
                work.sizes.iter().zip(&costs).map(|(size, cost)| cost.shown(*size)).collect();
            let exponent = |cost: fn(&Cost) -> f64| (cost(&costs[2]) / cost(&costs[1])).log10();
            println!(
                "| {} | {command} | {} | {:.2} | {:.2} |",
                work.title,
                cells.join(" | "),
                exponent(|cost| cost.seconds),
                exponent(|cost| cost.memory_mib)
            );
        }
        for file in &files {
            let file = Path::new(file);
            let removed =
                if file.is_dir() { std::fs::remove_dir_all(file) } else { std::fs::remove_file(file) };
            removed.map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    Ok(())
}

struct Cost {
    seconds: f64,
    memory_mib: f64,
}

impl Cost {
    fn shown(&self, size: u64) -> String {
        format!("{size}: {:.3} s, {:.1} MiB", self.seconds, self.memory_mib)
    }
}

/// The cheapest of some runs.
fn best(bench: &str, words: &[&str]) -> Result<Cost, String> {
    let mut best = measured(bench, words)?;
    for _ in 1..RUNS {
        let again = measured(bench, words)?;
        best.seconds = best.seconds.min(again.seconds);
        best.memory_mib = best.memory_mib.min(again.memory_mib);
    }
    Ok(best)
}

fn measured(bench: &str, words: &[&str]) -> Result<Cost, String> {
    let printed = shell::read(bench, words)?;
    let number = |name: &str| {
        let mut words = printed.split_whitespace().skip_while(|word| *word != name).skip(1);
        words.next().and_then(|word| word.parse().ok()).ok_or_else(|| format!("no {name} in {printed}"))
    };
    Ok(Cost { seconds: number("seconds")?, memory_mib: number("memory_mib")? })
}
