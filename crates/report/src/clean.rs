//! Text of bots is hostile: names, commands and messages may contain tags, quotes, control characters and marks that
//! change the direction of writing. All text of a run passes through here before it is shown.

use std::fmt::Write as _;

use game::text::safe_line;

/// The most characters of a text of a bot.
const LONGEST: usize = 20_000;

/// Text of a bot on one line, made safe by `game::text` after line feeds and tabs have become spaces.
pub fn clean(text: &str) -> String {
    safe_line(&text.replace(['\t', '\n', '\r'], " "), LONGEST)
}

/// Text for HTML, between tags or within the quotes of an attribute.
pub(crate) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Appends to a string, which cannot fail.
pub(crate) fn put(into: &mut String, arguments: std::fmt::Arguments<'_>) {
    let _ = into.write_fmt(arguments);
}

/// The first characters of a text that is too long for its place.
pub(crate) fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most.saturating_sub(1)) {
        Some((at, _)) if text.chars().count() > most => format!("{}…", &text[..at]),
        _ => text.to_owned(),
    }
}

/// An integer with separated groups of thousands.
pub(crate) fn thousands(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "−" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(i64::try_from(count).unwrap_or(i64::MAX)), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaned_text_has_no_control_characters_and_no_tags() {
        assert_eq!(clean("a\u{1b}[31m\tb\u{202e}c\u{2028}d"), "a\u{fffd}[31m b\u{fffd}c\u{fffd}d");
        assert_eq!(html("<a b=\"'&\0\">"), "&lt;a b=&quot;&#39;&amp;\u{fffd}&quot;&gt;");
        // Letters of languages that are written from right to left are kept.
        assert_eq!(html("שלום"), "שלום");
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(short("éèêë", 4), "éèêë");
        assert_eq!(short("éèêëe", 4), "éèê…");
        assert_eq!(short("", 4), "");
    }

    #[test]
    fn thousands_are_separated() {
        let numbers = [0, 999, 1000, -1_234_567, i64::MIN].map(thousands);
        assert_eq!(numbers, ["0", "999", "1,000", "−1,234,567", "−9,223,372,036,854,775,808"]);
    }
}
