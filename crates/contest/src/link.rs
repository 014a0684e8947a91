//! The connection of a service to a cluster: one of several servers leads, and all tell each other the news.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cluster::{Address, Cluster, ClusterError, Messages, Progress, ProgressSender, Role, Teller};
use game::Seat;
use model::MatchId;
use replay::AnswerMeta;
use sandbox::Level;
use serde::{Deserialize, Serialize};
use store::{CLUSTER, Leased, Store};

use crate::events::Event;
use crate::play::playing;
use crate::service::{Inner, lock};

/// The interval in which a server looks whether it leads. Another server takes the lead of one that died within two.
const LOOK: Duration = Duration::from_secs(1);
/// The pause after a lost connection.
const AGAIN: Duration = Duration::from_secs(1);
/// The name of the arena in the settings of the database.
const ARENA: &str = "cluster_arena";

/// The cluster that plays for an arena.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClusterConfig {
    /// The NATS server.
    pub address: Address,
    /// The weakest sandbox of a worker.
    pub level: Level,
}

/// The connection of a service to a cluster.
pub(crate) struct Link {
    pub(crate) cluster: Cluster,
    /// The name of the arena on the cluster: the same for all its servers.
    pub(crate) arena: String,
    /// The weakest sandbox of a worker.
    pub(crate) level: Level,
    /// The name of this server.
    server: String,
    teller: Teller,
    leads: AtomicBool,
    /// The number of times that this server took the lead.
    pub(crate) times_led: AtomicU64,
    /// The languages that the workers can compile; `None` as long as this server has not looked at them.
    pub(crate) builders: Mutex<Option<Vec<String>>>,
    /// The languages that workers which were seen lately can compile, and when they were read.
    pub(crate) languages: tokio::sync::Mutex<(Option<Instant>, Vec<String>)>,
    /// Whether the thread that hands out matches has ended.
    pub(crate) has_ended: AtomicBool,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("arena", &self.arena).finish_non_exhaustive()
    }
}

/// A message between the servers of an arena.
#[derive(Serialize, Deserialize)]
struct Letter {
    /// The server that sends it.
    from: String,
    news: News,
}

/// The news of a server.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum News {
    /// Something has happened.
    Event(Event),
    /// The store has new work.
    Work,
    /// Matches were removed while they were played.
    Removed(Vec<MatchId>),
}

impl Link {
    /// Connects a server of this name.
    pub(crate) async fn open(
        config: &ClusterConfig,
        store: &Store,
        server: &str,
    ) -> Result<Link, crate::ServiceError> {
        let cluster = Cluster::connect(&config.address, Role::Master(server)).await?;
        let fresh = format!("arena-{:016x}", crate::now_ms() as u64 ^ u64::from(std::process::id()) << 40);
        let arena = store.setting_or(ARENA, &fresh).await?;
        let teller = Teller::new(&cluster);
        Ok(Link {
            cluster,
            arena,
            level: config.level,
            server: server.to_owned(),
            teller,
            leads: AtomicBool::new(false),
            times_led: AtomicU64::new(0),
            builders: Mutex::default(),
            languages: tokio::sync::Mutex::default(),
            has_ended: AtomicBool::new(false),
        })
    }

    /// Tells the other servers something.
    pub(crate) fn tell(&self, news: News) {
        // News consist of plain data.
        if let Ok(text) = serde_json::to_vec(&Letter { from: self.server.clone(), news }) {
            self.teller.tell_servers(&self.arena, text);
        }
    }

    /// Sends the answers of a match that this server plays.
    pub(crate) fn progress(&self, leased: &Leased) -> ProgressSender {
        self.teller.progress(&self.arena, leased.id.0 as u64, leased.token as u64, &self.name_in_progress())
    }

    /// The name of this server in the messages about the matches that it plays. The name of a worker has no slash.
    fn name_in_progress(&self) -> String {
        format!("server/{}", self.server)
    }
}

impl Inner {
    /// Whether this server plans matches, has submissions built and hands out work. A server without a cluster is alone and does.
    pub(crate) fn leads(&self) -> bool {
        self.link.as_ref().is_none_or(|link| link.leads.load(Ordering::Relaxed))
    }

    /// Keeps the lead, or takes it if it is free.
    pub(crate) async fn look_for_lead(&self, link: &Link) -> store::Result<()> {
        let mut claim = self.claim.lock().await;
        if let Some(held) = claim.take() {
            *claim = self.store.check_lead(held).await;
            if claim.is_none() {
                link.leads.store(false, Ordering::Relaxed);
                self.trouble("this server has lost the lead".to_owned());
            }
        }
        if claim.is_some() || self.stops() {
            return Ok(());
        }
        let Some(lead) = self.store.try_lead().await? else { return Ok(()) };
        *claim = Some(lead);
        drop(claim);
        // The builds on the last leader have ended with it.
        self.store.requeue_builds(Some(CLUSTER)).await?;
        // Others are with the workers, as matches are: their results are as good as others.
        let until = crate::now_ms() + crate::work::LEASE_MS;
        self.store.renew_builds(CLUSTER, until).await?;
        self.store.renew_all(CLUSTER, until).await?;
        *lock(&link.builders) = None;
        tracing::info!(target: "contest", server = link.server, "this server leads");
        link.times_led.fetch_add(1, Ordering::Relaxed);
        link.leads.store(true, Ordering::Relaxed);
        self.wake();
        Ok(())
    }

