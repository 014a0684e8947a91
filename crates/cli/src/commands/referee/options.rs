//! Options with one hyphen, as testers write them.

use std::ffi::OsString;

/// The long options of `agon referee`, which testers write with a single hyphen, and whether a value follows.
const LONG: [(&str, bool); 16] = [
    ("p1", true),
    ("p2", true),
    ("p3", true),
    ("p4", true),
    ("seed", true),
    ("league", true),
    ("edition", true),
    ("rules", true),
    ("data", true),
    ("log", true),
    ("clock", true),
    ("sandbox", true),
    ("show", false),
    ("ponder", false),
    ("no-ponder", false),
    ("error-lines", false),
];

/// Adds the second hyphen to the long options of `agon referee`; all other arguments stay unchanged, also the values
/// of options.
pub(crate) fn spell_out(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.into_iter();
    let mut spelled: Vec<OsString> = arguments.by_ref().take(2).collect();
    if spelled.get(1).is_none_or(|command| command != "referee") {
        spelled.extend(arguments);
        return spelled;
    }
    while let Some(argument) = arguments.next() {
        let Some(word) = argument.to_str() else {
            spelled.push(argument);
            continue;
        };
        let name = word.trim_start_matches('-');
        let (name, has_value) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
        let hyphens = word.len() - word.trim_start_matches('-').len();
        let known = LONG.iter().find(|(long, _)| *long == name).filter(|_| (1..=2).contains(&hyphens));
        // The short ones are -d and -l.
        let short = hyphens == 1 && matches!(name, "d" | "l");
        if known.is_some() && hyphens == 1 {
            spelled.push(format!("-{word}").into());
        } else {
            spelled.push(argument);
        }
        if (known.is_some_and(|(_, value)| *value) || short) && !has_value {
            spelled.extend(arguments.next());
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(line: &[&str]) -> Vec<String> {
        spell_out(line.iter().map(OsString::from))
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect()
    }

    #[test]
    fn long_options_get_their_second_hyphen() {
        assert_eq!(
            spelled(&[
                "agon",
                "referee",
                "hypersonic",
                "-p1",
                "./a -p2 x",
                "-p2",
                "-seed",
                "-seed",
                "-5",
                "-l",
                "-p1",
                "-s"
            ]),
            [
                "agon",
                "referee",
                "hypersonic",
                "--p1",
                "./a -p2 x",
                "--p2",
                "-seed",
                "--seed",
                "-5",
                "-l",
                "-p1",
                "-s"
            ]
        );
        assert_eq!(
            spelled(&["agon", "referee", "x", "-seed=7", "--league", "3", "-show", "-d", "seed=1"]),
            ["agon", "referee", "x", "--seed=7", "--league", "3", "--show", "-d", "seed=1"]
        );
    }

    #[test]
    fn other_commands_stay_as_they_are() {
        let line = ["agon", "play", "hypersonic", "-seed", "3"];
        assert_eq!(spelled(&line), line);
        assert_eq!(spelled(&["agon"]), ["agon"]);
    }
}
