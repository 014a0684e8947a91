//! Large answers: they are compressed once and sent piece by piece, so that a client that does not read costs a piece
//! of memory and not the whole answer. A long one is in a file without a name, which all clients that read it share. Files
//! are read and texts are unpacked on blocking threads.

use std::fs::File;
use std::io::{self, BufWriter, Cursor, Read, Write};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::Serialize;
use tokio::task::JoinHandle;
use tokio_stream::Stream;

use super::pages::takes_packed;

/// Bytes that are sent at once.
const PIECE: usize = 64 << 10;
/// The weight of a file in a cache, in bytes of memory: it limits the open files.
const FILE_WEIGHT: u32 = 1 << 20;

/// A compressed JSON text. Clones share it.
#[derive(Clone, Debug)]
pub(crate) enum Packed {
    Memory(Bytes),
    File(Arc<File>),
}

impl Packed {
    /// Compresses a value. `folder` is for a file without a name. This function blocks.
    pub(crate) fn value(value: &impl Serialize, folder: &Path) -> io::Result<Packed> {
        let mut packer = BufWriter::with_capacity(PIECE, packer());
        serde_json::to_writer(&mut packer, value)?;
        Ok(Packed::new(packer.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?, folder))
    }

    /// Compresses a text. This function blocks.
    pub(crate) fn text(text: &[u8], folder: &Path) -> io::Result<Packed> {
        let mut packer = packer();
        packer.write_all(text)?;
        Ok(Packed::new(packer.finish()?, folder))
    }

    fn new(packed: Vec<u8>, folder: &Path) -> Packed {
        let in_file = || {
            let mut file = tempfile::tempfile_in(folder)?;
            file.write_all(&packed)?;
            Ok::<_, io::Error>(file)
        };
        if packed.len() <= PIECE {
            return Packed::Memory(packed.into());
        }
        match in_file() {
            Ok(file) => Packed::File(Arc::new(file)),
            // Reading works on a full disk, too.
            Err(_) => Packed::Memory(packed.into()),
        }
    }

    /// The weight in a cache, in bytes.
    pub(crate) fn weight(&self) -> u32 {
        match self {
            Packed::Memory(bytes) => u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            Packed::File(_) => FILE_WEIGHT,
        }
    }

    fn source(&self) -> Source {
        match self {
            Packed::Memory(bytes) => Source::Memory(Cursor::new(bytes.clone())),
            Packed::File(file) => Source::File(Arc::clone(file), 0),
        }
    }

    /// The text, unpacked piece by piece on blocking threads.
    pub(crate) fn text_pieces(&self) -> impl Stream<Item = io::Result<Bytes>> + Send + Unpin + use<> {
        Aside::new(pieces(MultiGzDecoder::new(self.source())))
    }

    /// The answer: compressed if the client accepts that.
    pub(crate) fn response(&self, asked: &HeaderMap) -> Response {
        let json = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if !takes_packed(asked) {
            return ([json], Body::from_stream(self.text_pieces())).into_response();
        }
        let body = match self {
            Packed::Memory(bytes) => Body::from(bytes.clone()),
            Packed::File(_) => Body::from_stream(Aside::new(pieces(self.source()))),
        };
        ([json, (header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))], body).into_response()
    }
}

fn packer() -> GzEncoder<Vec<u8>> {
    GzEncoder::new(Vec::new(), Compression::fast())
}

/// Reads compressed bytes.
enum Source {
    Memory(Cursor<Bytes>),
    /// A file, and the place in it: the file is shared.
    File(Arc<File>, u64),
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::Memory(bytes) => bytes.read(buffer),
            Source::File(file, at) => {
                let read = file.read_at(buffer, *at)?;
                *at += read as u64;
                Ok(read)
            }
        }
    }
}

/// The pieces of a text, until its end or its first error.
fn pieces(mut from: impl Read + Send) -> impl Iterator<Item = io::Result<Bytes>> + Send {
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let mut piece = Vec::with_capacity(PIECE);
        let read = from.by_ref().take(PIECE as u64).read_to_end(&mut piece);
        is_over = piece.is_empty() || read.is_err();
        match read {
            Ok(0) => None,
            Ok(_) => Some(Ok(piece.into())),
            Err(error) => Some(Err(error)),
        }
    })
}

