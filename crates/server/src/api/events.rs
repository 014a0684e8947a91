//! Live events as Server-Sent Events. An event is serialised once and shared by all listeners; a listener that does
//! not read is disconnected.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use model::UserId;
use serde::Deserialize;
use tokio::sync::{broadcast, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use crate::extract::{Address, MaybeMe, Query};
use crate::wire::LiveEvent;
use crate::{ApiError, App};

/// Events that are kept for listeners that are behind.
const KEPT: usize = 512;
/// Events that wait in the connection of one listener.
const WAITING: usize = 32;
/// How often something is sent, so that both ends notice a lost connection.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The listeners that get an event.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Topic {
    Matches,
    Board(String),
    User(UserId),
}

#[derive(Debug)]
struct Event {
    topic: Topic,
    text: Bytes,
}

/// Distributes events to listeners.
#[derive(Debug)]
pub struct Hub {
    sender: broadcast::Sender<Arc<Event>>,
    listeners: Arc<AtomicUsize>,
    count: AtomicUsize,
}

impl Default for Hub {
    fn default() -> Hub {
        Hub { sender: broadcast::Sender::new(KEPT), listeners: Arc::default(), count: AtomicUsize::new(0) }
    }
}

impl Hub {
    /// The number of listeners.
    pub fn listeners(&self) -> usize {
        self.listeners.load(Ordering::Relaxed)
    }

    fn send(&self, topic: Topic, event: &LiveEvent) {
        let id = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(text) = written(id, event) {
            // Sending fails when there are no listeners.
            let _ = self.sender.send(Arc::new(Event { topic, text }));
        }
    }

    /// Sends an event to all listeners.
    pub(crate) fn to_all(&self, event: &LiveEvent) {
        self.send(Topic::Matches, event);
    }

    /// Sends an event about a board.
    pub(crate) fn to_board(&self, game: &str, event: &LiveEvent) {
        self.send(Topic::Board(game.to_owned()), event);
    }

    /// Sends an event to the listeners of one account.
    pub(crate) fn to_user(&self, user: UserId, event: &LiveEvent) {
        self.send(Topic::User(user), event);
    }
}

/// An event as it is sent. JSON text contains no line feeds.
fn written(id: usize, event: &LiveEvent) -> Option<Bytes> {
    let value = serde_json::to_value(event).ok()?;
    let kind = value.get("type")?.as_str()?;
    Some(format!("id: {id}\nevent: {kind}\ndata: {value}\n\n").into())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventsAsk {
    /// Topics, separated by commas: `matches`, `board:GAME`, `me` (events of the user's own bots); default: `matches`.
    topics: Option<String>,
}

/// Counts a listener while it is connected.
struct Listener(Arc<AtomicUsize>);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Live events. The `data` of each event is a `LiveEvent`; the name of the event is its `type`.
#[utoipa::path(get, path = "/events", tag = "events", params(EventsAsk), responses(
    (status = 200, description = "Server-Sent Events", body = LiveEvent, content_type = "text/event-stream"),
))]
pub(crate) async fn events(
    State(app): State<App>,
    MaybeMe(me): MaybeMe,
    Address(address): Address,
    Query(ask): Query<EventsAsk>,
) -> Result<Response, ApiError> {
    let mut topics = Vec::new();
    for word in ask.topics.as_deref().unwrap_or("matches").split(',').take(20).map(str::trim) {
        topics.push(match word.split_once(':') {
            None if word == "matches" => Topic::Matches,
            None if word == "me" => Topic::User(me.as_ref().ok_or_else(ApiError::sign_in)?.id),
            Some(("board", game)) if catalog::find(game).is_ok() => Topic::Board(game.to_owned()),
            _ => return Err(ApiError::bad("there is no such topic", "choose from: matches, board:GAME, me")),
        });
    }
    let hub = &app.hub;
    let slot = app.guard.listeners.take(address)?;
    hub.listeners.fetch_add(1, Ordering::Relaxed);
    let listener = Listener(Arc::clone(&hub.listeners));
    let news = hub.sender.subscribe();
    let (sender, receiver) = mpsc::channel::<Result<Bytes, Infallible>>(WAITING);
    // A listener is disconnected when its account is blocked or logged out.
    let disconnected = app.guard.disconnected(me.map(|me| me.id));
    tokio::spawn(async move {
        tokio::select! {
            () = attend(news, sender, topics, listener) => {}
            () = disconnected => {}
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // Proxies must not buffer the events.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Extension(slot), Body::from_stream(ReceiverStream::new(receiver))).into_response())
}

/// Passes events on to one listener until it disconnects or falls behind.
async fn attend(
    mut news: broadcast::Receiver<Arc<Event>>,
    sender: mpsc::Sender<Result<Bytes, Infallible>>,
    topics: Vec<Topic>,
    _listener: Listener,
) {
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut greeting = Some(Bytes::from_static(b"retry: 2000\n: welcome\n\n"));
    loop {
        let text = tokio::select! {
            event = news.recv() => match event {
                Ok(event) if topics.contains(&event.topic) => event.text.clone(),
                Ok(_) => continue,
                Err(broadcast::error::RecvError::Lagged(_)) => match written(0, &LiveEvent::Missed) {
                    Some(text) => text,
                    None => continue,
                },
                Err(broadcast::error::RecvError::Closed) => return,
            },
            _ = heartbeat.tick() => greeting.take().unwrap_or(Bytes::from_static(b": still here\n\n")),
            () = sender.closed() => return,
        };
        if sender.try_send(Ok(text)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn clients_that_do_not_read_are_disconnected() {
        let hub = Hub::default();
        let (sender, receiver) = mpsc::channel(WAITING);
        hub.listeners.fetch_add(1, Ordering::Relaxed);
        let listener = Listener(Arc::clone(&hub.listeners));
        let attending = tokio::spawn(attend(hub.sender.subscribe(), sender, vec![Topic::Matches], listener));
        // The listener reads nothing: the queue is bounded, and the listener is disconnected when it is full.
        for _ in 0..=WAITING {
            hub.to_all(&LiveEvent::Missed);
            tokio::task::yield_now().await;
        }
        attending.await.unwrap();
        assert_eq!((receiver.len(), hub.listeners()), (WAITING, 0));
    }

    #[tokio::test]
    async fn listeners_get_only_the_topics_they_asked_for() {
        let hub = Hub::default();
        let (sender, mut receiver) = mpsc::channel(WAITING);
        hub.listeners.fetch_add(1, Ordering::Relaxed);
        let listener = Listener(Arc::clone(&hub.listeners));
        let attending =
            tokio::spawn(attend(hub.sender.subscribe(), sender, vec![Topic::User(UserId(1))], listener));
        // After the greeting, the listener receives events.
        receiver.recv().await.unwrap().unwrap();
        for _ in 0..10 * KEPT {
            hub.to_all(&LiveEvent::Missed);
            hub.to_user(UserId(2), &LiveEvent::Missed);
            tokio::task::yield_now().await;
        }
        hub.to_user(UserId(1), &LiveEvent::Notice);
        let heard = receiver.recv().await.unwrap().unwrap();
        let heard = String::from_utf8_lossy(&heard).into_owned();
        assert!(heard.contains("event: notice"), "{heard}");
        drop(receiver);
        attending.await.unwrap();
        assert_eq!(hub.listeners(), 0);
    }
}
