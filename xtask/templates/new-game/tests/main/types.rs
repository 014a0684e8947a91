//! The TypeScript types of what the scene is sent.

use std::path::Path;

use __ident__::{Board, Choices, Event, Frame};
use game::{Seat, TypeScript};

#[test]
fn types() {
    TypeScript::new("__name__")
        .with::<Seat>()
        .with::<Board>()
        .with::<Frame>()
        .with::<Choices>()
        .with::<Event>()
        .check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("web/wire.ts"));
}
