//! `agon mcp`

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, Parser as _};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::schemars::{self, JsonSchema};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt as _, tool, tool_handler, tool_router};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::args::{Arguments, Command};
use crate::{Failure, caller};

#[derive(Args, Debug)]
pub(crate) struct McpArgs {}

/// Advice for the program that calls the tools.
const INSTRUCTIONS: &str = "\
Programs play games against each other: a bot reads lines and writes lines. The usual way: list_games, read_statement, \
new_bot (it writes a folder with a starter program), then edit the program; check_bot shows whether it works, play_match plays \
one match and can keep a record, duel tells whether one bot is better than another, analyse_match shows the turns that decided \
a recorded match. submit_bot, arena_status and bot_logs use the arena where the user is logged in (`agon login URL`). A bot is \
a source file (bot.py, bot.cpp, bot.rs, ...), a command line, or a built-in: @random, @wait, @boss, @bronze to @champion, \
@champion:1 to @champion:10 (levels of strength).";

pub(crate) fn run(_: &McpArgs) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let served = runtime.block_on(async {
        let service = Tools::default().serve(rmcp::transport::stdio()).await?;
        service.waiting().await.map_err(|error| Failure::Unusable(error.to_string()))
    });
    // A command that still runs has nobody to report to.
    runtime.shutdown_background();
    served.map(|_| ())
}