    fn hear(&self, link: &Link, text: &[u8]) {
        let Ok(Letter { from, news }) = serde_json::from_slice(text) else { return };
        if from == link.server {
            return;
        }
        match news {
            News::Work => self.wake(),
            News::Removed(matches) => self.break_off(&matches),
            News::Event(event) => {
                match &event {
                    Event::MatchDone { match_id, .. } | Event::MatchVoid { match_id, .. } => {
                        self.look_again();
                        self.live.remove_remote(*match_id);
                    }
                    Event::Contest { .. } => self.contests.forget(),
                    _ => {}
                }
                self.tell_here(event);
            }
        }
    }

    /// Breaks off matches that were removed.
    pub(crate) fn break_off(&self, removed: &[MatchId]) {
        for playing in self.live.playing().iter().filter(|one| removed.contains(&one.match_id)) {
            playing.lost.store(true, Ordering::Relaxed);
        }
    }

    /// Takes the answers of a match that another machine plays.
    async fn follow(&self, link: &Link, text: &[u8]) -> store::Result<()> {
        let Ok(progress) = serde_json::from_slice::<Progress>(text) else { return Ok(()) };
        if progress.by == link.name_in_progress() {
            return Ok(());
        }
        let id = MatchId(progress.index as i64);
        let is_same = |playing: &crate::live::Playing| {
            playing.by.as_deref() == Some(&progress.by) && playing.token as u64 == progress.token
        };
        let known = self.live.find(id).filter(|playing| is_same(playing));
        let playing = match known {
            Some(playing) => playing,
            None => {
                let Some(leased) = self.store.leased_match(id).await? else { return Ok(()) };
                let Ok(rules) = self.rules_of(&leased) else { return Ok(()) };
                if leased.token as u64 != progress.token {
                    return Ok(());
                }
                let mut begun = playing(&leased, rules, Some(&progress.by));
                if progress.from > 0 {
                    // The beginning was not heard.
                    begun.live = None;
                }
                let begun = Arc::new(begun);
                self.live.add(&begun);
                // A server tells by itself that a match begins.
                if !progress.by.contains('/') {
                    let (at, seats) = (begun.at.clone(), begun.seats.clone());
                    self.tell_here(Event::MatchStarted { match_id: id, at, seats });
                }
                begun
            }
        };
        playing.turn.store(progress.turn, Ordering::Relaxed);
        let mut heard = lock(&playing.heard);
        heard.0 = Instant::now();
        let Some(live) = &playing.live else { return Ok(()) };
        if progress.from == 0 && heard.1 > 0 {
            live.restart();
            heard.1 = 0;
        }
        if progress.from != heard.1 {
            // A message was lost: the match stands still for its viewers until it is over.
            return Ok(());
        }
        for answer in &progress.answers {
            let meta = AnswerMeta { wall_us: Some(answer.wall_us), stderr: Vec::new() };
            live.answered(Seat(answer.seat), answer.line.as_ref().map(|line| &*line.0), &meta);
        }
        heard.1 += progress.answers.len();
        Ok(())
    }
}

/// Keeps the lead or waits for it, until the service has stopped.
pub(crate) async fn lead(inner: Arc<Inner>, link: Arc<Link>) {
    while !(inner.stops() && inner.is_still()) {
        if let Err(error) = inner.look_for_lead(&link).await {
            tracing::debug!(target: "contest", %error, "no lead");
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Takes the news of the other servers until the service has stopped.
pub(crate) async fn listen(inner: Arc<Inner>, link: Arc<Link>) {
    while !inner.stops() {
        if let Err(error) = hear_all(&inner, &link).await {
            tracing::debug!(target: "contest", %error, "the news of the other servers are not heard");
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn hear_all(inner: &Arc<Inner>, link: &Link) -> Result<(), ClusterError> {
    let mut news: Messages = link.cluster.hear_servers(&link.arena).await?;
    let mut answers: Messages = link.cluster.hear_progress(&link.arena).await?;
    while !inner.stops() {
        let heard = async {
            tokio::select! {
                text = news.next() => text.map(|text| (true, text)),
                text = answers.next() => text.map(|text| (false, text)),
            }
        };
        match tokio::time::timeout(LOOK, heard).await {
            Ok(Some((true, text))) => inner.hear(link, &text),
            Ok(Some((false, text))) => {
                if let Err(error) = inner.follow(link, &text).await {
                    tracing::debug!(target: "contest", %error, "a match is not shown");
                }
            }
            Ok(None) => return Ok(()),
            Err(_) => {}
        }
    }
    Ok(())
}
