//! Enums that are stored and sent as words.

/// A text that is no word of the enum it was read for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{word}` is no {of}: it must be one of {known}")]
pub struct WordError {
    /// The text.
    pub word: String,
    /// The name of the enum.
    pub of: &'static str,
    /// The words of the enum, separated by spaces.
    pub known: String,
}

/// Defines an enum that is stored as a word, with parsing and printing.
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $word)] $variant),* }

        impl $name {
            /// The word it is stored as.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::WordError;
            fn from_str(word: &str) -> std::result::Result<$name, $crate::WordError> {
                match word {
                    $($word => Ok($name::$variant),)*
                    _ => Err($crate::WordError {
                        word: word.to_owned(),
                        of: stringify!($name),
                        known: [$($word),*].join(" "),
                    }),
                }
            }
        }
    };
}
