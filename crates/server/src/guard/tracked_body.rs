//! Bodies: a body of a request is read whole; a body of an answer reports when it has been sent.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

use super::connections::Busy;
use super::listeners::Slot;

/// The reason why a body was not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unread {
    TooLarge,
    Broken,
}

/// A body that is too large is still received up to this number of bytes, and discarded.
pub(crate) const HEARD_OUT: usize = 4 << 20;

/// Reads a whole body, if it has at most `most` bytes.
pub(crate) async fn whole(mut body: Body, most: usize) -> Result<Bytes, Unread> {
    let (mut bytes, mut came) = (Vec::new(), 0);
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let Ok(data) = frame.map_err(|_| Unread::Broken)?.into_data() else { continue };
        came += data.len();
        if came <= most {
            bytes.extend_from_slice(&data);
        } else if came > HEARD_OUT {
            break;
        }
    }
    if came <= most { Ok(bytes.into()) } else { Err(Unread::TooLarge) }
}

/// Whether a JSON text contains a NUL: as a byte, or as an escape (`\\u0000` in a source is a backslash and five
/// characters).
pub(crate) fn has_nul(json: &[u8]) -> bool {
    let mut escaped = false;
    for (place, &byte) in json.iter().enumerate() {
        if byte == 0 || (escaped && json[place..].starts_with(b"u0000")) {
            return true;
        }
        escaped = byte == b'\\' && !escaped;
    }
    false
}

/// The body of an answer. When its end has been passed on, or the client is gone, its connection waits again.
#[derive(Debug)]
pub(crate) struct TrackedBody {
    inner: Body,
    _busy: Busy,
    _slot: Option<Arc<Slot>>,
}

impl TrackedBody {
    /// A client that waits for news has a slot until its answer has been sent.
    pub(crate) fn new(inner: Body, busy: Busy, slot: Option<Arc<Slot>>) -> Self {
        Self { inner, _busy: busy, _slot: slot }
    }
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_characters_are_found_but_not_their_escaped_form() {
        for nul in [&br#""\u0000""#[..], br#""a\\\u0000""#, b"\0", br#"{"\u0000":1}"#] {
            assert!(has_nul(nul), "{nul:?}");
        }
        for none in [&br#""\\u0000""#[..], br#""\u0001""#, br#""\\\\u0000""#, b"\"u0000\"", b"", b"\\"] {
            assert!(!has_nul(none), "{none:?}");
        }
    }

    #[tokio::test]
    async fn the_limit_is_exact() {
        assert_eq!(whole(Body::from("12345"), 5).await.unwrap(), "12345");
        assert_eq!(whole(Body::from("123456"), 5).await, Err(Unread::TooLarge));
        assert_eq!(whole(Body::empty(), 0).await.unwrap(), "");
    }
}
