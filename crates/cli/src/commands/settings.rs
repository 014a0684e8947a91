//! The settings of an arena as flags: one for each setting of the server.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use server::config::{Config, KEYS, Key, Settings};

use crate::Failure;

/// The settings that were given on the command line.
#[derive(Debug, Clone, Default)]
pub(crate) struct SettingsArgs {
    file: Option<PathBuf>,
    values: Vec<(&'static str, Option<String>)>,
}

impl SettingsArgs {
    /// The settings, combined with those of the environment and the file.
    pub(crate) fn read(&self) -> Result<Config, Failure> {
        let flags = self.values.iter().map(|(name, value)| (*name, value.clone()));
        Ok(Settings::read(self.file.as_deref(), flags)?)
    }
}

impl FromArgMatches for SettingsArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut read = SettingsArgs::default();
        read.update_from_arg_matches(matches)?;
        Ok(read)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.file = matches.get_one::<PathBuf>("config").cloned();
        self.values =
            KEYS.iter().map(|key| (key.name, matches.get_one::<String>(key.name).cloned())).collect();
        Ok(())
    }
}

impl Args for SettingsArgs {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Settings in TOML [default: agon.toml in this folder, if there is one] [env: AGON_CONFIG]");
        KEYS.iter().fold(command.arg(file), |command, key| command.arg(flag(key)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn flag(key: &Key) -> Arg {
    // clap needs names that live as long as the program; there are about twenty, made once.
    let long: &'static str = key.name.replace('_', "-").leak();
    let mut help = key.about.to_owned();
    if !key.default.is_empty() && !help.contains("default:") {
        help = format!("{help} [default: {}]", key.default);
    }
    let arg = Arg::new(key.name).long(long).help(help);
    if key.default == "false" {
        arg.value_name("BOOL").num_args(0..=1).require_equals(true).default_missing_value("true")
    } else {
        arg.value_name("VALUE")
    }
}
