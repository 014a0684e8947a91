//! `agon completions` and `agon man`: both come from the description of the arguments, as `--help` does.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::Failure;
use crate::args::{self, Arguments, CompletionsArgs, ManArgs};
use crate::output::print;

pub(crate) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let shell = match args.shell {
        args::Shell::Bash => Shell::Bash,
        args::Shell::Zsh => Shell::Zsh,
        args::Shell::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "agon", &mut script);
    print(&String::from_utf8_lossy(&script))
}

pub(crate) fn man(args: &ManArgs) -> Result<(), Failure> {
    let unusable = |error| Failure::Unusable(format!("{}: {error}", args.folder.display()));
    std::fs::create_dir_all(&args.folder).map_err(unusable)?;
    clap_mangen::generate_to(Arguments::command(), &args.folder).map_err(unusable)
}
