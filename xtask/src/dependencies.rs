//! The allowed dependencies between our own crates: the table in ARCHITECTURE.md against `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::shell;

/// The heading of the section that holds the table.
const HEADING: &str = "## Allowed dependencies";

/// The crates that a crate may use, and those that its tests may use as well.
#[derive(Default)]
struct Allowed {
    always: BTreeSet<String>,
    in_tests: BTreeSet<String>,
}

/// Every edge between our crates that is not in the table, and every row of the table without a crate.
pub(crate) fn check() -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(shell::root().join("ARCHITECTURE.md"))
        .map_err(|error| format!("ARCHITECTURE.md: {error}"))?;
    let allowed = table(&text)?;
    let metadata = shell::read("cargo", &["metadata", "--no-deps", "--format-version", "1", "--locked"])?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    // All games share one row, and so do their bots.
    let rows: BTreeMap<&str, String> =
        packages.iter().filter_map(|package| Some((package["name"].as_str()?, row_of(package)?))).collect();
    let mut complaints = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let row = &rows[name];
        let Some(may_use) = allowed.get(row) else {
            complaints.push(format!("ARCHITECTURE.md: the table of dependencies has no row `{row}`"));
            continue;
        };
        for dependency in package["dependencies"].as_array().map_or(&[][..], Vec::as_slice) {
            let Some(used) = dependency["name"].as_str().and_then(|name| rows.get(name)) else { continue };
            let is_test = dependency["kind"] == "dev";
            let is_allowed = may_use.always.contains(used) || is_test && may_use.in_tests.contains(used);
            if !is_allowed {
                let kind = if is_test { "its tests use" } else { "it uses" };
                complaints.push(format!("{name}: {kind} `{used}`, which ARCHITECTURE.md does not allow"));
            }
        }
    }
    let known: BTreeSet<&String> = rows.values().collect();
    let gone = allowed.keys().filter(|row| !known.contains(row));
    complaints.extend(gone.map(|row| format!("ARCHITECTURE.md: there is no crate for the row `{row}`")));
    complaints.sort();
    complaints.dedup();
    Ok(complaints)
}

/// The row of a package: its name, or the pattern of its folder for the crates of a game.
fn row_of(package: &Value) -> Option<String> {
    let manifest = package["manifest_path"].as_str()?;
    let folder = manifest.strip_suffix("/Cargo.toml")?;
    let root = shell::root();
    let folder = folder.strip_prefix(root.to_str()?)?.trim_start_matches('/');
    let row = match folder.split('/').collect::<Vec<_>>()[..] {
        ["games", _] => "games/*",
        ["games", _, "bots"] => "games/*/bots",
        _ => package["name"].as_str()?,
    };
    Some(row.to_owned())
}

/// Reads rows such as ``| `play` | `game`, `referee` | `testing` |``.
fn table(text: &str) -> Result<BTreeMap<String, Allowed>, String> {
    let (_, section) =
        text.split_once(HEADING).ok_or_else(|| format!("ARCHITECTURE.md has no section `{HEADING}`"))?;
    let section = section.split("\n## ").next().unwrap_or_default();
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let mut rows = BTreeMap::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        let [name, always, in_tests] = cells[..] else {
            return Err(format!("ARCHITECTURE.md: this row of dependencies needs three cells: {line}"));
        };
        let allowed = Allowed {
            always: names(always).into_iter().collect(),
            in_tests: names(in_tests).into_iter().collect(),
        };
        for name in names(name) {
            rows.insert(name, Allowed { always: allowed.always.clone(), in_tests: allowed.in_tests.clone() });
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_by_row() {
        let text = "# A\n## Allowed dependencies\n| crate | uses | tests |\n|---|---|---|\n| `a` | `b`, `games/*` | `t` |\n| `b` | | |\n## C\n| `x` | `y` | |\n";
        let rows = table(text).unwrap();
        assert_eq!(rows.keys().collect::<Vec<_>>(), ["a", "b"]);
        assert!(rows["a"].always.contains("games/*") && rows["a"].in_tests.contains("t"));
        assert!(table("nothing").is_err());
        assert!(table("## Allowed dependencies\n| `a` | `b` |\n").is_err());
    }
}
