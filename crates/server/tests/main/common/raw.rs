//! HTTP by hand: raw bytes, for requests that ordinary clients do not send.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A connection.
pub struct Raw {
    reader: BufReader<TcpStream>,
}

/// An answer.
#[derive(Debug)]
pub struct Came {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Came {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Raw {
    pub fn to(address: SocketAddr) -> Raw {
        let stream = TcpStream::connect(address).expect("the site can be reached");
        // The limit only makes a failing test end.
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream.set_nodelay(true).unwrap();
        Raw { reader: BufReader::new(stream) }
    }

    /// Sends bytes; false when the server has closed the connection.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.reader.get_mut().write_all(bytes).is_ok()
    }

    /// Reads one answer; `None` when the connection is closed instead.
    pub fn answer(&mut self) -> Option<Came> {
        let mut line = String::new();
        if self.reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line).ok()?;
            let Some((key, value)) = line.trim_end().split_once(':') else { break };
            headers.push((key.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut came = Came { status, headers, body: Vec::new() };
        if matches!(status, 204 | 304) {
            return Some(came);
        }
        if let Some(length) = came.header("content-length") {
            came.body = vec![0; length.parse().ok()?];
            self.reader.read_exact(&mut came.body).ok()?;
        } else if came.header("transfer-encoding") == Some("chunked") {
            loop {
                let mut line = String::new();
                self.reader.read_line(&mut line).ok()?;
                let length = usize::from_str_radix(line.trim(), 16).ok()?;
                let mut chunk = vec![0; length + 2];
                self.reader.read_exact(&mut chunk).ok()?;
                came.body.extend_from_slice(&chunk[..length]);
                if length == 0 {
                    break;
                }
            }
        } else {
            self.reader.read_to_end(&mut came.body).ok()?;
        }
        Some(came)
    }

    /// Sends a request and reads the answer.
    pub fn ask(&mut self, request: &str) -> Option<Came> {
        self.send(request.as_bytes());
        self.answer()
    }

    /// All bytes until the server closes the connection.
    pub fn rest(&mut self) -> String {
        let mut bytes = Vec::new();
        // A connection that was reset has ended, too.
        let _ = self.reader.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Reads until the server closes the connection; false when it does not.
    pub fn is_cut(&mut self) -> bool {
        let mut bytes = Vec::new();
        match self.reader.read_to_end(&mut bytes) {
            Ok(_) => true,
            Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        }
    }
}

/// Sends one request on a new connection.
pub fn once(address: SocketAddr, request: impl AsRef<[u8]>) -> Option<Came> {
    let mut raw = Raw::to(address);
    raw.send(request.as_ref());
    raw.answer()
}

/// Dice for tests: the same numbers every time (`SplitMix64`).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below as u64) as usize
    }

    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.roll(of.len())]
    }
}
