//! Progress of long jobs on the standard error output, if that is a terminal.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Runs a job that counts its finished parts; `total` is `None` if their number is not known.
pub(crate) fn with_progress<T>(total: Option<u64>, what: &str, job: impl FnOnce(&AtomicU64) -> T) -> T {
    let done = AtomicU64::new(0);
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if bar.is_hidden() {
        return job(&done);
    }
    let form = match total {
        Some(_) => "{pos}/{len} {msg} {wide_bar} {per_sec}, {eta} left",
        None => "{pos} {msg}, {per_sec}",
    };
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    let (stop, stopped) = channel::<()>();
    let (bar, counted) = (&bar, &done);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while stopped.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(counted.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
        });
        let result = job(&done);
        drop(stop);
        result
    })
}
