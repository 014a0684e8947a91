//! The TypeScript types of what the scene is sent.

use std::path::Path;

use back_track::{Board, Choices, Event, Frame, Link, Reason, Station};
use game::TypeScript;

#[test]
fn types() {
    TypeScript::new("back-track")
        .with::<Reason>()
        .with::<Station>()
        .with::<Board>()
        .with::<Link>()
        .with::<Frame>()
        .with::<Choices>()
        .with::<Event>()
        .check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("web/wire.ts"));
}
