//! The one place that makes text of bots safe to print and to show. A bot may write anything: control characters, marks that
//! turn the direction of the text around, invisible characters. Pages escape markup themselves.

/// What stands in the place of an unsafe character.
const REPLACEMENT: char = '\u{FFFD}';

/// One line of at most `longest` characters: unsafe characters are replaced, line feeds among them, and the rest is cut off
/// with an ellipsis.
pub fn safe_line(text: &str, longest: usize) -> String {
    let safe = |c| if is_unsafe(c) { REPLACEMENT } else { c };
    cut(text.chars().map(safe), longest)
}

/// Several lines: like [`safe_line`], with line feeds and tabs left in and carriage returns left out.
pub fn safe_text(text: &str, longest: usize) -> String {
    let safe = |c| if c != '\n' && c != '\t' && is_unsafe(c) { REPLACEMENT } else { c };
    cut(text.chars().filter(|&c| c != '\r').map(safe), longest)
}

fn cut(text: impl Iterator<Item = char>, longest: usize) -> String {
    let mut cut: String = text.take(longest + 1).collect();
    if let Some((end, _)) = cut.char_indices().nth(longest) {
        cut.truncate(end);
        cut.push('…');
    }
    cut
}

/// Whether a character can change how the text around it is printed, or hide in it. Variation selectors are safe: they choose
/// between two visible forms of the character before them.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Marks of direction.
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
            // Line and paragraph separators.
            | '\u{2028}' | '\u{2029}'
            // Without width or invisible: soft hyphen, Mongolian vowel separator, joiners, operators, deprecated format
            // characters, byte order mark, interlinear annotations, tags.
            | '\u{00AD}' | '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{206A}'..='\u{206F}'
            | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(safe_line("<b>\"é\"</b>", 60), "<b>\"é\"</b>");
        assert_eq!(safe_line("a\u{1b}[2J\u{202E}b\n", 60), "a\u{FFFD}[2J\u{FFFD}b\u{FFFD}");
        assert_eq!(safe_text("a\r\n\tb\0", 60), "a\n\tb\u{FFFD}");
        assert_eq!(safe_line("ééé", 2), "éé…");
        assert_eq!(safe_line("éé", 2), "éé");
        assert_eq!(safe_line("", 0), "");
        assert_eq!(safe_line("a", 0), "…");
    }

    /// Every range of unsafe characters, by its first and last one.
    const UNSAFE: [(u32, u32); 16] = [
        (0x00, 0x1F),
        (0x7F, 0x9F),
        (0xAD, 0xAD),
        (0x061C, 0x061C),
        (0x180E, 0x180E),
        (0x200B, 0x200D),
        (0x200E, 0x200F),
        (0x2028, 0x2029),
        (0x202A, 0x202E),
        (0x2060, 0x2064),
        (0x2066, 0x2069),
        (0x206A, 0x206F),
        (0xFEFF, 0xFEFF),
        (0xFFF9, 0xFFFB),
        (0xE0000, 0xE001F),
        (0xE0020, 0xE007F),
    ];

    #[test]
    fn every_unsafe_character_is_replaced() {
        for c in UNSAFE.iter().flat_map(|&(first, last)| first..=last).filter_map(char::from_u32) {
            let text = format!("a{c}b");
            assert_eq!(safe_line(&text, 60), "a\u{FFFD}b", "{}", c.escape_unicode());
            let expected = match c {
                '\n' | '\t' => text.clone(),
                '\r' => "ab".to_owned(),
                _ => "a\u{FFFD}b".to_owned(),
            };
            assert_eq!(safe_text(&text, 60), expected, "{}", c.escape_unicode());
            assert_eq!(crate::quote(text.as_bytes()), format!("`a{}b`", c.escape_unicode()));
        }
    }

    #[test]
    fn every_other_character_stays() {
        for c in ('\0'..=char::MAX)
            .filter(|&c| !UNSAFE.iter().any(|&(first, last)| (first..=last).contains(&(c as u32))))
        {
            assert!(!is_unsafe(c), "{}", c.escape_unicode());
        }
        for text in ["abc ~", "naïve Ωж漢字", "e\u{301}", "❤\u{FE0F}", "שלום", "\u{A0}|"] {
            assert_eq!(safe_line(text, 60), text);
        }
    }
}
