//! The OpenAPI document.

use serde_json::Value;

use crate::common::site;

#[test]
fn the_openapi_document_lists_every_route() {
    let site = site();
    let visitor = site.visitor();
    let document = visitor.get("/openapi.json").ok();
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 40, "{}", paths.len());
    let mut asked = 0;
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().keys() {
            let concrete = path
                .replace("{game}", "hypersonic")
                .replace("{contest}", "arena")
                .replace("{key}", "arena")
                .replace("{name}", "nobody")
                .replace("{other}", "2")
                .replace("{round}", "1")
                .replace("{digest}", "0")
                .replace("{id}", "1");
            assert!(!concrete.contains('{'), "{concrete}: another kind of place in a path");
            // A path without a route gives a page (200, HTML) or the "not found" error of the API.
            let answer = match method.as_str() {
                "get" if path.ends_with("/events") => continue,
                "get" => visitor.get(&format!("!{concrete}")),
                "post" => visitor.post(&format!("!{concrete}"), &Value::Null),
                "patch" => visitor.patch(&format!("!{concrete}"), &Value::Null),
                "delete" => visitor.delete(&format!("!{concrete}")),
                other => panic!("{other} {path}"),
            };
            asked += 1;
            let is_routed = !answer.text.contains("thing in the API")
                && answer.code() != "method"
                && !answer.header("content-type").unwrap_or_default().starts_with("text/html");
            assert!(is_routed, "{method} {path}: {} {}", answer.status, answer.text);
        }
    }
    assert!(asked >= 50, "{asked}");
}

/// Routes can be added to the router without appearing in the document; this test searches the sources for such
/// routes.
#[test]
fn every_route_is_described() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let mut handlers = 0;
    let mut waiting = vec![std::path::PathBuf::from(folder)];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains(".route(\""), "{}: use `routes!`, so that it is described", path.display());
        handlers += text.matches("#[utoipa::path(").count();
    }
    let described = server::described();
    let operations: usize = described
        .paths
        .paths
        .values()
        .map(|item| {
            [&item.get, &item.post, &item.patch, &item.put, &item.delete]
                .iter()
                .filter(|one| one.is_some())
                .count()
        })
        .sum();
    assert_eq!(operations, handlers, "a handler that is described is not routed");
    for (path, item) in &described.paths.paths {
        for operation in [&item.get, &item.post, &item.patch, &item.delete].into_iter().flatten() {
            assert!(
                operation.summary.as_ref().is_some_and(|summary| summary.len() > 5),
                "{path} has no summary"
            );
            let answers = &operation.responses.responses;
            assert!(answers.len() > 2 && answers.contains_key("4XX"), "{path}: {:?}", answers.keys());
        }
    }
}
