//! How many threads work at the same time.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// So many threads may work.
#[derive(Debug, Default)]
pub(super) struct Seats {
    free: Mutex<usize>,
    changed: Condvar,
}

/// Leave for a thread to work.
pub(super) struct Seat<'s>(&'s Seats);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        *self.0.lock() += 1;
        self.0.changed.notify_all();
    }
}

impl Seats {
    pub(super) fn new(number: usize) -> Self {
        Self { free: Mutex::new(number), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until one more thread may work, which is this one.
    pub(super) fn wait(&self) -> Seat<'_> {
        self.wait_while(|| true).expect("it waits for a seat and nothing else")
    }

    /// The same as long as this holds, which `changed` tells of; `None` when it does not any more.
    fn wait_while(&self, holds: impl Fn() -> bool) -> Option<Seat<'_>> {
        let free = self.changed.wait_while(self.lock(), |free| holds() && *free == 0);
        let mut free = free.unwrap_or_else(PoisonError::into_inner);
        holds().then(|| {
            *free -= 1;
            Seat(self)
        })
    }

    /// Lets one more thread work while this one waits for something, and then waits until no other works in its place.
    pub(super) fn lend<T>(&self, wait: impl FnOnce() -> T) -> T {
        *self.lock() += 1;
        self.changed.notify_all();
        let waited = wait();
        std::mem::forget(self.wait());
        waited
    }
}

/// Work for one more thread, as soon as one may work, unless it is taken back before.
pub(super) struct Offer<'s> {
    seats: &'s Seats,
    is_open: AtomicBool,
}

impl<'s> Offer<'s> {
    pub(super) fn new(seats: &'s Seats) -> Self {
        Self { seats, is_open: AtomicBool::new(true) }
    }

    /// Waits until one more thread may work. `None` when the work was taken back.
    pub(super) fn take(&self) -> Option<Seat<'s>> {
        let seat = self.seats.wait_while(|| self.is_open.load(Relaxed))?;
        self.is_open.swap(false, Relaxed).then_some(seat)
    }

    /// Whether nobody has taken the work, who cannot do so any more.
    pub(super) fn withdraw(&self) -> bool {
        let _free = self.seats.lock();
        let is_back = self.is_open.swap(false, Relaxed);
        self.seats.changed.notify_all();
        is_back
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn an_offer_is_taken_once_there_is_a_seat_or_taken_back() {
        let seats = Seats::new(1);
        let (taken, back) = (Offer::new(&seats), Offer::new(&seats));
        thread::scope(|scope| {
            let seat = seats.wait();
            let taker = scope.spawn(|| taken.take().is_some());
            let waiting = scope.spawn(|| back.take().is_some());
            assert!(back.withdraw());
            assert!(!waiting.join().expect("no panic"));
            drop(seat);
            assert!(taker.join().expect("no panic"));
        });
        assert!(!taken.withdraw() && !back.withdraw());
        drop(seats.wait());
    }

    #[test]
    fn a_thread_that_waits_lends_its_seat() {
        let seats = Seats::default();
        let offer = Offer::new(&seats);
        thread::scope(|scope| {
            let taker = scope.spawn(|| offer.take().is_some());
            assert!(seats.lend(|| taker.join().expect("no panic")));
        });
        assert_eq!(*seats.lock(), 0);
    }
}
