//! A scripted client of the tools for coding agents goes from the statement to a submitted bot: by standard input and output,
//! and by HTTP.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::arena::{Home, Server};
use crate::{code, typed};

const GAME: &str = "ocean-of-code";

/// A client of the protocol.
trait Client {
    /// Sends a message; returns the answer, if the message is a request.
    fn send(&mut self, message: &Value) -> Option<Value>;

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).unwrap()
    }

    fn initialize(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        });
        let answer = self.request("initialize", &params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer["result"].clone()
    }

    fn tools(&mut self) -> Vec<String> {
        let answer = self.request("tools/list", &json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object"), "{tools:?}");
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// The text of a tool that must succeed.
    #[track_caller]
    fn text(&mut self, tool: &str, arguments: &Value) -> String {
        let answer = self.call(tool, arguments);
        let result = &answer["result"];
        assert!(result["isError"] != true && answer["error"].is_null(), "{tool}: {answer}");
        result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    #[track_caller]
    fn json(&mut self, tool: &str, arguments: &Value) -> Value {
        let text = self.text(tool, arguments);
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("not JSON: {text}"))
    }

    /// Asserts that a tool refuses and says these words.
    #[track_caller]
    fn refused(&mut self, tool: &str, arguments: &Value, words: &[&str]) {
        let answer = self.call(tool, arguments);
        assert!(answer["result"]["isError"] == true || answer["error"].is_object(), "{tool}: {answer}");
        let said = answer.to_string();
        for word in words {
            assert!(said.contains(word), "{tool} does not say `{word}`: {said}");
        }
    }
}

/// `agon mcp`; it is killed when this is dropped.
struct Local {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Local {
    fn start(home: &Home) -> Local {
        let mut child = home
            .agon(&["mcp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Local { child, input, output }
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Client for Local {
    fn send(&mut self, message: &Value) -> Option<Value> {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
        message.get("id")?;
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        Some(serde_json::from_str(&line).unwrap_or_else(|_| panic!("agon mcp wrote: {line}")))
    }
}

/// The tools of an arena.
struct Remote {
    url: String,
    token: Option<String>,
}

impl Remote {
    fn post(&self, message: &Value) -> (u16, String) {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let mut request = agent
            .post(format!("{}/mcp", self.url))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut answer = request.send(message.to_string()).unwrap();
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    }
}

impl Client for Remote {
    fn send(&mut self, message: &Value) -> Option<Value> {
        let (status, text) = self.post(message);
        assert!(status < 300, "{status} {text}");
        message.get("id")?;
        Some(serde_json::from_str(&text).unwrap_or_else(|_| panic!("not JSON: {text}")))
    }
}

/// An arena with an account that is logged in, and its token.
fn arena() -> (Home, Server, String) {
    let home = Home::sqlite();
    let server = Server::start(&home, &["--idle-every", "3600"]);
    let password = server.said["admin"]["password"].as_str().unwrap();
    let login = typed(&home, &["login", server.url()], &format!("admin\n{password}\nmuch better password\n"));
    code(&login, 0);
    let logins = std::fs::read_to_string(home.folder.join("config/agon/login.json")).unwrap();
    let logins: Value = serde_json::from_str(&logins).unwrap();
    let token = logins["logins"][0]["token"].as_str().unwrap().to_owned();
    (home, server, token)
}

#[test]
fn an_agent_goes_from_the_statement_to_a_submitted_bot_with_local_tools() {
    let (home, server, _) = arena();
    let mut agent = Local::start(&home);
    assert_eq!(agent.initialize()["serverInfo"]["name"], "agon");
    let tools = agent.tools();
    for tool in [
        "list_games",
        "read_statement",
        "new_bot",
        "check_bot",
        "play_match",
        "duel",
        "analyse_match",
        "submit_bot",
        "arena_status",
        "bot_logs",
    ] {
        assert!(tools.iter().any(|name| name == tool), "{tool}: {tools:?}");
    }
    let games = agent.json("list_games", &json!({}));
    assert!(games.as_array().unwrap().iter().any(|game| game["name"] == GAME), "{games}");
    let statement = agent.text("read_statement", &json!({"game": GAME, "league": 1, "lang": "fr"}));
    assert_ne!(statement, agent.text("read_statement", &json!({"game": GAME, "league": 1})));
    let made =
        agent.json("new_bot", &json!({"game": GAME, "language": "python", "folder": "mine", "league": 1}));
    assert_eq!(made["files"][0], "bot.py", "{made}");
    let bot = "mine/bot.py";

    let checked = agent
        .json("check_bot", &json!({"game": GAME, "bot": bot, "leagues": [1], "players": [2], "maps": 1}));
    assert_eq!((&checked["clean"], &checked["matches"]), (&json!(true), &json!(2)), "{checked}");
    let play =
        json!({"game": GAME, "bots": [bot, "@random"], "league": 1, "seed": "7", "record": "match.json"});
    let played = agent.json("play_match", &play);
    assert_eq!((&played["seed"], &played["void"]), (&json!("7"), &Value::Null), "{played}");
    let analysed = agent.json("analyse_match", &json!({"record": "match.json"}));
    assert!(analysed["positions"].as_array().unwrap().len() > 2, "{analysed}");
    // A second run needs no second handler of signals.
    for run in ["first.run", "second.run"] {
        let duel =
            json!({"game": GAME, "bot": bot, "opponent": "@random", "games": 2, "league": 1, "run": run});
        let compared = agent.json("duel", &duel);
        assert_eq!((&compared["complete"], &compared["played_now"]), (&json!(true), &json!(2)), "{compared}");
    }

    let submit = json!({"game": GAME, "file": bot, "test": true, "wait": true});
    let submitted = agent.json("submit_bot", &submit);
    assert_eq!(submitted["built"], true, "{submitted}");
    let status = agent.json("arena_status", &json!({"url": server.url()}));
    assert_eq!(status[0]["game"], GAME, "{status}");
    let log = agent.json("bot_logs", &json!({"id": format!("v{}", submitted["version"]["id"])}));
    assert_eq!(log["version"]["state"], "ready", "{log}");
    let log = agent.json("bot_logs", &json!({"id": submitted["test"]["id"].to_string()}));
    assert!(!log["answers"].as_array().unwrap().is_empty(), "{log}");

    agent.refused("read_statement", &json!({"game": "chess"}), &["chess", GAME]);
    agent.refused("read_statement", &json!({"game": GAME, "league": 99}), &["99"]);
    agent.refused("read_statement", &json!({"league": 1}), &["missing field `game`"]);
    agent.refused(
        "play_match",
        &json!({"game": GAME, "bots": [bot], "watch": true}),
        &["unknown field `watch`"],
    );
    agent.refused(
        "play_match",
        &json!({"game": GAME, "bots": ["no-such-file.py", "@wait"]}),
        &["no-such-file.py"],
    );
    agent.refused("duel", &json!({"game": GAME, "bot": bot, "opponent": "@wait", "seed": "x"}), &["seed"]);
    agent.refused("new_bot", &json!({"game": GAME, "language": "python", "folder": "mine"}), &["not empty"]);
    agent.refused("no_such_tool", &json!({}), &["tool not found"]);

    // The end of its input is the end of the program.
    agent.input = None;
    let since = Instant::now();
    while agent.child.try_wait().unwrap().is_none() {
        assert!(since.elapsed() < Duration::from_mins(1), "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_agent_goes_from_the_statement_to_a_submitted_bot_at_an_arena() {
    let (home, server, token) = arena();
    let url = server.url().trim_end_matches('/').to_owned();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for token in [None, Some("agon_nonsense".to_owned())] {
        let (status, text) = Remote { url: url.clone(), token }.post(&hello);
        assert_eq!(status, 401, "{text}");
    }
    let mut agent = Remote { url, token: Some(token) };
    assert_eq!(agent.initialize()["serverInfo"]["name"], "agon-arena");
    let tools = agent.tools();
    for tool in [
        "list_games",
        "read_statement",
        "new_bot",
        "test_bot",
        "submit_bot",
        "arena_status",
        "bot_logs",
        "analyse_match",
    ] {
        assert!(tools.iter().any(|name| name == tool), "{tool}: {tools:?}");
    }
    let site = agent.json("list_games", &json!({}));
    assert!(site["games"].as_array().unwrap().iter().any(|game| game["name"] == GAME), "{site}");
    let statement = agent.text("read_statement", &json!({"game": GAME, "lang": "fr"}));
    assert_ne!(statement, agent.text("read_statement", &json!({"game": GAME})));
    let kit = agent.json("new_bot", &json!({"game": GAME, "language": "python"}));
    let source = kit["source"].as_str().unwrap();

    // A test, its match and the answers of the bot.
    let bot = json!({"game": GAME, "language": "Python", "source": source});
    let tested = agent.json("test_bot", &bot);
    let over = |page: &Value| matches!(page["tests"][0]["state"].as_str(), Some("done" | "void"));
    let page = until(&mut agent, &tested["id"], over);
    let played = json!({"match": page["tests"][0]["id"]});
    let log = agent.json("bot_logs", &played);
    assert!(!log["answers"].as_array().unwrap().is_empty(), "{log}");
    let analysed = agent.json("analyse_match", &played);
    assert!(analysed["positions"].is_array(), "{analysed}");

    let submitted = agent.json("submit_bot", &bot);
    let page = until(&mut agent, &submitted["id"], |page| page["version"]["state"] == "ready");
    assert!(page.get("source").is_none(), "{page}");
    let status = agent.json("arena_status", &json!({}));
    assert_eq!((&status[0]["game"], &status[0]["active"]["number"]), (&json!(GAME), &json!(1)), "{status}");

    agent.refused("read_statement", &json!({"game": "../../admin"}), &["is not played", "hypersonic"]);
    agent.refused("read_statement", &json!({"game": "x".repeat(10_000)}), &["at most 4096 characters"]);
    agent.refused("new_bot", &json!({"game": GAME, "language": "cobol"}), &["Python"]);
    agent.refused(
        "submit_bot",
        &json!({"game": GAME, "language": "Python", "source": " "}),
        &["source is empty"],
    );
    agent.refused("submit_bot", &json!({"game": GAME, "language": "Python"}), &["missing field `source`"]);
    agent.refused("submit_bot", &json!({"game": GAME, "file": "/etc/passwd"}), &["unknown field `file`"]);
    agent.refused("bot_logs", &json!({}), &["either `version` or `match`"]);
    agent.refused("bot_logs", &json!({"version": 999}), &["no such"]);

    // The tools are not for clients without a body, and a token that was taken back opens nothing.
    assert!(server.get("/mcp").starts_with("HTTP/1.1 405"), "{}", server.get("/mcp"));
    code(&home.admin(&["user", "block", "admin"]), 0);
    assert_eq!(agent.post(&hello).0, 401);
}

/// Asks for a version until its page is as expected.
fn until(agent: &mut Remote, id: &Value, holds: impl Fn(&Value) -> bool) -> Value {
    let since = Instant::now();
    loop {
        let page = agent.json("bot_logs", &json!({"version": id}));
        if holds(&page) {
            return page;
        }
        assert!(page["version"]["state"] != "failed", "{page}");
        assert!(since.elapsed() < Duration::from_mins(2), "{page}");
        std::thread::sleep(Duration::from_millis(100));
    }
}
