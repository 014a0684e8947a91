//! The page that shows matches: one file, made from `web/` and kept in this repository, so that building Agon takes no Node.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use replay::wire::Replay;

/// The page without a match in it: it asks the server it came from.
pub const PAGE: &str = include_str!("../../../web/dist/index.html");

/// Where matches go in a page that asks nobody.
const PLACE: &str = "<!--agon-replays-->";

/// A page with these matches in it, which opens from a disk, offline. The matches are packed: what stands in the page is
/// letters and digits only, whatever bots have written.
///
/// # Errors
///
/// When the page in this program has no place for them, which the tests rule out.
pub fn self_contained(replays: &[Replay]) -> Result<String, String> {
    let (before, after) = PAGE.split_once(PLACE).ok_or("the page has no place for matches")?;
    let text = serde_json::to_vec(replays).map_err(|error| error.to_string())?;
    let packed = STANDARD.encode(gzip(&text).map_err(|error| error.to_string())?);
    Ok(format!("{before}<script type=\"application/agon+gzip\" id=\"agon-replays\">{packed}</script>{after}"))
}

pub(crate) fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(bytes)?;
    packed.finish()
}
