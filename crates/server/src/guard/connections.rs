//! Limits the connections: their number, the time a client may take, and which connection is closed when there are
//! too many.
//!
//! A connection is *waiting* (for its client to send a request: a new one, a kept one, a slow one), *at work* (its
//! request is complete), *sending* or *listening* (to live events). A fixed number of connections that do not listen
//! are kept open. When one more arrives, the one that has been waiting longest is closed: a client that opens
//! hundreds of connections and sends a byte now and then closes its own connections, while a normal request is done
//! before its turn comes. A connection that has only just arrived is not closed: then new ones are accepted a moment
//! later. When no connection waits, a new one is answered with 503.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use super::write_timeout::WriteTimeout;
use crate::ApiError;

/// How long a complete request waits for a slot.
const TURN: Duration = Duration::from_secs(5);
/// A connection that has waited for less is not closed for another one.
const JUST_COME: Duration = Duration::from_millis(100);
/// How long a new connection waits for a place at most, and how often it tries.
const OUTSIDE: (Duration, Duration) = (Duration::from_secs(2), Duration::from_millis(5));
/// Most bytes that are read before the head of a request must have ended.
const HEAD: usize = 64 * 1024;

/// The state of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Doing {
    Waiting,
    Working,
    Sending,
    Listening,
}

#[derive(Debug)]
struct Place {
    doing: Doing,
    since: Instant,
    /// Rises with every change: orders the connections that changed at the same instant.
    turn: u64,
    leave: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Slots {
    places: BTreeMap<u64, Place>,
    turns: u64,
    listening: usize,
}

/// The connections of the site. Clones share them.
#[derive(Debug, Clone)]
pub struct ConnectionLimiter(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    slots: Mutex<Slots>,
    /// Most connections that are kept open, without listeners.
    open: usize,
    at_work: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    patience: Duration,
}

/// One connection, as its requests see it.
#[derive(Debug, Clone)]
pub struct Connection {
    connections: ConnectionLimiter,
    id: u64,
}

impl ConnectionLimiter {
    /// A limiter for `at_work` requests at once; the same number may wait for a slot.
    pub fn new(at_work: usize, patience: Duration) -> ConnectionLimiter {
        ConnectionLimiter(Arc::new(Shared {
            slots: Mutex::default(),
            open: at_work * 2,
            at_work: Arc::new(Semaphore::new(at_work)),
            queue: Arc::new(Semaphore::new(at_work * 2)),
            patience,
        }))
    }

    /// How long a client may take.
    pub fn patience(&self) -> Duration {
        self.0.patience
    }

    /// The number of open connections, and the number of listeners among them.
    pub fn open(&self) -> (usize, usize) {
        let slots = self.slots();
        (slots.places.len(), slots.listening)
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        // No operation under the lock can leave the slots in an inconsistent state.
        self.0.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection. A waiting one may be closed for it; if none waits, it is refused.
    fn enter(&self, now: Instant) -> Result<(Connection, Arc<Notify>), Full> {
        let mut slots = self.slots();
        if slots.places.len() - slots.listening >= self.0.open {
            let leaves = slots.longest_waiting(self.0.patience, now)?;
            if let Some(place) = slots.places.remove(&leaves) {
                place.leave.notify_one();
            }
        }
        let id = slots.next_turn();
        let leave = Arc::new(Notify::new());
        let place =
            Place { doing: Doing::Waiting, since: Instant::now(), turn: id, leave: Arc::clone(&leave) };
        slots.places.insert(id, place);
        Ok((Connection { connections: self.clone(), id }, leave))
    }

    /// Like `enter`, but waits a moment while all waiting connections have only just arrived.
    async fn enter_soon(&self) -> Option<(Connection, Arc<Notify>)> {
        let begun = Instant::now();
        loop {
            match self.enter(Instant::now()) {
                Ok(entered) => return Some(entered),
                Err(Full::ForAMoment) if begun.elapsed() < OUTSIDE.0 => tokio::time::sleep(OUTSIDE.1).await,
                Err(_) => return None,
            }
        }
    }

    fn leave(&self, id: u64) {
        let mut slots = self.slots();
        if let Some(place) = slots.places.remove(&id) {
            slots.listening -= usize::from(place.doing == Doing::Listening);
        }
    }

    /// Gets a slot for a complete request: at once, after a while, or not at all.
    pub(crate) async fn turn(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let busy = || ApiError::busy("too many requests at this moment", 2);
        let _queued = self.0.queue.try_acquire().map_err(|_| busy())?;
        match tokio::time::timeout(TURN, Arc::clone(&self.0.at_work).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(busy()),
        }
    }
}

/// Why a connection is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Full {
    /// Every connection is at work.
    OfWork,
    /// The waiting connections have only just arrived.
    ForAMoment,
}

impl Slots {
    fn next_turn(&mut self) -> u64 {
        self.turns += 1;
        self.turns
    }

