//! `cargo xtask picture`: the picture of the README, made from the real output of the command.

use std::fmt::Write as _;
use std::fs;

use crate::shell;

const COLUMN: f32 = 8.4;
const ROW: f32 = 17.0;
const MARGIN: f32 = 16.0;

/// Draws a map of each game, side by side, as `docs/maps.svg`.
pub(crate) fn picture() -> Result<(), String> {
    let agon = shell::build_agon()?;
    let mut panels = Vec::new();
    for game in shell::games()? {
        let arguments = ["map", &game, "--seed", "42", "--pretty"];
        let mut command = shell::command(&agon, &arguments);
        command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
        let output = command.output().map_err(|error| error.to_string())?;
        panels.push((
            format!("$ agon {}", arguments.join(" ")),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        ));
    }
    let folder = shell::root().join("docs");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join("maps.svg"), svg(&panels)))
        .map_err(|error| format!("docs/maps.svg cannot be written: {error}"))
}

/// The panels, one below the other, as a terminal shows them.
fn svg(panels: &[(String, String)]) -> String {
    let mut body = String::new();
    let (mut y, mut widest) = (MARGIN, 0);
    for (title, text) in panels {
        for line in [title.as_str()].into_iter().chain(text.lines()) {
            y += ROW;
            let _ = write!(body, "<text x=\"{MARGIN}\" y=\"{y}\">");
            widest = widest.max(write_spans(line, &mut body));
            body.push_str("</text>\n");
        }
        y += ROW;
    }
    let width = 2.0 * MARGIN + COLUMN * widest as f32;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {y:.0}\" width=\"{width:.0}\" height=\"{y:.0}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#11151c\"/>\n\
         <g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\" fill=\"#d5dae3\" xml:space=\"preserve\">\n{body}</g>\n</svg>\n"
    )
}

/// Writes a line with its colours and returns the number of visible characters.
fn write_spans(line: &str, out: &mut String) -> usize {
    let mut shown = 0;
    for (i, part) in line.split("\x1b[").enumerate() {
        let (code, text) = if i == 0 { ("0", part) } else { part.split_once('m').unwrap_or(("0", part)) };
        if text.is_empty() {
            continue;
        }
        shown += text.chars().count();
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = match style(code) {
            "" => write!(out, "<tspan>{text}</tspan>"),
            style => write!(out, "<tspan {style}>{text}</tspan>"),
        };
    }
    shown
}

fn style(code: &str) -> &'static str {
    match code {
        "2" => "fill=\"#6b7482\"",
        "1;31" => "fill=\"#ff6b6b\" font-weight=\"bold\"",
        "32" => "fill=\"#7bc96f\"",
        "33" => "fill=\"#e5c07b\"",
        "1;34" => "fill=\"#6cb6ff\" font-weight=\"bold\"",
        "1;35" => "fill=\"#d38aea\" font-weight=\"bold\"",
        "36" => "fill=\"#4fb3bf\"",
        "1" => "font-weight=\"bold\"",
        _ => "",
    }
}
