//! Local pages and pictures of matches.
//!
//! A [`ReplayList`] holds records, live matches and games of persons; with [`LocalBots`] it starts programs on recorded
//! turns and in continuations. A [`Server`] serves them with the page that
//! draws them, [`self_contained`] writes a page that needs no server, and a [`Renderer`] makes pictures and clips
//! with the same code that draws in the page.

mod bots;
mod error;
mod page;
mod renderer;
mod replay_list;
mod server;

pub use bots::{LocalBots, Ready, Wanted};
pub use error::{FileError, RenderError, StartError};
pub use page::{PAGE, self_contained};
pub use renderer::{Look, Renderer};
pub use replay_list::{ReadMatch, ReplayList, read_matches};
pub use server::Server;
