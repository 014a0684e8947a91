//! Fingerprints of sources: which of them have the same structure, whatever their names and comments are.
//!
//! A source becomes a sequence of tokens in which every identifier, number and text is one token each. Hashes of its
//! k-grams are chosen by winnowing (S. Schleimer, D. Wilkerson and A. Aiken, 2003): the smallest hash of each window.

use std::collections::BTreeSet;

/// The number of tokens in a hash.
const GRAM: usize = 9;
/// The number of consecutive hashes of which the smallest is kept.
const WINDOW: usize = 6;
/// A fingerprint with fewer hashes says nothing.
const FEWEST: usize = 20;
/// Words that keep their identity, in any language.
const KEYWORDS: &[&str] = &[
    "if", "else", "elif", "for", "while", "do", "switch", "case", "match", "break", "continue", "return",
    "def", "fn", "func", "function", "class", "struct", "enum", "import", "using", "include", "try", "catch",
    "except", "new", "in", "let", "const", "var", "lambda", "yield",
];

/// The fingerprint of a source.
#[derive(Clone, Default, Debug)]
pub(crate) struct Fingerprint(BTreeSet<u64>);

impl Fingerprint {
    pub(crate) fn of(source: &str) -> Fingerprint {
        let tokens = tokens(source);
        let hashes: Vec<u64> = tokens.windows(GRAM).map(hash).collect();
        let least = |window: &[u64]| window.iter().copied().min();
        Fingerprint(hashes.windows(WINDOW.min(hashes.len()).max(1)).filter_map(least).collect())
    }

    /// Removes the parts that another source has too, such as a starter bot.
    pub(crate) fn remove(&mut self, other: &Fingerprint) {
        self.0.retain(|hash| !other.0.contains(hash));
    }

    /// The share of common parts, from 0 to 1; `None` when one of the sources is too short to tell.
    pub(crate) fn similarity(&self, other: &Fingerprint) -> Option<f64> {
        if self.0.len().min(other.0.len()) < FEWEST {
            return None;
        }
        let common = self.0.intersection(&other.0).count();
        Some(common as f64 / (self.0.len() + other.0.len() - common) as f64)
    }
}

/// FNV-1a over the tokens.
fn hash(tokens: &[u32]) -> u64 {
    tokens
        .iter()
        .flat_map(|token| token.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

const NAME: u32 = 1;
const NUMBER: u32 = 2;
const TEXT: u32 = 3;
/// Keywords and characters have numbers above these.
const KEYWORD: u32 = 0x20_0000;

fn tokens(source: &str) -> Vec<u32> {
    let characters: Vec<char> = source.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let rest = &characters[at..];
        let run = |such: fn(&char) -> bool| rest.iter().take_while(|one| such(one)).count();
        let line = || rest.iter().position(|one| *one == '\n').unwrap_or(rest.len());
        at += match character {
            _ if character.is_whitespace() => 1,
            // `#include` is no comment, but every C program has some.
            '#' => line(),
            '/' if rest.get(1) == Some(&'/') => line(),
            '/' if rest.get(1) == Some(&'*') => {
                rest.windows(2).skip(2).position(|two| two == ['*', '/']).map_or(rest.len(), |end| end + 4)
            }
            '"' | '\'' => {
                tokens.push(TEXT);
                text_length(rest)
            }
            _ if character.is_alphabetic() || character == '_' => {
                let length = run(|one| one.is_alphanumeric() || *one == '_');
                let word: String = rest[..length].iter().collect();
                let keyword = KEYWORDS.iter().position(|known| **known == word);
                tokens.push(keyword.map_or(NAME, |index| KEYWORD + index as u32));
                length
            }
            _ if character.is_ascii_digit() => {
                tokens.push(NUMBER);
                run(|one| one.is_alphanumeric() || matches!(one, '.' | '_'))
            }
            _ => {
                tokens.push(character as u32);
                1
            }
        };
    }
    tokens
}

/// The length of a text literal with its quotes; a literal ends at the end of its line at the latest.
fn text_length(rest: &[char]) -> usize {
    let mut escaped = false;
    for (at, &character) in rest.iter().enumerate().skip(1) {
        match character {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == rest[0] => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kit(game: &str, language: &str) -> String {
        toolchain::kits(game).into_iter().find(|kit| kit.language.name == language).unwrap().source.to_owned()
    }

    #[test]
    fn new_names_and_comments_change_nothing() {
        let source = kit("hypersonic", "Python");
        let renamed =
            source.replace("input", "read_a_line").replace("range", "numbers").replace('\n', "  # mine\n");
        let same = Fingerprint::of(&source).similarity(&Fingerprint::of(&renamed)).unwrap();
        assert!(same > 0.95, "{same}");
    }

    #[test]
    fn other_programs_differ() {
        let [one, other] = ["hypersonic", "ocean-of-code"].map(|game| Fingerprint::of(&kit(game, "C++")));
        let similarity = one.similarity(&other).unwrap();
        assert!(similarity < 0.5, "{similarity}");
        assert!(Fingerprint::of("print('WAIT')").similarity(&one).is_none(), "too short to tell");
        assert!(Fingerprint::of("").0.is_empty());
    }

    #[test]
    fn a_starter_bot_is_not_counted() {
        let source = kit("hypersonic", "Python");
        let mut own = Fingerprint::of(&source);
        own.remove(&Fingerprint::of(&source));
        assert!(own.0.is_empty());
    }

    #[test]
    fn literals_and_comments_end() {
        assert_eq!(tokens("a = \"x\\\"y\" /* b */ + 12.5 // c\nif d: 'open\ne"), {
            let plain = |character: char| character as u32;
            vec![NAME, plain('='), TEXT, plain('+'), NUMBER, KEYWORD, NAME, plain(':'), TEXT, NAME]
        });
        assert_eq!(tokens("/* never closed"), Vec::<u32>::new());
    }
}
