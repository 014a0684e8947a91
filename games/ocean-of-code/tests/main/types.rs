//! The TypeScript types of what the scene is sent.

use std::path::Path;

use game::{Seat, TypeScript};
use ocean_of_code::{Board, Boat, Cell, Choices, Direction, Event, Frame, Power};

#[test]
fn types() {
    TypeScript::new("ocean-of-code")
        .with::<Seat>()
        .with::<Cell>()
        .with::<Direction>()
        .with::<Power>()
        .with::<Board>()
        .with::<Boat>()
        .with::<Frame>()
        .with::<Choices>()
        .with::<Event>()
        .check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("web/wire.ts"));
}
