//! A NATS server of a test's own.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A running NATS server with JetStream; it ends when this is dropped.
#[derive(Debug)]
pub struct Nats {
    program: PathBuf,
    folder: TempDir,
    port: u16,
    server: Option<Child>,
}

impl Nats {
    /// Starts the program that `AGON_TEST_NATS` names, on a free port. `None` where there is none and the tests are not
    /// strict (see [`crate::require`]).
    #[track_caller]
    pub fn start() -> Option<Nats> {
        Nats::with_settings("")
    }

    /// The same with more settings, in the form of its configuration file.
    #[track_caller]
    pub fn with_settings(settings: &str) -> Option<Nats> {
        let program = std::env::var_os("AGON_TEST_NATS").map(PathBuf::from);
        if !crate::require("nats-server (its path in AGON_TEST_NATS)", program.is_some()) {
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut nats = Nats { program: program?, folder: crate::scratch(), port, server: None };
        let store = nats.folder.path().join("data");
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\" }}\n{settings}\n",
            store.display()
        );
        fs::write(nats.folder.path().join("nats.conf"), text).unwrap();
        nats.start_again();
        Some(nats)
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.server.as_ref().unwrap().id()
    }

    /// Kills it with all its unsaved data.
    pub fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
    }

    /// Starts it again after [`Nats::kill`], on the same port and with the data on disk.
    pub fn start_again(&mut self) {
        let log = fs::File::options().append(true).create(true).open(self.folder.path().join("log")).unwrap();
        let mut command = Command::new(&self.program);
        command.arg("--config").arg(self.folder.path().join("nats.conf")).stdin(Stdio::null());
        self.server = Some(command.stdout(Stdio::null()).stderr(log).spawn().unwrap());
        crate::until("NATS accepts connections", || TcpStream::connect(("127.0.0.1", self.port)).ok());
    }

    /// Removes the data of a killed server.
    pub fn lose_data(&self) {
        assert!(self.server.is_none());
        fs::remove_dir_all(self.folder.path().join("data")).unwrap();
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