/// The tools. A tool is a command with `--json`: its parameters are parsed as the words of the command.
#[derive(Clone, Default)]
struct Tools {
    /// Matches at the same time would disturb each other's clocks.
    one_at_a_time: Arc<Mutex<()>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatementAsk {
    /// Name of the game, as `list_games` gives it
    game: String,
    /// Level of the league, from 1; default: the last one, the full game
    league: Option<u8>,
    /// Edition of the rules, where the game has several; default: the first one
    edition: Option<String>,
    /// Number of players; default: the fewest
    players: Option<u8>,
    /// Language of the text: `en` or `fr`
    lang: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewAsk {
    /// Name of the game
    game: String,
    /// Programming language, such as `python`, `c++` or `rust`
    language: String,
    /// The folder to write, which must be new or empty; default: GAME-LANGUAGE
    folder: Option<String>,
    /// Level of the league, from 1; default: the last one, the full game
    league: Option<u8>,
    /// Language of the statement: `en` or `fr`
    lang: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CheckAsk {
    /// Name of the game
    game: String,
    /// The bot: a source file, a command line, or a built-in bot
    bot: String,
    /// Leagues that the bot claims to play; default: the last one
    #[serde(default)]
    leagues: Vec<u8>,
    /// Numbers of players; default: the fewest and the most
    #[serde(default)]
    players: Vec<u8>,
    /// Number of maps for each seat; default: 3
    maps: Option<u16>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlayAsk {
    /// Name of the game
    game: String,
    /// The bots, one for each seat: source files, command lines, or built-in bots
    bots: Vec<String>,
    /// Level of the league, from 1; default: the last one, the full game
    league: Option<u8>,
    /// Edition of the rules, where the game has several; default: the first one
    edition: Option<String>,
    /// The seed, a whole number as text; default: another one each time
    seed: Option<String>,
    /// File for the record of the match, for `analyse_match` and `agon watch`
    record: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DuelAsk {
    /// Name of the game
    game: String,
    /// The bot that the question is about
    bot: String,
    /// The bot it is compared with
    opponent: String,
    /// Number of games, rounded up to whole seeds; default: 200
    games: Option<u64>,
    /// Level of the league, from 1; default: the last one, the full game
    league: Option<u8>,
    /// Number of players; default: the fewest
    players: Option<u8>,
    /// Seed of the first map, a whole number as text; default: 1
    seed: Option<String>,
    /// The run file; default: a new one in this folder
    run: Option<String>,
    /// Folder for the records of the matches
    records: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AnalyseAsk {
    /// The match: the file of a record, `FILE:LINE`, or `RUN:INDEX` for a match of a duel that keeps records
    record: String,
    /// How much is computed: depth 4 plays four times as many continuations as depth 1; default: 1
    depth: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SubmitAsk {
    /// Name of the game
    game: String,
    /// The source, one file
    file: String,
    /// Programming language; default: by the ending of the file
    language: Option<String>,
    /// Key of the contest; default: the permanent contest
    contest: Option<String>,
    /// Only build it and play one match against the boss, which does not count
    #[serde(default)]
    test: bool,
    /// Wait for the build and the first matches
    #[serde(default)]
    wait: bool,
    /// Address of the arena; default: where the user logged in last
    url: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatusAsk {
    /// Only this game
    game: Option<String>,
    /// Address of the arena; default: where the user logged in last
    url: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LogsAsk {
    /// A match by its number (`1234`) or a version by `v` and its number (`v56`)
    id: String,
    /// Address of the arena; default: where the user logged in last
    url: Option<String>,
}

/// The result of a tool: the output of its command, or the reason why there is none.
type Told = Result<String, String>;

type Call = RequestContext<RoleServer>;

#[tool_router]
impl Tools {
    #[tool(description = "The games with their leagues, editions, numbers of players and time limits")]
    async fn list_games(&self, call: Call) -> Told {
        self.run(call, Words::of("games").flag("json", true)).await
    }

    #[tool(
        description = "The rules and the protocol of a game in a league, as Markdown: all it takes to write a bot"
    )]
    async fn read_statement(&self, call: Call, Parameters(ask): Parameters<StatementAsk>) -> Told {
        let words = Words::of("statement")
            .option("league", ask.league)
            .option("edition", ask.edition)
            .option("players", ask.players)
            .option("lang", ask.lang);
        self.run(call, words.then([ask.game])).await
    }

    #[tool(
        description = "Writes a folder with a starter bot in a programming language, the statement and a README"
    )]
    async fn new_bot(&self, call: Call, Parameters(ask): Parameters<NewAsk>) -> Told {
        let words = Words::of("new")
            .flag("json", true)
            .option("lang", Some(ask.language))
            .option("league", ask.league)
            .option("statement", ask.lang);
        self.run(call, words.then([ask.game].into_iter().chain(ask.folder))).await
    }

    #[tool(
        description = "Checks that a bot works: every seat, several maps, with its times, its memory and its failures"
    )]
    async fn check_bot(&self, call: Call, Parameters(ask): Parameters<CheckAsk>) -> Told {
        let words = Words::of("check")
            .flag("json", true)
            .option("bot", Some(ask.bot))
            .options("league", ask.leagues)
            .options("players", ask.players)
            .option("maps", ask.maps);
        self.run(call, words.then([ask.game])).await
    }

    #[tool(description = "Plays one match between bots: places, scores, times, failures and skipped orders")]
    async fn play_match(&self, call: Call, Parameters(ask): Parameters<PlayAsk>) -> Told {
        let words = Words::of("play")
            .flag("json", true)
            .options("bot", ask.bots)
            .option("league", ask.league)
            .option("edition", ask.edition)
            .option("seed", ask.seed)
            .option("record", ask.record);
        self.run(call, words.then([ask.game])).await
    }

    #[tool(description = "Plays two bots against each other many times: is the first one better?")]
    async fn duel(&self, call: Call, Parameters(ask): Parameters<DuelAsk>) -> Told {
        let words = Words::of("duel")
            .flag("json", true)
            .options("bot", [ask.bot, ask.opponent])
            .option("games", ask.games)
            .option("league", ask.league)
            .option("players", ask.players)
            .option("seed", ask.seed)
            .option("run", ask.run)
            .option("records", ask.records);
        self.run(call, words.then([ask.game])).await
    }

    #[tool(
        description = "Who was likely to win at each turn of a recorded match, the turns that decided it, better answers"
    )]
    async fn analyse_match(&self, call: Call, Parameters(ask): Parameters<AnalyseAsk>) -> Told {
        let words = Words::of("analyse").flag("json", true).option("depth", ask.depth);
        self.run(call, words.then([ask.record])).await
    }

    #[tool(description = "Submits a bot to the arena where the user is logged in")]
    async fn submit_bot(&self, call: Call, Parameters(ask): Parameters<SubmitAsk>) -> Told {
        let words = Words::of("submit")
            .flag("json", true)
            .flag("test", ask.test)
            .flag("wait", ask.wait)
            .option("lang", ask.language)
            .option("contest", ask.contest)
            .option("url", ask.url);
        self.run(call, words.then([ask.game, ask.file])).await
    }

    #[tool(description = "The bots of the user at the arena: leagues, active versions, places and ratings")]
    async fn arena_status(&self, call: Call, Parameters(ask): Parameters<StatusAsk>) -> Told {
        let words = Words::of("status").flag("json", true).option("url", ask.url);
        self.run(call, words.then(ask.game)).await
    }

    #[tool(
        description = "The output of the user's bot in a match at the arena, or the compiler's output for a version"
    )]
    async fn bot_logs(&self, call: Call, Parameters(ask): Parameters<LogsAsk>) -> Told {
        let words = Words::of("logs").flag("json", true).option("url", ask.url);
        self.run(call, words.then([ask.id])).await
    }
}

