//! The one place that makes text of bots safe to print and to show. A bot may write anything: control characters, marks that
//! turn the direction of the text around, characters without width. Pages escape markup themselves.

/// One line: control characters and marks of direction replaced, cut.
pub fn safe_line(text: &str, longest: usize) -> String {
    cut(text.chars().map(|c| if is_unsafe(c) { '\u{FFFD}' } else { c }), longest)
}

/// Several lines: the same, with line feeds and tabs left in.
pub fn safe_text(text: &str, longest: usize) -> String {
    let kept = |c: char| if c != '\n' && c != '\t' && is_unsafe(c) { '\u{FFFD}' } else { c };
    cut(text.chars().filter(|&c| c != '\r').map(kept), longest)
}

fn cut(text: impl Iterator<Item = char>, longest: usize) -> String {
    let mut cut: String = text.take(longest + 1).collect();
    if let Some((end, _)) = cut.char_indices().nth(longest) {
        cut.truncate(end);
        cut.push('…');
    }
    cut
}

/// Control characters, and those that turn text around or hide in it.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
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
    }
}
