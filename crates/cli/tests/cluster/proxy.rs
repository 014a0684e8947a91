//! A bad network: a proxy for TCP connections that delays them, lets them stand still, breaks them, or swallows everything. It
//! works without `netem`, which many kernels lack.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::hosts::Chance;

/// The longest delay of a piece of data.
const LONGEST_DELAY_MS: usize = 4;
/// Of this number of pieces, one lets the connection stand still, and one breaks it.
const ONE_IN: usize = 3000;
/// The longest time for which a connection stands still.
const LONGEST_STALL_MS: usize = 4000;

/// A proxy in the network of a host. It ends when this is dropped, with its connections.
pub(crate) struct Proxy(Arc<Weather>);

#[derive(Default)]
struct Weather {
    /// Whether there are faults.
    is_bad: AtomicBool,
    /// Whether nothing gets through.
    swallows: AtomicBool,
    is_over: AtomicBool,
    seed: AtomicU64,
}

impl Proxy {
    /// Forwards connections to the port `from` of a network to the port `to` of its loopback interface.
    pub(crate) fn start(network: String, from: u16, to: u16, seed: u64) -> Proxy {
        let weather = Arc::new(Weather { seed: AtomicU64::new(seed | 1), ..Weather::default() });
        let own = Arc::clone(&weather);
        let (ready, is_ready) = mpsc::channel();
        thread::spawn(move || {
            // The threads that this one starts are in the same network.
            let file = File::open(network).unwrap();
            move_into_link_name_space(file.as_fd(), Some(LinkNameSpaceType::Network)).unwrap();
            let listener = TcpListener::bind(("0.0.0.0", from)).unwrap();
            listener.set_nonblocking(true).unwrap();
            ready.send(()).unwrap();
            while !own.is_over.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((near, _)) => own.connect(&near, to),
                    Err(_) => thread::sleep(Duration::from_millis(5)),
                }
            }
        });
        is_ready.recv().unwrap();
        Proxy(weather)
    }

    /// Whether connections are delayed, stand still and break.
    pub(crate) fn set_bad(&self, is_bad: bool) {
        self.0.is_bad.store(is_bad, Ordering::Relaxed);
    }

    /// Whether nothing gets through: neither data nor the end of a connection.
    pub(crate) fn swallow(&self, swallows: bool) {
        self.0.swallows.store(swallows, Ordering::Relaxed);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
    }
}

impl Weather {
    fn connect(self: &Arc<Weather>, near: &TcpStream, to: u16) {
        // Without a server the connection ends at once.
        let Ok(far) = TcpStream::connect(("127.0.0.1", to)) else { return };
        near.set_nonblocking(false).unwrap();
        for (from, into) in [(near, &far), (&far, near)] {
            let (Ok(from), Ok(into)) = (from.try_clone(), into.try_clone()) else { return };
            let (weather, seed) = (Arc::clone(self), self.seed.fetch_add(0x9e37_79b9, Ordering::Relaxed));
            thread::spawn(move || weather.forward(from, into, Chance(seed | 1)));
        }
    }

    /// Forwards data in one direction until the connection ends or breaks.
    fn forward(&self, mut from: TcpStream, mut into: TcpStream, mut chance: Chance) {
        let mut bytes = vec![0; 16 << 10];
        let pause = Duration::from_millis(100);
        // If this fails, the connection is broken.
        let _ = (from.set_read_timeout(Some(pause)), from.set_nodelay(true));
        while !self.is_over.load(Ordering::Relaxed) {
            let count = match from.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock) => continue,
                Err(_) => break,
            };
            if self.is_bad.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(chance.below(LONGEST_DELAY_MS + 1) as u64));
                match chance.below(ONE_IN) {
                    0 => thread::sleep(Duration::from_millis(chance.below(LONGEST_STALL_MS) as u64)),
                    1 => break,
                    _ => {}
                }
            }
            while self.swallows.load(Ordering::Relaxed) && !self.is_over.load(Ordering::Relaxed) {
                thread::sleep(pause);
            }
            if into.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        // They may be closed.
        let _ = (from.shutdown(Shutdown::Both), into.shutdown(Shutdown::Both));
    }
}
