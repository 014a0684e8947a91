//! Clients that wait for news: listeners to live events, and clients that follow a match. They have slots of their own,
//! and never take the place of a request that is worked on. One address has a part of the slots.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ApiError;

/// One address may take this part of all slots.
const PART: usize = 4;
/// When a refused client should try again, in seconds.
const LATER: u32 = 30;

type ByAddress = BTreeMap<IpAddr, usize>;

/// The slots of the clients that wait.
#[derive(Debug)]
pub struct Listeners {
    taken: Arc<Mutex<ByAddress>>,
    most: usize,
}

/// The slot of a client that waits, until this is dropped. A handler puts it into the extensions of its answer; the
/// guard keeps it until the answer has been sent.
#[derive(Debug)]
pub(crate) struct Slot {
    taken: Arc<Mutex<ByAddress>>,
    address: IpAddr,
}

impl Listeners {
    /// Slots for `most` clients.
    pub fn new(most: usize) -> Listeners {
        Listeners { taken: Arc::default(), most }
    }

    /// Takes a slot for a client with this address.
    pub(crate) fn take(&self, address: IpAddr) -> Result<Arc<Slot>, ApiError> {
        let mut taken = lock(&self.taken);
        let own = taken.get(&address).copied().unwrap_or_default();
        if taken.values().sum::<usize>() >= self.most || own >= self.most.div_ceil(PART) {
            return Err(ApiError::busy("too many listen already", LATER));
        }
        taken.insert(address, own + 1);
        Ok(Arc::new(Slot { taken: Arc::clone(&self.taken), address }))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        if let Some(own) = taken.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

fn lock(taken: &Mutex<ByAddress>) -> MutexGuard<'_, ByAddress> {
    // No operation under the lock can leave the counts in an inconsistent state.
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_gets_a_share_of_the_slots() {
        let listeners = Listeners::new(8);
        let from = |last: u8| IpAddr::from([192, 0, 2, last]);
        let mut slots: Vec<_> = (0..2).map(|_| listeners.take(from(1)).unwrap()).collect();
        let refused = listeners.take(from(1)).unwrap_err();
        assert_eq!((refused.status.as_u16(), refused.retry_after), (503, Some(LATER)));
        slots.extend((2..5).flat_map(|last| [last; 2]).map(|last| listeners.take(from(last)).unwrap()));
        assert!(listeners.take(from(9)).is_err(), "all slots are taken");
        drop(slots.remove(0));
        drop(listeners.take(from(9)).unwrap());
        slots.push(listeners.take(from(1)).unwrap());
        drop(slots);
        assert!(lock(&listeners.taken).is_empty());
    }
}
