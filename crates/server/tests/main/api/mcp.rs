//! The tools for coding agents have the rights and limits of the token.

use serde_json::{Value, json};

use crate::common::{Answer, Site, Visitor, site};

fn program(site: &Site, player: &Visitor, scopes: &[&str]) -> Visitor {
    let made = player.post("/me/tokens", &json!({"name": "agent", "scopes": scopes})).ok();
    Visitor { token: made["token"].as_str().map(str::to_owned), ..site.visitor() }
}

fn call(client: &Visitor, tool: &str, arguments: &Value) -> Answer {
    let params = json!({"name": tool, "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let mut request = client
        .agent
        .post(format!("{}/mcp", client.base))
        .header("accept", "application/json, text/event-stream");
    for (name, value) in [("cookie", &client.cookie), ("x-agon-csrf", &client.csrf)] {
        if let Some(value) = value {
            request = request.header(name, value);
        }
    }
    if let Some(token) = &client.token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    crate::common::answer(request.send_json(&message))
}

fn said(answer: &Answer) -> &str {
    answer.json["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

#[test]
fn a_tool_may_what_its_token_may() {
    let site = site();
    let ann = site.player("ann");
    let bot = |source: &str| json!({"game": "back-track", "language": "Python", "source": source});
    let small = bot("print('WAIT')");

    let reader = program(&site, &ann, &["read"]);
    let refused = call(&reader, "submit_bot", &small);
    assert!(
        refused.json["result"]["isError"] == true && said(&refused).contains("scope `submit`"),
        "{refused:?}"
    );
    assert_eq!(said(&call(&reader, "arena_status", &json!({}))), "[]");

    // A program of the longest size is taken, and one that is longer is not.
    let writer = program(&site, &ann, &["read", "submit"]);
    let long = format!("print('WAIT'){}", "#".repeat(99_000));
    let tested = call(&writer, "test_bot", &bot(&long));
    let version: Value = serde_json::from_str(said(&tested)).unwrap_or_else(|_| panic!("{tested:?}"));
    assert_eq!(version["state"], "waiting", "{version}");
    assert!(said(&call(&writer, "test_bot", &bot(&"#".repeat(100_001)))).contains("100001 characters"));
    assert_eq!(call(&writer, "test_bot", &bot(&"#".repeat(600_000))).status, 413);

    // Versions of others do not exist.
    let stranger = program(&site, &site.player("eve"), &["read", "submit"]);
    let hidden = call(&stranger, "bot_logs", &json!({"version": version["id"]}));
    assert!(hidden.json["result"]["isError"] == true && said(&hidden).contains("no such"), "{hidden:?}");

    // A cookie alone is not enough: a page of another site could send it.
    assert_eq!(call(&ann, "submit_bot", &small).status, 403);
    assert_eq!(call(&site.visitor(), "list_games", &json!({})).status, 401);
}

#[test]
fn submissions_by_tools_are_limited_as_others() {
    let site = crate::common::site_with(&[("workers", "0"), ("uploads_per_hour", "2")]);
    let ann = site.player("ann");
    let agent = program(&site, &ann, &["read", "submit"]);
    let bot = json!({"game": "back-track", "language": "Python", "source": "print('WAIT')"});
    for _ in 0..2 {
        assert_ne!(call(&agent, "submit_bot", &bot).json["result"]["isError"], true);
    }
    let refused = call(&agent, "submit_bot", &bot);
    assert!(
        said(&refused).contains("limit reached") && said(&refused).contains("try again in"),
        "{refused:?}"
    );
    assert_eq!(ann.post("/submissions", &bot).status, 429, "pages and tools are counted together");
}
