//! Pausing, going on and stopping.

use tokio::sync::watch;

/// What a run is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Go,
    Pause,
    Stop,
}

/// Tells a run what to do, from anywhere.
#[derive(Clone, Debug)]
pub struct Control {
    order: watch::Sender<Order>,
    /// How many hands are at something.
    busy: watch::Sender<usize>,
}

/// A hand is at something for as long as this lives.
#[derive(Debug)]
pub(super) struct Busy(watch::Sender<usize>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.send_modify(|busy| *busy = busy.saturating_sub(1));
    }
}

impl Default for Control {
    fn default() -> Self {
        Self { order: watch::Sender::new(Order::Go), busy: watch::Sender::new(0) }
    }
}

impl Control {
    /// Nothing is begun until it may go on. False if it was stopped.
    pub fn pause(&self) -> bool {
        self.tell(Order::Pause)
    }

    /// It may go on. False if it was stopped.
    pub fn resume(&self) -> bool {
        self.tell(Order::Go)
    }

    /// Nothing is begun any more. What is found until then is kept.
    pub fn stop(&self) {
        self.order.send_replace(Order::Stop);
    }

    /// It waits.
    pub fn is_paused(&self) -> bool {
        *self.order.borrow() == Order::Pause
    }

    /// It was stopped.
    pub fn is_stopped(&self) -> bool {
        *self.order.borrow() == Order::Stop
    }

    /// Waits until no hand is at anything. Once it was paused or stopped, nothing happens after this.
    pub async fn at_rest(&self) {
        let mut busy = self.busy.subscribe();
        // The sender lives as long as this does.
        let _ = busy.wait_for(|busy| *busy == 0).await;
    }

    /// A hand begins something, as soon as it may. Nothing if it was stopped.
    pub(super) async fn begin(&self) -> Option<Busy> {
        loop {
            // INVARIANT: counted before it is looked whether it may, so that whoever pauses sees one of the two.
            self.busy.send_modify(|busy| *busy = busy.saturating_add(1));
            let busy = Busy(self.busy.clone());
            match *self.order.borrow() {
                Order::Go => return Some(busy),
                Order::Stop => return None,
                Order::Pause => {}
            }
            drop(busy);
            if !self.may_go_on().await {
                return None;
            }
        }
    }

    /// Waits as long as it is paused. False if it was stopped.
    pub(super) async fn may_go_on(&self) -> bool {
        let mut orders = self.order.subscribe();
        // The sender lives as long as this does.
        orders.wait_for(|order| *order != Order::Pause).await.is_ok_and(|order| *order == Order::Go)
    }

    /// Waits until it is stopped.
    pub(super) async fn stopped(&self) {
        let mut orders = self.order.subscribe();
        let _ = orders.wait_for(|order| *order == Order::Stop).await;
    }

    fn tell(&self, to: Order) -> bool {
        self.order.send_if_modified(|order| {
            let changed = *order != Order::Stop && *order != to;
            if changed {
                *order = to;
            }
            changed
        });
        !self.is_stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nothing_begins_between_rest_and_going_on() {
        let control = Control::default();
        let busy = control.begin().await;
        assert!(control.pause());
        let rests = at_once(control.at_rest()).await;
        assert!(!rests, "a hand is still at something");
        drop(busy);
        control.at_rest().await;
        assert!(!at_once(async { drop(control.begin().await) }).await, "nothing begins while it is paused");
        assert!(at_once(control.at_rest()).await, "who waits to begin is at nothing");
        assert!(control.resume());
        assert!(control.begin().await.is_some());
        control.stop();
        assert!(control.begin().await.is_none());
        assert!(!control.resume());
    }

    /// Whether something is done at once.
    async fn at_once(future: impl Future<Output = ()>) -> bool {
        tokio::select! {
            biased;
            () = future => true,
            () = std::future::ready(()) => false,
        }
    }
}
