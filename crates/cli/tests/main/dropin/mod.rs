//! Agon in combination with other tools: as a referee for testers, as the command of leagues, and as a reader of
//! replays.

mod doc;
pub(crate) mod import;
mod leagues;
mod referee;
mod support;
mod testers;
