//! Matches for people.
//!
//! A [`Teller`] makes [`wire::Moment`]s of answers, the same way for a record ([`tell`]), a match that is being played ([`Live`])
//! and a game of a person. A [`Library`] holds them, a [`Server`] serves them with the page that draws them, and
//! [`self_contained`] writes a page that needs no server. [`Studio`] makes pictures and clips with the very code that draws
//! in the page.

mod clean;
mod library;
mod live;
mod page;
mod picture;
mod server;
mod table;
mod teller;
pub mod wire;

#[cfg(test)]
mod types;

pub use clean::{clean_line, clean_text};
pub use library::{Library, read_matches};
pub use live::Live;
pub use page::{PAGE, self_contained};
pub use picture::{Look, Studio};
pub use server::Server;
pub use table::Table;
pub use teller::{Aside, Teller, tell};
