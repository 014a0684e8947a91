//! Statements: one Markdown source per game and language, from which each league's statement is made.
//!
//! The source has two kinds of marks:
//! - `{{name}}` stands for a fact, such as a number of the rules (`{{lives}}`; `{{map.width}}` inside another);
//! - `<!-- if name -->` ... `<!-- else -->` ... `<!-- end -->` keeps a part only where the fact is true: not `false`,
//!   `null` or 0. `<!-- if not name -->` and `<!-- if name=value -->` work as they read. Parts nest. A mark alone on its line
//!   leaves no empty line behind.

use std::borrow::Cow;

use serde_json::Value;

/// A statement that cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StatementError {
    /// A mark names a fact that does not exist.
    #[error("the statement names an unknown fact `{0}`")]
    UnknownFact(String),
    /// A mark is not closed, or closes a part that is not open.
    #[error("the statement has an unbalanced mark `{0}`")]
    Unbalanced(String),
}

/// Makes the statement of one rule set from the source.
///
/// # Errors
///
/// When the source names a fact that does not exist or its marks do not balance.
pub fn render(source: &str, facts: &Value) -> Result<String, StatementError> {
    let mut out = String::with_capacity(source.len());
    // For each open part, whether it is kept.
    let mut kept: Vec<bool> = Vec::new();
    let mut rest = source;
    while let Some((before, mark, after)) = next_mark(rest) {
        let (mut before, mut after) = (before, after);
        if let Mark::Condition(_) = mark {
            // A mark alone on its line takes the line with it.
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let starts_line = before[line_start..].trim().is_empty()
                && (line_start > 0 || out.is_empty() || out.ends_with('\n'));
            let line_end = after.find('\n').map_or(after.len(), |at| at + 1);
            if starts_line && after[..line_end].trim().is_empty() {
                before = &before[..line_start];
                after = &after[line_end..];
            }
        }
        let keep = kept.iter().all(|&keep| keep);
        if keep {
            out.push_str(before);
        }
        match mark {
            Mark::Fact(name) => {
                if keep {
                    out.push_str(&shown(fact(facts, name)?));
                }
            }
            Mark::Condition(words) => condition(words, facts, &mut kept)?,
        }
        rest = after;
    }
    if !kept.is_empty() {
        return Err(StatementError::Unbalanced("if".into()));
    }
    out.push_str(rest);
    Ok(out)
}

enum Mark<'a> {
    Fact(&'a str),
    Condition(&'a str),
}

/// The text before the first mark, the mark, the text after it.
fn next_mark(text: &str) -> Option<(&str, Mark<'_>, &str)> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find(['{', '<'])?;
        let tail = &text[at..];
        for (open, close) in [("{{", "}}"), ("<!--", "-->")] {
            let Some(inner) = tail.strip_prefix(open) else { continue };
            let Some(end) = inner.find(close) else { continue };
            let words = inner[..end].trim();
            let mark = if open == "{{" {
                Mark::Fact(words)
            } else if words.starts_with("if ") || words == "else" || words == "end" {
                Mark::Condition(words)
            } else {
                continue;
            };
            return Some((&text[..at], mark, &inner[end + close.len()..]));
        }
        from = at + 1;
    }
}

fn condition(words: &str, facts: &Value, kept: &mut Vec<bool>) -> Result<(), StatementError> {
    let unbalanced = || StatementError::Unbalanced(words.to_owned());
    match words.strip_prefix("if ").map(str::trim) {
        None if words == "end" => {
            kept.pop().ok_or_else(unbalanced)?;
        }
        None => {
            let last = kept.last_mut().ok_or_else(unbalanced)?;
            *last = !*last;
        }
        Some(test) => {
            let (negated, test) = test.strip_prefix("not ").map_or((false, test), |test| (true, test.trim()));
            let holds = match test.split_once('=') {
                None => {
                    !matches!(fact(facts, test)?, Value::Bool(false) | Value::Null)
                        && fact(facts, test)?.as_f64() != Some(0.0)
                }
                Some((name, wanted)) => shown(fact(facts, name.trim())?) == wanted.trim(),
            };
            kept.push(holds != negated);
        }
    }
    Ok(())
}

/// A fact as it stands in the text.
fn shown(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        value => Cow::Owned(value.to_string()),
    }
}

fn fact<'a>(facts: &'a Value, name: &str) -> Result<&'a Value, StatementError> {
    name.split('.')
        .try_fold(facts, |value, part| value.get(part))
        .ok_or_else(|| StatementError::UnknownFact(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(source: &str, expected: &str) {
        let facts = json!({"lives": 6, "mines": null, "sonar": 4, "blast": "everyone", "map": {"width": 15}, "off": false});
        assert_eq!(render(source, &facts).unwrap(), expected);
    }

    #[test]
    fn marks_become_facts() {
        check("{{lives}} lives on {{map.width}} columns, {{blast}}", "6 lives on 15 columns, everyone");
        check("a\n<!-- if mines -->\nmines\n<!-- else -->\nnone\n<!-- end -->\nb\n", "a\nnone\nb\n");
        check("<!-- if sonar -->\n<!-- if not off -->\nx\n<!-- end -->\n<!-- end -->\n", "x\n");
        check("<!-- if mines -->\n<!-- if sonar -->\n{{nothing}}\n<!-- end -->\n<!-- end -->\ny", "y");
        check(
            "in <!-- if blast=everyone -->one<!-- end --> line <!-- a comment --> {x} <",
            "in one line <!-- a comment --> {x} <",
        );
    }

    #[test]
    fn mistakes_are_named() {
        let facts = json!({});
        assert_eq!(render("{{x}}", &facts), Err(StatementError::UnknownFact("x".into())));
        assert_eq!(render("<!-- if x -->", &facts), Err(StatementError::UnknownFact("x".into())));
        assert_eq!(render("<!-- end -->", &facts), Err(StatementError::Unbalanced("end".into())));
        assert_eq!(render("<!-- else -->", &facts), Err(StatementError::Unbalanced("else".into())));
        assert_eq!(
            render("<!-- if not a -->", &json!({"a": 1})),
            Err(StatementError::Unbalanced("if".into()))
        );
    }
}
