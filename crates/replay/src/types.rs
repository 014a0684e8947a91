//! The TypeScript types of what the page is sent: made from the Rust ones, and kept in `web/src/wire.ts`.

use ts_rs::{Config, TS};

use crate::wire;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/wire.ts");

fn declaration<T: TS>(config: &Config) -> String {
    format!("export {}\n", T::decl(config))
}

fn all() -> String {
    let config = &Config::new().with_large_int("number");
    let mut text = String::from(
        "// Made from the Rust types by `UPDATE=1 cargo test -p viewer types`: do not edit.\n\n",
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
        ocean_of_code::Cell,
        ocean_of_code::Direction,
        ocean_of_code::Power,
        ocean_of_code::Board,
        ocean_of_code::Boat,
        ocean_of_code::Frame,
        ocean_of_code::Choices,
        ocean_of_code::Event,
        hypersonic::Cell,
        hypersonic::Item,
        hypersonic::Reason,
        hypersonic::Board,
        hypersonic::Stored,
        hypersonic::Bomber,
        hypersonic::LitBomb,
        hypersonic::Frame,
        hypersonic::Choices,
        hypersonic::Event,
        back_track::Reason,
        back_track::Station,
        back_track::Board,
        back_track::Link,
        back_track::Frame,
        back_track::Choices,
        back_track::Event,
        wire::PlayerInfo,
        wire::ReplayHeader,
        wire::ReplayEnd,
        wire::Answer,
        wire::Step,
        wire::Replay,
        wire::ReplayDelta,
        wire::ListedReplay,
        wire::Playable,
        wire::ReplayList,
        wire::Challenge,
        wire::Asked,
        wire::Reply,
        wire::Line,
    );
    let names: Vec<String> = catalog::games().iter().map(|game| format!("{:?}", game.info().name)).collect();
    text += &["export type GameName = ", &names.join(" | "), ";\n"].concat();
    text.push_str("export type Board = RailBoard | BombBoard | SeaBoard;\n");
    text.push_str("export type Frame = RailFrame | BombFrame | SeaFrame;\n");
    text.push_str("export type GameEvent = RailEvent | BombEvent | SeaEvent;\n");
    text.push_str("export type Choices = RailChoices | BombChoices | SeaChoices;\n");
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

#[test]
fn the_page_knows_what_it_is_sent() {
    let made = all();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, &made).expect("web/src can be written");
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(kept == made, "web/src/wire.ts is out of date: UPDATE=1 cargo test -p viewer types");
}
