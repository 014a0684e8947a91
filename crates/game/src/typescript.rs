//! TypeScript declarations of what pages are sent. They are made from the Rust types, kept in a file and compared by a test.

use std::path::Path;

use ts_rs::{Config, TS};

/// The declarations of one file.
#[derive(Debug)]
pub struct TypeScript {
    package: &'static str,
    text: String,
}

impl TypeScript {
    /// A file without declarations, whose test is `types` in this package.
    pub fn new(package: &'static str) -> TypeScript {
        let text = format!(
            "// Made from the Rust types by `UPDATE=1 cargo test -p {package} --all-features types`: do not edit.\n\n"
        );
        TypeScript { package, text }
    }

    /// Adds the declaration of a type.
    #[must_use]
    pub fn with<T: TS>(self) -> TypeScript {
        let config = Config::new().with_large_int("number");
        let declaration = T::decl(&config);
        self.with_line(&format!("export {declaration}"))
    }

    /// Adds a line of TypeScript.
    #[must_use]
    pub fn with_line(mut self, line: &str) -> TypeScript {
        for line in line.lines() {
            self.text.push_str(line.trim_end());
            self.text.push('\n');
        }
        self
    }

    /// Compares the declarations with a file; writes them to it first where the environment variable `UPDATE` is set.
    ///
    /// # Panics
    ///
    /// When the file has other declarations, or cannot be written.
    pub fn check(&self, path: &Path) {
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &self.text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        let package = self.package;
        assert!(
            kept == self.text,
            "{} is out of date: UPDATE=1 cargo test -p {package} --all-features types",
            path.display()
        );
    }
}
