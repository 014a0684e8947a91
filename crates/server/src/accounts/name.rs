//! Names of accounts. They appear on every page and in addresses, so they are plain ASCII: letters that look like
//! others are refused, and so are names that look like a name of the site.

use std::fmt;

/// A name that was checked: 3 to 32 letters, digits, `-`, `_`, `.`, beginning with a letter or digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(String);

/// Names that look like the site itself, or that have a meaning in addresses.
const RESERVED: &[&str] = &[
    "agon",
    "anonymous",
    "api",
    "arena",
    "assets",
    "bot",
    "boss",
    "contest",
    "everyone",
    "guest",
    "healthz",
    "help",
    "house",
    "me",
    "mod",
    "moderator",
    "nobody",
    "null",
    "official",
    "organiser",
    "organizer",
    "owner",
    "referee",
    "root",
    "security",
    "settings",
    "staff",
    "support",
    "system",
    "undefined",
    "void",
    "www",
];

/// Reserved as well, except for the first admin.
const ADMINS: &[&str] = &["admin", "administrator"];

/// The reason why a name is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// It is too short or too long.
    #[error("a name has 3 to 32 characters")]
    Length,
    /// It holds other characters.
    #[error("a name is made of the letters a to z, digits, `-`, `_` and `.`")]
    Characters,
    /// It begins or ends with a punctuation character.
    #[error("a name begins and ends with a letter or a digit")]
    Ends,
    /// It could be mistaken for another account or a built-in bot.
    #[error("the name `{0}` is reserved")]
    Reserved(String),
}

impl Name {
    /// Checks a name that a user chose.
    ///
    /// # Errors
    /// The reason why the name is refused.
    pub fn new(text: &str) -> Result<Name, NameError> {
        let name = Name::plain(text)?;
        let seen = seen_as(text);
        let is_built_in = |game: &dyn catalog::AnyGame| {
            game.ladder().iter().chain(game.levels()).any(|bot| seen_as(bot.title) == seen)
        };
        if catalog::games().any(is_built_in) || seen.starts_with("deleted-") {
            return Err(NameError::Reserved(name.0));
        }
        if RESERVED.iter().chain(ADMINS).any(|word| seen_as(word) == seen) || seen.starts_with("boss-") {
            return Err(NameError::Reserved(name.0));
        }
        Ok(name)
    }

    /// Checks only the form: for the name of the admin, which the site itself makes.
    ///
    /// # Errors
    /// The reason why the name is refused.
    pub fn plain(text: &str) -> Result<Name, NameError> {
        if !(3..=32).contains(&text.chars().count()) {
            return Err(NameError::Length);
        }
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
            return Err(NameError::Characters);
        }
        if !text.starts_with(|c: char| c.is_ascii_alphanumeric())
            || !text.ends_with(|c: char| c.is_ascii_alphanumeric())
        {
            return Err(NameError::Ends);
        }
        Ok(Name(text.to_owned()))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A form of the name in which similar names are equal: case is ignored, and `0` and `o`, `1`, `i` and `l`, the three
/// punctuation characters, and `rn` and `m` are the same.
fn seen_as(name: &str) -> String {
    let folded: String = name
        .chars()
        .map(|c| match c.to_ascii_lowercase() {
            '0' => 'o',
            '1' | 'i' => 'l',
            '_' | '.' => '-',
            c => c,
        })
        .collect();
    folded.replace("rn", "m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_are_accepted() {
        for good in ["Ada", "ada.lovelace", "x_1", "42nd-street", "a2345678901234567890123456789012"] {
            assert_eq!(Name::new(good).map(|name| name.to_string()), Ok(good.to_owned()));
        }
    }

    #[test]
    fn other_names_are_refused() {
        let long = "a".repeat(33);
        for bad in [
            "",
            "ab",
            long.as_str(),
            "-ab",
            "ab-",
            ".ab",
            "a b",
            "ab\n",
            "a<b>c",
            "àda",
            "аdmin",
            "ad\u{200b}am",
            "a/b",
            "..",
            "a%41b",
            "admin",
            "Adm1n",
            "adrnin",
            "ROOT",
            "r00t",
            "boss-1",
            "Boss_2",
            "me.",
            "\u{202e}abc",
        ] {
            assert!(Name::new(bad).is_err(), "{bad:?}");
        }
        assert!(Name::plain("admin").is_ok());
    }
}