/// The items of an iterator that blocks: each is made on a blocking thread when the client is ready for it.
struct Aside<I: Iterator> {
    /// `None` while an item is made.
    items: Option<I>,
    making: Option<JoinHandle<(Option<I::Item>, I)>>,
}

impl<I: Iterator> Aside<I> {
    fn new(items: I) -> Aside<I> {
        Aside { items: Some(items), making: None }
    }
}

impl<I> Stream for Aside<I>
where
    I: Iterator<Item = io::Result<Bytes>> + Send + Unpin + 'static,
{
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(mut items) = self.items.take() {
            self.making = Some(tokio::task::spawn_blocking(move || (items.next(), items)));
        }
        let Some(making) = &mut self.making else { return Poll::Ready(None) };
        match ready!(Pin::new(making).poll(context)) {
            Ok((item, items)) => {
                self.making = None;
                self.items = Some(items).filter(|_| item.is_some());
                Poll::Ready(item)
            }
            Err(error) => {
                self.making = None;
                Poll::Ready(Some(Err(io::Error::other(error))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio_stream::StreamExt as _;

    use super::*;

    async fn read(packed: &Packed) -> Vec<u8> {
        let pieces: Vec<Bytes> = packed.text_pieces().map(Result::unwrap).collect().await;
        assert!(pieces.iter().all(|piece| piece.len() <= PIECE));
        pieces.concat()
    }

    #[tokio::test]
    async fn long_texts_are_kept_in_an_unnamed_file() {
        let folder = testing::scratch();
        let short = Packed::text(b"\"short\"", folder.path()).unwrap();
        assert!(matches!(short, Packed::Memory(_)));
        assert_eq!(read(&short).await, b"\"short\"");
        // Numbers that do not compress well.
        let mut number = 1_u64;
        let numbers: Vec<u64> = std::iter::repeat_with(|| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            number
        })
        .take(50_000)
        .collect();
        let long = Packed::value(&numbers, folder.path()).unwrap();
        assert!(matches!(long, Packed::File(_)) && long.weight() == FILE_WEIGHT);
        let expected = serde_json::to_vec(&numbers).unwrap();
        // Two clients read the same file, each from its beginning.
        assert_eq!(read(&long).await, expected);
        assert_eq!(read(&long).await, expected);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let nowhere = Packed::value(&numbers, &folder.path().join("none")).unwrap();
        assert!(matches!(nowhere, Packed::Memory(_)));
        assert_eq!(read(&nowhere).await, expected);
    }

    /// The test has one thread for requests.
    #[tokio::test]
    async fn no_piece_is_made_on_a_thread_of_requests() {
        let ours = std::thread::current().id();
        let items = (0..3_u8).map(move |number| {
            assert_ne!(std::thread::current().id(), ours);
            Ok(Bytes::from(vec![number]))
        });
        let read: Vec<_> = Aside::new(items).map(Result::unwrap).collect().await;
        assert_eq!(read.concat(), [0, 1, 2]);
        let fails = std::iter::once_with(|| Err(io::Error::other("the disk fails")));
        let read: Vec<_> = Aside::new(fails).collect().await;
        assert!(read.len() == 1 && read[0].is_err());
    }

    #[tokio::test]
    async fn an_answer_is_the_whole_text_packed_or_not() {
        let folder = testing::scratch();
        let text: Vec<u8> =
            (0..400_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let packed = Packed::text(&text, folder.path()).unwrap();
        assert!(matches!(packed, Packed::File(_)));
        let plain = packed.response(&HeaderMap::new());
        assert!(plain.headers().get(header::CONTENT_ENCODING).is_none());
        assert!(whole(plain).await == text);
        let asked = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"))]);
        let sent = packed.response(&asked);
        assert_eq!(sent.headers()[header::CONTENT_ENCODING], "gzip");
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(whole(sent).await.as_slice()).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == text);
    }

    async fn whole(response: Response) -> Vec<u8> {
        axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()
    }
}
