//! An S3-compatible server of a test's own.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::Certificates;

/// A running server with one bucket, [`S3::BUCKET`]; it ends when this is dropped. It holds its objects in memory.
#[derive(Debug)]
pub struct S3 {
    program: PathBuf,
    port: u16,
    /// More settings of the server, as variables of its environment.
    variables: Vec<(&'static str, &'static str)>,
    certificates: Option<Certificates>,
    server: Option<Child>,
}

impl S3 {
    /// The bucket.
    pub const BUCKET: &str = "arena";

    /// Starts the program that `AGON_TEST_S3` names, on a free port. `None` where there is none and the tests are not
    /// strict (see [`crate::require`]).
    #[track_caller]
    pub fn start() -> Option<S3> {
        S3::with(Vec::new(), None)
    }

    /// A server that makes the bucket and then refuses all keys.
    #[track_caller]
    pub fn refusing() -> Option<S3> {
        S3::with(vec![("INITIAL_NO_AUTH_ACTION_COUNT", "1")], None)
    }

    /// A server with TLS.
    #[track_caller]
    pub fn with_tls(certificates: Certificates) -> Option<S3> {
        S3::with(Vec::new(), Some(certificates))
    }

    #[track_caller]
    fn with(variables: Vec<(&'static str, &'static str)>, certificates: Option<Certificates>) -> Option<S3> {
        let program = std::env::var_os("AGON_TEST_S3").map(PathBuf::from);
        if !crate::require("moto_server (its path in AGON_TEST_S3)", program.is_some()) {
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut s3 = S3 { program: program?, port, variables, certificates, server: None };
        s3.start_again();
        Some(s3)
    }

    /// The variables of the environment with which a program finds the server.
    pub fn variables(&self) -> Vec<(&'static str, PathBuf)> {
        let mut variables = vec![
            ("AWS_ENDPOINT_URL", PathBuf::from(self.url())),
            ("AWS_REGION", "us-east-1".into()),
            ("AWS_ACCESS_KEY_ID", "key".into()),
            ("AWS_SECRET_ACCESS_KEY", "secret".into()),
        ];
        match &self.certificates {
            Some(certificates) => variables.push(("SSL_CERT_FILE", certificates.authority())),
            None => variables.push(("AWS_ALLOW_HTTP", "true".into())),
        }
        variables
    }

    fn url(&self) -> String {
        let scheme = if self.certificates.is_some() { "https" } else { "http" };
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// Makes a bucket, or an object of a bucket.
    pub fn put(&self, path: &str, content: &str) {
        // The server reads the name of the key and leaves the signature alone.
        let script = "import ssl, sys, urllib.request as r\n\
                      key = 'Credential=key/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=none'\n\
                      headers = {'Authorization': 'AWS4-HMAC-SHA256 ' + key}\n\
                      request = r.Request(sys.argv[1], sys.argv[2].encode(), headers, method='PUT')\n\
                      r.urlopen(request, context=ssl._create_unverified_context()).read()";
        let mut python = Command::new(self.program.with_file_name("python"));
        python.args(["-c", script, &format!("{}/{path}", self.url()), content]);
        assert!(python.status().unwrap().success());
    }

    /// Kills it with all its objects.
    pub fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
    }

    /// Starts it again after [`S3::kill`], on the same port and with an empty bucket.
    pub fn start_again(&mut self) {
        let mut command = Command::new(&self.program);
        command.args(["--host", "127.0.0.1", "--port", &self.port.to_string()]);
        if let Some(certificates) = &self.certificates {
            command.arg("--ssl-cert").arg(certificates.certificate());
            command.arg("--ssl-key").arg(certificates.key());
        }
        command.envs(self.variables.iter().copied()).stdin(Stdio::null());
        self.server = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        crate::until("S3 accepts connections", || TcpStream::connect(("127.0.0.1", self.port)).ok());
        self.put(S3::BUCKET, "");
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        self.kill();
    }
}