    /// The connection to close: the one that has waited longest; else the one that has been receiving an answer
    /// longest, if that is longer than `patience`.
    fn longest_waiting(&self, patience: Duration, now: Instant) -> Result<u64, Full> {
        let longest = |doing: Doing| {
            let those = self.places.iter().filter(move |(_, place)| place.doing == doing);
            those
                .min_by_key(|(_, place)| place.turn)
                .map(|(id, place)| (*id, now.duration_since(place.since)))
        };
        match (longest(Doing::Waiting), longest(Doing::Sending)) {
            (Some((id, since)), _) if since >= JUST_COME => Ok(id),
            (_, Some((id, since))) if since > patience => Ok(id),
            (Some(_), _) => Err(Full::ForAMoment),
            (None, _) => Err(Full::OfWork),
        }
    }
}

/// The state of a connection until this is dropped; then the connection waits again.
#[derive(Debug)]
pub(crate) struct Busy(Connection);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.now(Doing::Waiting);
    }
}

impl Connection {
    fn now(&self, doing: Doing) {
        let mut slots = self.connections.slots();
        let turn = slots.next_turn();
        let Some(place) = slots.places.get_mut(&self.id) else { return };
        let before = std::mem::replace(&mut place.doing, doing);
        (place.since, place.turn) = (Instant::now(), turn);
        slots.listening += usize::from(doing == Doing::Listening);
        slots.listening -= usize::from(before == Doing::Listening);
    }

    /// The request is complete: the connection is not closed for another one.
    pub(crate) fn works(&self) -> Busy {
        self.now(Doing::Working);
        Busy(self.clone())
    }

    /// The answer is being sent.
    pub(crate) fn sends(&self, listens: bool) -> Busy {
        self.now(if listens { Doing::Listening } else { Doing::Sending });
        Busy(self.clone())
    }

    fn listens(&self) -> bool {
        self.connections.slots().places.get(&self.id).is_none_or(|place| place.doing == Doing::Listening)
    }
}

/// Raises the limit of open files to this number of connections, as far as the system allows. Many systems begin with
/// 1,024.
pub(crate) fn make_room(connections: usize) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let wanted = connections as u64 + 256;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_some_and(|current| current < wanted) {
        let wanted = maximum.map_or(wanted, |maximum| maximum.min(wanted));
        if setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_err()
            || wanted < connections as u64
        {
            tracing::warn!(target: "agon::connections", files = wanted, "this process may open too few files for all connections (ulimit -n)");
        }
    }
}

