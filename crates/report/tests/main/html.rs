//! A strict reader of HTML, stricter than any browser: every element is closed in its order, every attribute stands in quotes.

/// An element or a piece of text.
#[derive(Debug)]
pub(crate) enum Piece {
    /// Name and attributes.
    Element(String, Vec<(String, String)>),
    Text(String),
}

const VOID: [&str; 2] = ["meta", "br"];

/// Reads a page, or says what is wrong with it.
pub(crate) fn read(page: &str) -> Result<Vec<Piece>, String> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no document type")?;
    let (mut pieces, mut open): (Vec<Piece>, Vec<String>) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        if let Some(closing) = rest.strip_prefix("</") {
            let (name, after) = closing.split_once('>').ok_or("an end tag without an end")?;
            if open.pop().as_deref() != Some(name) {
                return Err(format!("</{name}> closes something else"));
            }
            rest = after;
        } else if let Some(tag) = rest.strip_prefix('<') {
            let (name, attributes, closed, after) = read_tag(tag)?;
            rest = after;
            let raw = ["script", "style"].contains(&name.as_str());
            if !closed && !VOID.contains(&name.as_str()) {
                open.push(name.clone());
            }
            if raw {
                let end = rest.find("</").ok_or("a script without an end")?;
                pieces.push(Piece::Element(name, attributes));
                pieces.push(Piece::Text(rest[..end].to_owned()));
                rest = &rest[end..];
                continue;
            }
            pieces.push(Piece::Element(name, attributes));
        } else {
            let end = rest.find('<').unwrap_or(rest.len());
            pieces.push(Piece::Text(unescaped(&rest[..end])?));
            rest = &rest[end..];
        }
    }
    if open.is_empty() { Ok(pieces) } else { Err(format!("never closed: {open:?}")) }
}

type Tag<'a> = (String, Vec<(String, String)>, bool, &'a str);

fn read_tag(tag: &str) -> Result<Tag<'_>, String> {
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).ok_or("a tag without an end")?;
    let (name, mut rest) = tag.split_at(end);
    if name.is_empty() {
        return Err(format!("a bare < before {:?}", &tag.chars().take(20).collect::<String>()));
    }
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>") {
            return Ok((name.to_owned(), attributes, true, after));
        }
        if let Some(after) = rest.strip_prefix('>') {
            return Ok((name.to_owned(), attributes, false, after));
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(0);
        if end == 0 {
            return Err(format!("<{name}>: no attribute: {:?}", rest.chars().take(20).collect::<String>()));
        }
        let (key, after) = rest.split_at(end);
        let value = match after.strip_prefix("=\"") {
            None => {
                rest = after;
                ""
            }
            Some(value) => {
                let (value, after) = value.split_once('"').ok_or("an attribute without an end")?;
                rest = after;
                value
            }
        };
        attributes.push((key.to_owned(), unescaped(value)?));
    }
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let (name, after) = after.split_once(';').ok_or_else(|| format!("a bare & in {text:?}"))?;
        plain.push_str(before);
        plain.push_str(match name {
            "amp" => "&",
            "lt" => "<",
            "gt" => ">",
            "quot" => "\"",
            "#39" => "'",
            _ => return Err(format!("&{name}; is not known here")),
        });
        rest = after;
    }
    Ok(plain + rest)
}

/// Reads a page and checks what holds for every one: one script and one style, named by the policy; no handler, no
/// address of another host, no number that is none.
pub(crate) fn checked(page: &str) -> Vec<Piece> {
    let pieces = read(page).unwrap_or_else(|why| panic!("{why}"));
    let mut counts = [0; 2];
    for piece in &pieces {
        let Piece::Element(name, attributes) = piece else { continue };
        counts[0] += usize::from(name == "script");
        counts[1] += usize::from(name == "style");
        assert!(
            !["img", "iframe", "object", "embed", "link", "form", "input", "base"].contains(&name.as_str()),
            "<{name}>"
        );
        for (key, value) in attributes {
            assert!(!key.starts_with("on") && key != "src" && key != "style", "<{name} {key}>");
            if key == "href" {
                assert!(!value.contains(':') && !value.starts_with("//"), "a link leaves the page: {value}");
            }
            let numbers = ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height"];
            if numbers.contains(&key.as_str()) {
                assert!(value.parse::<f64>().is_ok_and(f64::is_finite), "<{name} {key}={value}>");
            }
            if key == "points" {
                assert!(!value.contains("NaN") && !value.contains("inf"), "<{name} {key}={value}>");
            }
        }
    }
    assert_eq!(counts, [1, 1], "one script and one style");
    assert!(page.contains("default-src 'none'") && page.contains("script-src 'sha256-"), "a policy");
    pieces
}

/// All text of a page but style and script.
pub(crate) fn words(pieces: &[Piece]) -> String {
    let mut words = String::new();
    let mut raw = false;
    for piece in pieces {
        match piece {
            Piece::Element(name, _) => raw = name == "script" || name == "style",
            Piece::Text(text) if !raw => {
                words.push_str(text);
                words.push(' ');
            }
            Piece::Text(_) => {}
        }
    }
    words
}

#[test]
fn the_reader_is_strict() {
    assert!(read("<!DOCTYPE html><p class=\"a\">x &amp; y</p>").is_ok());
    for wrong in [
        "<p>",
        "<p></b>",
        "<p a='x'></p>",
        "<p>a & b</p>",
        "<p>a < b</p>",
        "<p \"></p>",
        "<p>&x;</p>",
        "</p>",
    ] {
        assert!(read(&format!("<!DOCTYPE html>{wrong}")).is_err(), "{wrong}");
    }
}