#[tool_handler]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("agon", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }
}

impl Tools {
    async fn run(&self, call: Call, words: Words) -> Told {
        let command = words.parse()?;
        let _turn = self.one_at_a_time.lock().await;
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let mut running = tokio::task::spawn_blocking(move || caller::for_tool(flag, || crate::run(command)));
        let ended = tokio::select! {
            ended = &mut running => ended,
            () = call.ct.cancelled() => {
                stop.store(true, Ordering::Relaxed);
                running.await
            }
        };
        let (result, output) = ended.map_err(|error| format!("the tool failed, by our fault: {error}"))?;
        match result {
            // A negative result is a result.
            Ok(()) | Err(Failure::No) if !output.is_empty() => Ok(output),
            Ok(()) | Err(Failure::No) => Err("there is no result".to_owned()),
            Err(Failure::Unusable(why)) => Err(why),
        }
    }
}

/// The words of a command.
struct Words(Vec<String>);

impl Words {
    fn of(command: &str) -> Words {
        Words(vec!["agon".to_owned(), command.to_owned()])
    }

    fn flag(mut self, name: &str, wanted: bool) -> Words {
        self.0.extend(wanted.then(|| format!("--{name}")));
        self
    }

    fn option(self, name: &str, value: Option<impl Display>) -> Words {
        self.options(name, value)
    }

    fn options(mut self, name: &str, values: impl IntoIterator<Item = impl Display>) -> Words {
        self.0.extend(values.into_iter().map(|value| format!("--{name}={value}")));
        self
    }

    /// Adds words that are never read as options.
    fn then(mut self, words: impl IntoIterator<Item = String>) -> Words {
        self.0.push("--".to_owned());
        self.0.extend(words);
        self
    }

    fn parse(self) -> Result<Command, String> {
        let parsed = Arguments::try_parse_from(self.0).map_err(|error| {
            // The lines about the usage of the command follow after an empty line.
            let text = error.render().to_string();
            text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ").to_owned()
        })?;
        parsed.command.ok_or_else(|| "there is no such command".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_never_options() {
        let words = Words::of("play").options("bot", ["--watch", "@random"]).then(["--stderr".to_owned()]);
        let Ok(Command::Play(args)) = words.parse() else { panic!("it is a command") };
        assert_eq!((args.bots[0].as_str(), args.game.game.as_str()), ("--watch", "--stderr"));
        assert!(!args.watch && !args.stderr);
    }

    #[test]
    fn bad_values_are_explained_in_one_paragraph() {
        let words =
            Words::of("duel").options("bot", ["a", "b"]).option("games", Some(0)).then(["x".to_owned()]);
        let why = words.parse().unwrap_err();
        assert!(why.contains("--games") && !why.contains("Usage"), "{why}");
    }
}