/// Serves until `stop` becomes true; then requests that are being answered get `grace` to end.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    connections: ConnectionLimiter,
    mut stop: watch::Receiver<bool>,
    grace: Duration,
) -> io::Result<()> {
    let mut tasks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
            Some(_) = tasks.join_next(), if !tasks.is_empty() => continue,
        };
        match accepted {
            Ok((stream, peer)) => match connections.enter_soon().await {
                Some((connection, leave)) => {
                    tasks.spawn(attend(stream, peer, router.clone(), connection, leave, stop.clone()));
                }
                None => refuse(stream).await,
            },
            // Most likely there are no free file descriptors: open connections go on and end.
            Err(error) => {
                tracing::warn!(target: "agon::connections", %error, "a connection cannot be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    drop(listener);
    let all_left = async { while tasks.join_next().await.is_some() {} };
    // Connections that are still open after that are cut off when the set is dropped.
    let _ = tokio::time::timeout(grace, all_left).await;
    Ok(())
}

async fn attend(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    connection: Connection,
    leave: Arc<Notify>,
    mut stop: watch::Receiver<bool>,
) {
    // Small answers are sent at once; if the option cannot be set, they are sent a little later.
    let _ = stream.set_nodelay(true);
    let patience = connection.connections.patience();
    let inner = TowerToHyperService::new(router);
    let known = connection.clone();
    let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(known.clone());
        inner.call(request)
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(HEAD)
        .max_headers(100)
        .half_close(false);
    let served = builder.serve_connection(TokioIo::new(WriteTimeout::new(stream, patience)), service);
    let mut served = std::pin::pin!(served);
    let mut stopping = false;
    loop {
        tokio::select! {
            // The connection has ended, whatever the reason.
            _ = served.as_mut() => break,
            () = leave.notified() => break,
            _ = stop.wait_for(|stop| *stop), if !stopping => {
                if connection.listens() {
                    break;
                }
                stopping = true;
                served.as_mut().graceful_shutdown();
            }
        }
    }
    connection.connections.leave(connection.id);
}

/// Answers 503 without reading a byte.
async fn refuse(mut stream: TcpStream) {
    const FULL: &str = "{\"error\":{\"code\":\"busy\",\"message\":\"too many connections at this moment\",\"hint\":\"try again in 2 seconds\"}}";
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\n\
         retry-after: 2\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{FULL}",
        FULL.len()
    );
    // The answer fits into the socket's buffer; the client may be gone.
    let _ = tokio::time::timeout(Duration::from_millis(100), stream.write_all(answer.as_bytes())).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    /// A time at which no connection has only just arrived.
    fn later() -> Instant {
        Instant::now() + JUST_COME
    }

    #[test]
    fn new_connections_are_not_closed_at_once() {
        let connections = ConnectionLimiter::new(1, PATIENCE);
        let come = Instant::now();
        let _tasks: Vec<_> = (0..2).map(|_| connections.enter(come).unwrap().0).collect();
        assert!(connections.enter(come).is_err_and(|full| full == Full::ForAMoment));
        assert!(connections.enter(later()).is_ok());
    }

    #[test]
    fn the_connection_idle_for_the_longest_time_is_closed_first() {
        let connections = ConnectionLimiter::new(2, PATIENCE);
        let tasks: Vec<_> = (0..4).map(|_| connections.enter(later()).unwrap().0).collect();
        // Connection 0 has worked meanwhile and waits again: 1 is now the one that waits longest; 2 is at work.
        drop(tasks[0].works());
        let at_work = tasks[2].works();
        let (_new, _) = connections.enter(later()).unwrap();
        let ids =
            |connections: &ConnectionLimiter| connections.slots().places.keys().copied().collect::<Vec<_>>();
        assert!(!ids(&connections).contains(&tasks[1].id));
        let (_newer, _) = connections.enter(later()).unwrap();
        assert!(!ids(&connections).contains(&tasks[3].id));
        let (_newest, _) = connections.enter(later()).unwrap();
        assert!(!ids(&connections).contains(&tasks[0].id));
        assert!(ids(&connections).contains(&tasks[2].id));
        drop(at_work);
        assert_eq!(connections.open(), (4, 0));
    }

    #[test]
    fn new_connections_are_refused_if_none_is_idle() {
        let connections = ConnectionLimiter::new(1, PATIENCE);
        let tasks: Vec<_> = (0..2).map(|_| connections.enter(later()).unwrap().0).collect();
        let busy: Vec<_> = tasks.iter().map(Connection::works).collect();
        assert!(connections.enter(later()).is_err_and(|full| full == Full::OfWork));
        drop(busy);
        assert!(connections.enter(later()).is_ok());
    }

    #[test]
    fn listeners_have_their_own_slots() {
        let connections = ConnectionLimiter::new(1, PATIENCE);
        let mut listening = Vec::new();
        for _ in 0..50 {
            let (connection, _) = connections.enter(later()).unwrap();
            listening.push(connection.sends(true));
        }
        assert_eq!(connections.open(), (50, 50));
        drop(listening.pop());
        assert_eq!(connections.open(), (50, 49));
        let last = listening.pop().unwrap();
        connections.leave(last.0.id);
        drop(last);
        assert_eq!(connections.open(), (49, 48));
    }

    #[tokio::test]
    async fn the_queue_is_bounded() {
        let connections = ConnectionLimiter::new(1, PATIENCE);
        let first = connections.turn().await.unwrap();
        let waiting: Vec<_> = (0..2)
            .map(|_| {
                tokio::spawn({
                    let connections = connections.clone();
                    async move { connections.turn().await.is_ok() }
                })
            })
            .collect();
        while connections.0.queue.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let refused = connections.turn().await.unwrap_err();
        assert_eq!((refused.status.as_u16(), refused.retry_after), (503, Some(2)));
        drop(first);
        for waiter in waiting {
            assert!(waiter.await.unwrap());
        }
    }
}
