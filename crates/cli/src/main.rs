//! The `agon` command: it reads arguments, calls the library, prints, and reports the result by its exit code.

mod args;
mod caller;
mod commands;
mod output;
mod progress;
mod records;
mod remote;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

/// The reason why a command did not succeed; it determines the exit code.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command was carried out, and its result is negative (exit code 1).
    No,
    /// The command cannot be carried out (exit code 2); the text says what to do.
    Unusable(String),
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Unusable(error.to_string())
    }
}

/// Starts built-in bots as processes of this program.
pub(crate) fn launcher() -> Result<toolchain::Launcher, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::Unusable(format!("the path of this program is unknown: {error}")))?;
    Ok(toolchain::Launcher::new(program))
}

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(commands::referee::spell_out(std::env::args_os()));
    let Some(command) = arguments.command else {
        return exit(output::print(args::FIRST_STEPS));
    };
    exit(run(command))
}

/// Carries out a command.
pub(crate) fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Games(args) => commands::games::run(&args),
        Command::Statement(args) => commands::statement::run(&args),
        Command::Map(args) => commands::map::run(&args),
        Command::New(args) => commands::new::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Bot(args) => commands::bot::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Debug(args) => commands::debug::run(&args),
        Command::Fork(args) => commands::fork::run(&args),
        Command::Analyse(args) => commands::analyse::run(&args),
        Command::Duel(args) => commands::duel::run(&args),
        Command::Tournament(args) => commands::tournament::run(&args),
        Command::Tune(args) => commands::tune::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Resume(args) => commands::resume::run(&args),
        Command::Referee(args) => commands::referee::run(&args),
        Command::Import(args) => commands::import::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        Command::Watch(args) => commands::watch::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Worker(args) => commands::worker::run(&args),
        Command::Admin(args) => commands::admin::run(&args),
        Command::Login(args) => commands::login::run(&args),
        Command::Submit(args) => commands::submit::run(&args),
        Command::Status(args) => commands::status::run(&args),
        Command::Logs(args) => commands::logs::run(&args),
        Command::Export(args) => commands::export::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Completions(args) => commands::shell_files::completions(&args),
        Command::Man(args) => commands::shell_files::man(&args),
        Command::Simulate(args) => commands::simulate::run(&args),
        Command::Mcp(args) => commands::mcp::run(&args),
    }
}

/// Prints the reason of a failure. Returns the exit code.
fn exit(done: Result<(), Failure>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::No) => ExitCode::from(1),
        Err(Failure::Unusable(why)) => {
            output::complain(&why);
            ExitCode::from(2)
        }
    }
}
