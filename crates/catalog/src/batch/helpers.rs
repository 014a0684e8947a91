//! Threads that wait for work without falling asleep at once: a step of a batch is shorter than the time that a sleeping
//! thread needs to wake up.

use std::hint;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

/// How long a thread without work looks for some before it sleeps. Programs that train call step after step.
const AWAKE: Duration = Duration::from_micros(500);
/// Looks between two readings of the clock.
const LOOKS: u32 = 64;

/// Threads that do the same work as the caller, at the same time.
pub(super) struct Helpers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// A call that all threads make.
#[derive(Clone, Copy)]
struct Work(*const (dyn Fn(usize) + Sync));

// SAFETY: the function may be called from any thread, and `Helpers::run` keeps it alive while a thread has the pointer.
#[allow(unsafe_code)]
unsafe impl Send for Work {}

#[derive(Default)]
struct Shared {
    work: std::sync::Mutex<Option<Work>>,
    /// Counts the calls of `run`.
    round: AtomicUsize,
    /// Helpers that have not finished this round.
    busy: AtomicUsize,
    /// Whether a helper panicked in this round.
    failed: AtomicBool,
    /// Whether the threads end.
    over: AtomicBool,
}

impl Helpers {
    /// Starts `count` threads.
    pub(super) fn start(count: usize) -> std::io::Result<Helpers> {
        let mut helpers = Helpers { shared: Arc::default(), threads: Vec::with_capacity(count) };
        for _ in 0..count {
            let (shared, number) = (Arc::clone(&helpers.shared), helpers.threads.len() + 1);
            let thread =
                thread::Builder::new().name("batch".to_owned()).spawn(move || shared.help(number))?;
            helpers.threads.push(thread);
        }
        Ok(helpers)
    }

    /// Calls `work` on every thread with its number, and returns when all calls have returned. The caller has number 0.
    ///
    /// # Panics
    ///
    /// When a call panics.
    pub(super) fn run(&mut self, work: &(dyn Fn(usize) + Sync)) {
        let Shared { work: shared, round, busy, failed, .. } = &*self.shared;
        #[allow(unsafe_code, clippy::transmute_ptr_to_ptr)]
        // SAFETY: only the lifetime changes. No thread has the pointer when this function ends, by panic or not: `Finished`
        // waits for the threads and takes the pointer away.
        let forever = unsafe {
            std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync + 'static)>(
                work,
            )
        };
        *lock(shared) = Some(Work(forever));
        failed.store(false, Ordering::Relaxed);
        busy.store(self.threads.len(), Ordering::Relaxed);
        round.fetch_add(1, Ordering::Release);
        let finished = Finished(&self.shared);
        self.threads.iter().map(JoinHandle::thread).for_each(Thread::unpark);
        work(0);
        drop(finished);
        assert!(!failed.load(Ordering::Relaxed), "a thread of a batch panicked");
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Release);
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            // A panic of a helper has been reported by `run`.
            let _ = thread.join();
        }
    }
}

/// Waits for all helpers when it is dropped.
struct Finished<'a>(&'a Shared);

impl Drop for Finished<'_> {
    fn drop(&mut self) {
        let mut looks = 0u32;
        while self.0.busy.load(Ordering::Acquire) != 0 {
            hint::spin_loop();
            looks += 1;
            // A helper without a core needs this one.
            if looks.is_multiple_of(LOOKS * 16) {
                thread::yield_now();
            }
        }
        *lock(&self.0.work) = None;
    }
}

impl Shared {
    /// The life of a helper.
    fn help(&self, number: usize) {
        let mut done = 0;
        while self.wait_after(done) {
            done = done.wrapping_add(1);
            let work = *lock(&self.work);
            if let Some(Work(work)) = work {
                #[allow(unsafe_code)]
                // SAFETY: `run` keeps the function alive until this thread has counted itself out below.
                let called = panic::catch_unwind(AssertUnwindSafe(|| unsafe { (*work)(number) }));
                if called.is_err() {
                    self.failed.store(true, Ordering::Relaxed);
                }
            }
            self.busy.fetch_sub(1, Ordering::Release);
        }
    }

    /// Waits until a round after this one begins; false when there will be none.
    fn wait_after(&self, done: usize) -> bool {
        let mut since: Option<Instant> = None;
        let mut looks = 0u32;
        loop {
            if self.round.load(Ordering::Acquire) != done {
                return true;
            }
            if self.over.load(Ordering::Acquire) {
                return false;
            }
            looks = looks.wrapping_add(1);
            if !looks.is_multiple_of(LOOKS) {
                hint::spin_loop();
            } else if since.get_or_insert_with(Instant::now).elapsed() >= AWAKE {
                // A call of `unpark` before this one makes it return at once.
                thread::park();
            } else {
                // On a busy host another thread may have work.
                thread::yield_now();
            }
        }
    }
}

fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_does_the_work_once_a_round() {
        let mut helpers = Helpers::start(3).unwrap();
        let calls = AtomicUsize::new(0);
        for round in 1..=200 {
            if round % 50 == 0 {
                // Long enough for all of them to fall asleep.
                thread::sleep(4 * AWAKE);
            }
            helpers.run(&|_| {
                calls.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(calls.load(Ordering::Relaxed), 4 * round);
        }
    }

    #[test]
    fn a_panic_is_passed_on_after_all_have_finished() {
        let mut helpers = Helpers::start(2).unwrap();
        for by_caller in [true, false] {
            let finished = AtomicUsize::new(0);
            let work = |number| {
                assert_ne!(number == 0, by_caller, "this panic is the test");
                thread::sleep(Duration::from_millis(2));
                finished.fetch_add(1, Ordering::Relaxed);
            };
            let ended = panic::catch_unwind(AssertUnwindSafe(|| helpers.run(&work)));
            assert!(ended.is_err());
            assert_eq!(finished.load(Ordering::Relaxed), if by_caller { 2 } else { 1 });
        }
        helpers.run(&|_| ());
    }
}
