//! The page that shows matches: one file, built from `web/` and kept in this repository, so that building Agon needs
//! no Node.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use replay::wire::Replay;

use crate::RenderError;

/// The page without matches: it gets them from the server it came from.
pub const PAGE: &str = include_str!("../../../web/dist/index.html");

/// The placeholder for matches in a page that needs no server.
const PLACE: &str = "<!--agon-replays-->";

/// A page that contains these matches and opens offline from a disk. The matches are compressed and encoded: the page
/// contains only letters and digits of them, whatever bots have written.
///
/// # Errors
///
/// When the page in this program has no placeholder for matches; the tests exclude that.
pub fn self_contained(replays: &[Replay]) -> Result<String, RenderError> {
    let (before, after) = PAGE.split_once(PLACE).ok_or(RenderError::NoPlace)?;
    let text = serde_json::to_vec(replays)?;
    let packed = STANDARD.encode(gzip(&text)?);
    Ok(format!("{before}<script type=\"application/agon+gzip\" id=\"agon-replays\">{packed}</script>{after}"))
}

pub(crate) fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(bytes)?;
    packed.finish()
}
