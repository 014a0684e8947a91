//! Generates the TypeScript types in `web/src/wire.ts`.

use ts_rs::{Config, TS};

use crate::wire;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/wire.ts");

fn declaration<T: TS>(config: &Config) -> String {
    format!("export {}\n", T::decl(config))
}

fn all() -> String {
    let config = &Config::new().with_large_int("number");
    let mut text = String::from(
        "// Made from the Rust types by `UPDATE=1 cargo test -p replay types`: do not edit.\n\n",
    );
    macro_rules! declare {
        ($($type:ty),* $(,)?) => { $(text.push_str(&declaration::<$type>(config));)* };
    }
    declare!(
        game::Seat,
        game::Limits,
        game::Outcome,
        game::FaultKind,
        game::Fault,
        game::MarkKind,
        game::Mark,
        wire::PlayerInfo,
        wire::ReplayHeader,
        wire::ReplayEnd,
        wire::Answer,
        game::ScorePart,
        wire::Step,
        crate::analysis::Better,
        crate::analysis::Moment,
        crate::analysis::Position,
        crate::analysis::Analysis,
        wire::Replay,
        wire::ReplayDelta,
        wire::ListedReplay,
        wire::Playable,
        wire::ReplayList,
        wire::Challenge,
        wire::Continuation,
        wire::Given,
        wire::Trial,
        wire::Tried,
        wire::Asked,
        wire::Reply,
        wire::Line,
    );
    text.push_str("export type GameName = string;\n");
    // A line of a bot is a text, or bytes that are no text.
    text.push_str("export type RecordedLine = string | { hex: string };\n");
    // The types of each game are generated into its own folder.
    for name in ["Board", "Frame", "GameEvent", "Choices"] {
        text += &["export type ", name, " = unknown;\n"].concat();
    }
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

#[test]
fn the_types_of_the_page_are_up_to_date() {
    let made = all();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, &made).expect("web/src can be written");
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(kept == made, "web/src/wire.ts is out of date: UPDATE=1 cargo test -p replay types");
}
