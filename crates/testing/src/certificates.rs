//! A certificate for this host, signed by an authority of a test's own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The files of a server with TLS, and of its authority.
#[derive(Debug)]
pub struct Certificates(TempDir);

impl Certificates {
    /// Makes new ones with `openssl`. `None` where it is missing and the tests are not strict (see [`crate::require`]).
    #[track_caller]
    pub fn make() -> Option<Certificates> {
        let mut version = Command::new("openssl");
        let is_there = version.arg("version").stdout(Stdio::null()).status().is_ok();
        if !crate::require("openssl", is_there) {
            return None;
        }
        let folder = crate::scratch();
        let new =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
        let authority = ["-subj", "/CN=authority of a test", "-keyout", "ca.key", "-out", "ca.pem"];
        openssl(folder.path(), &[&new[..], &authority].concat());
        let server = ["-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.pem"];
        let names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
        let signed = ["-addext", "basicConstraints=critical,CA:FALSE", "-CA", "ca.pem", "-CAkey", "ca.key"];
        openssl(folder.path(), &[&new[..], &server, &names, &signed].concat());
        Some(Certificates(folder))
    }

    /// The certificate of the authority.
    pub fn authority(&self) -> PathBuf {
        self.0.path().join("ca.pem")
    }

    /// The certificate of the server.
    pub fn certificate(&self) -> PathBuf {
        self.0.path().join("server.pem")
    }

    /// The private key of the server.
    pub fn key(&self) -> PathBuf {
        self.0.path().join("server.key")
    }
}

fn openssl(folder: &Path, words: &[&str]) {
    let output = Command::new("openssl").args(words).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}
