//! The TypeScript types of what the scene is sent.

use std::path::Path;

use game::{Seat, TypeScript};
use hypersonic::{Board, Bomber, Cell, Choices, Event, Frame, Item, LitBomb, Reason, Stored};

#[test]
fn types() {
    TypeScript::new("hypersonic")
        .with::<Seat>()
        .with::<Cell>()
        .with::<Item>()
        .with::<Reason>()
        .with::<Board>()
        .with::<Stored>()
        .with::<Bomber>()
        .with::<LitBomb>()
        .with::<Frame>()
        .with::<Choices>()
        .with::<Event>()
        .check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("web/wire.ts"));
}
