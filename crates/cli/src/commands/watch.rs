//! `agon watch`

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use review::Recording;
use toolchain::{BotSpec, BuildCache};
use viewer::{LocalBots, Ready, ReplayList, Server, Wanted};

use crate::Failure;
use crate::commands::debug::Prepared;
use crate::output::{note, print, print_json};

#[derive(Args, Debug)]
pub(crate) struct WatchArgs {
    /// Files with records or traces; the page also lets you play yourself
    #[arg(value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// A bot that pages may run on recorded turns and continue matches with: a command or a source file (may be repeated)
    #[arg(long = "bot", short, value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    #[command(flatten)]
    pub(crate) page: PageArgs,
    /// Print JSON: the address
    #[arg(long)]
    pub(crate) json: bool,
}

/// The address of the page.
#[derive(Args, Debug)]
pub(crate) struct PageArgs {
    /// Where the viewer listens; port 0 is any free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
}

pub(crate) fn run(args: &WatchArgs) -> Result<(), Failure> {
    let replays = Arc::new(list(&args.bots, &args.page)?);
    let mut matches = 0;
    for file in &args.files {
        matches += replays.add_file(file)?;
    }
    let server = serve(replays, &args.page)?;
    // A single match is shown at once; otherwise the page begins with the list.
    let address = address(&server, (matches == 1).then_some(0));
    if args.json {
        print_json(&serde_json::json!({"address": address, "matches": matches}))?;
    } else {
        print(&format!("{address}\n"))?;
        note("Ctrl-C ends it");
    }
    open(&args.page, &address);
    server.serve_for_ever()
}

/// An empty list whose pages may start bots. Only pages of this machine may: others would run programs here.
pub(crate) fn list(bots: &[String], page: &PageArgs) -> Result<ReplayList, Failure> {
    if !page.listen.ip().is_loopback() {
        return if bots.is_empty() {
            Ok(ReplayList::new())
        } else {
            Err(Failure::Unusable(format!(
                "bots are started for pages of this machine only; listen at 127.0.0.1, not at {}",
                page.listen.ip()
            )))
        };
    }
    for words in bots {
        words.parse::<BotSpec>()?;
    }
    let cache = BuildCache::usual();
    let ready = move |recording: &Recording, wanted: Wanted<'_>| {
        let prepared = match wanted {
            Wanted::Named(words) => Prepared::named(&cache, words, None, recording),
            Wanted::Recorded(seat) => Prepared::recorded(&cache, seat, None, recording),
        };
        match prepared {
            Ok(Prepared { name, program, sandbox, .. }) => {
                Ok(Ready { name, program, sandbox: Arc::new(sandbox) })
            }
            Err(Failure::Unusable(why)) => Err(why),
            Err(Failure::No) => Err("it cannot be used".to_owned()),
        }
    };
    Ok(ReplayList::new().with_bots(LocalBots::new(bots.to_vec(), ready)))
}

pub(crate) fn serve(replays: Arc<ReplayList>, page: &PageArgs) -> Result<Server, Failure> {
    Ok(Server::start(replays, page.listen)?)
}

/// The address of the page, or of a match on it.
pub(crate) fn address(server: &Server, id: Option<usize>) -> String {
    let at = id.map_or_else(String::new, |id| format!("?match={id}"));
    format!("http://{}/{at}", server.address())
}

/// Opens a browser if the user asked for it.
pub(crate) fn open(page: &PageArgs, address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if page.open && std::process::Command::new(opener).arg(address).spawn().is_err() {
        note(&format!("{opener} cannot be started; open {address} yourself"));
    }
}
