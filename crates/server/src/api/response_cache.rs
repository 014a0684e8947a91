//! Answers that are the same for every client, kept for a moment. When a match ends, every open page asks for the
//! same lists: the answer is made once for all of them.

use std::future::Future;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use moka::future::Cache;
use serde::Serialize;

use super::{WORTH_PACKING, pages};
use crate::ApiError;

/// The greatest age of an answer.
const FRESH: Duration = Duration::from_secs(2);
/// Most answers that are kept.
const MOST: u64 = 256;

/// An answer that is ready to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    plain: Bytes,
    packed: Option<Bytes>,
}

impl Ready {
    pub(crate) fn new(value: &impl Serialize) -> Result<Ready, ApiError> {
        let plain: Bytes = serde_json::to_vec(value).map_err(ApiError::internal)?.into();
        let is_worth_it = plain.len() as u64 >= WORTH_PACKING;
        let packed = is_worth_it.then(|| pages::pack(&plain, Compression::fast())).flatten().map(Bytes::from);
        Ok(Ready { plain, packed })
    }

    pub(crate) fn answer(self, asked: &HeaderMap) -> Response {
        let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        match self.packed {
            Some(packed) if pages::takes_packed(asked) => {
                (kind, [(header::CONTENT_ENCODING, "gzip"), (header::VARY, "accept-encoding")], packed)
                    .into_response()
            }
            _ => (kind, self.plain).into_response(),
        }
    }
}

/// Answers that are kept for a moment, by request.
#[derive(Debug)]
pub struct ResponseCache(Cache<String, Ready>);

impl Default for ResponseCache {
    fn default() -> ResponseCache {
        ResponseCache(Cache::builder().max_capacity(MOST).time_to_live(FRESH).build())
    }
}

impl ResponseCache {
    /// Forgets all answers.
    pub fn forget(&self) {
        self.0.invalidate_all();
    }

    /// The answer to a request: the one that was made a moment ago, or a new one. Clients that ask at the same time
    /// share it; errors are not kept.
    pub(crate) async fn get(
        &self,
        question: String,
        make: impl Future<Output = Result<Ready, ApiError>>,
    ) -> Result<Ready, ApiError> {
        self.0.try_get_with(question, make).await.map_err(|error| ApiError::clone(&error))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn concurrent_requests_share_one_answer() {
        let responses = Arc::new(ResponseCache::default());
        let made = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let make = |made: Arc<std::sync::atomic::AtomicU32>| async move {
            tokio::task::yield_now().await;
            Ready::new(&made.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        };
        let ask = |responses: Arc<ResponseCache>, made| async move {
            responses.get("a".into(), make(made)).await.map(|ready| ready.plain)
        };
        let waiting: Vec<_> =
            (0..50).map(|_| tokio::spawn(ask(Arc::clone(&responses), Arc::clone(&made)))).collect();
        for one in waiting {
            assert_eq!(one.await.unwrap().unwrap(), "0");
        }
        responses.forget();
        assert_eq!(ask(Arc::clone(&responses), Arc::clone(&made)).await.unwrap(), "1");
        // Errors are not kept.
        let failed = responses.get("b".into(), async { Err(ApiError::not_found("b")) }).await;
        assert_eq!(failed.unwrap_err().status.as_u16(), 404);
        assert!(responses.get("b".into(), async { Ready::new(&1) }).await.is_ok());
    }

    #[tokio::test]
    async fn the_cache_is_bounded() {
        let responses = ResponseCache::default();
        for number in 0..3 * MOST {
            responses.get(number.to_string(), async { Ready::new(&"x".repeat(10_000)) }).await.unwrap();
        }
        responses.0.run_pending_tasks().await;
        assert!(responses.0.entry_count() <= MOST);
    }
}
