//! `agon watch`

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use viewer::{ReplayList, Server};

use crate::Failure;
use crate::output::{note, print, print_json};

#[derive(Args, Debug)]
pub(crate) struct WatchArgs {
    /// Files with records or traces; the page also lets you play yourself
    #[arg(value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
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
    let replays = Arc::new(ReplayList::new());
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
