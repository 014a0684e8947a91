//! Names of bots if the run has none: files of version 1 contain command lines only.

use std::path::Path;

/// A short name for each command line, all different: the name of its file, with a number if it is not unique.
pub(crate) fn names(commands: &[String]) -> Vec<String> {
    let plain: Vec<String> = commands.iter().map(|command| file_of(command)).collect();
    let name = |(at, name): (usize, &String)| {
        let before = plain[..at].iter().filter(|other| *other == name).count();
        if before == 0 { name.clone() } else { format!("{name} #{}", before + 1) }
    };
    plain.iter().enumerate().map(name).collect()
}

/// The script of an interpreter, else the program itself.
fn file_of(command: &str) -> String {
    let words = shell_words::split(command).unwrap_or_else(|_| vec![command.to_owned()]);
    let is_file = |word: &&String| {
        !word.starts_with('-') && !word.contains(' ') && Path::new(word).extension().is_some()
    };
    let file = words.iter().skip(1).find(is_file).or(words.first());
    let name =
        file.and_then(|file| Path::new(file).file_name()).map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| command.to_owned())
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn bots_are_called_by_their_files() {
        let commands =
            ["@random", "python3 -u bots/new.py --fast", "./bot", "/opt/bot", "", "'", "sh -c 'exit 1.5'"];
        let expected = ["@random", "new.py", "bot", "bot #2", "", "'", "sh"];
        assert_eq!(names(&commands.map(str::to_owned)), expected);
    }
}
