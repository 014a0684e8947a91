//! `agon doctor`

use std::fmt::Write as _;

use serde_json::json;
use toolchain::LANGUAGES;

use crate::Failure;
use crate::args::DoctorArgs;
use crate::output::{print, print_json};

pub(crate) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let report = sandbox::doctor();
    let languages: Vec<(&str, &str, Option<String>)> = LANGUAGES
        .iter()
        .map(|language| (language.name, language.package, language.missing().map(str::to_owned)))
        .collect();
    if args.json {
        let languages: Vec<_> = languages
            .iter()
            .map(|(name, package, missing)| json!({"name": name, "works": missing.is_none(), "missing": missing, "package": package}))
            .collect();
        return print_json(&json!({"host": report, "languages": languages}));
    }
    let mut text = report.to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str("languages of source files\n");
    for (name, package, missing) in languages {
        match missing {
            None => writeln!(text, "  {name:11} works")?,
            Some(program) => writeln!(text, "  {name:11} needs `{program}`: apt-get install {package}")?,
        }
    }
    print(&text)
}
