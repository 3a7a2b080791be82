//! Does what an action is about: once, and by the surface, unless it can be read off the page.

use super::Runtime;
use super::asking::{Grounds, Told};
use crate::deed::{Deed, Private, ReadField};
use crate::journal::Journal;
use crate::judge::Told as Seen;
use crate::judge::adjust::{Adjusted, Adjustment, Control, Next};
use crate::life::{Answer, Delivery};
use crate::sight::Eyes;
use crate::standing::Rights;
use crate::surface::{Dispatched, Order, Surface, SurfaceError};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use uiap_protocol::action::{ActionRequest, PresentationHints, ResolvedTarget};
use uiap_protocol::capability::{ExecutionMode, ScalarValue};
use uiap_protocol::ids::ActionHandle;
use uiap_protocol::web::ElementNode;
use uiap_protocol::wire::{JsonObject, Number};

/// Longest time that is spent on showing what is about to be done.
const PRESENTATION_WAIT: Duration = Duration::from_secs(3);

/// One deed, in one way.
pub(super) struct Dispatch<'r> {
    pub(super) handle: ActionHandle,
    pub(super) rights: &'r Rights,
    pub(super) request: &'r ActionRequest,
    pub(super) deed: &'r Deed,
    pub(super) grounds: Grounds,
    pub(super) mode: ExecutionMode,
    pub(super) eyes: Option<&'r dyn Eyes>,
    pub(super) until: Instant,
}

impl<S: Surface, J: Journal> Runtime<S, J> {
    pub(super) async fn dispatch<'r>(&'r self, dispatch: Dispatch<'r>) -> Result<Told<'r>, SurfaceError> {
        let Dispatch { handle, rights, request, deed, grounds, mode, eyes, until } = dispatch;
        if let Some(hints) = &request.presentation {
            self.present(hints, grounds.target.as_ref()).await;
        }
        let (mut at, mut sighting) = (None, None);
        if mode == ExecutionMode::VisionAssist {
            let (point, seen) = self.sight(eyes, request, grounds.target.as_ref(), until).await;
            sighting = seen;
            match point {
                Ok(point) => at = Some(point),
                Err(reason) => {
                    let answer = Answer::Delivered(Delivery::NotDelivered { reason });
                    return Ok(Told { sighting, ..answer.into() });
                }
            }
            // Whoever looked took some time over it.
            self.surface.look(false, until).await?;
        }
        // The page may have moved on while the intent was written down and a person was shown what comes.
        if self.is_outdated(&grounds) {
            return Ok(Told { sighting, ..Answer::Outdated.into() });
        }
        // This process may have been stopped since the intent was kept, and its journal taken away.
        if let Err(error) = self.journal.check_held() {
            let answer = Answer::JournalLost { reason: error.to_string() };
            return Ok(Told { sighting, ..answer.into() });
        }
        let (target, as_found) = (grounds.target.as_ref(), grounds.identity.as_ref());
        let order = Order { handle: &handle, deed, target, as_found, mode, at };
        let dispatched = match (deed, self.control(&order)) {
            (Deed::Read { fields }, _) => self.read(rights, target, fields.as_deref()).into(),
            (Deed::SetValue { value, tolerance }, Some(control)) => match value.reveal() {
                ScalarValue::Number(number) => {
                    let adjustment = Adjustment::new(control, number.get(), *tolerance);
                    let dispatched = self.adjust(&order, adjustment, until).await;
                    if self.is_withheld(rights, target) { without_readings(dispatched) } else { dispatched }
                }
                _ => self.surface.dispatch(order, until).await,
            },
            _ => self.surface.dispatch(order, until).await,
        };
        let Dispatched { mut delivery, mut seen } = dispatched;
        if delivery == Delivery::Unknown {
            // A change that is merely plausible is no proof of what may never have been delivered.
            seen.against.get_or_insert_with(|| "nobody saw it delivered".to_owned());
        }
        if let (Delivery::Delivered { return_value, .. }, Some(sighting)) = (&mut delivery, &sighting) {
            *return_value = sighting.to_json().as_object().cloned();
        }
        Ok(Told { seen: Some(seen), sighting, ..Answer::Delivered(delivery).into() })
    }

    /// Shows a person what is about to be done. Whoever shows it may fail or hang; the action goes on.
    async fn present(&self, hints: &PresentationHints, target: Option<&ResolvedTarget>) {
        let until = Instant::now() + PRESENTATION_WAIT;
        let target = target.map(|target| &target.instance_id);
        let _ = timeout_at(until, self.surface.present(hints, target, until)).await;
    }

    /// Tells what is there. Nothing is sent to the application for it.
    fn read(
        &self,
        rights: &Rights,
        target: Option<&ResolvedTarget>,
        fields: Option<&[ReadField]>,
    ) -> Delivery {
        let read = self.surface.scene(|scene| {
            let shown = self.redaction(rights).page(scene.page);
            let page = shown.as_ref().unwrap_or(scene.page);
            let element = page.element(target?.instance_id.as_str())?;
            Some(told(element, fields))
        });
        match read.flatten() {
            Some(value) => Delivery::Delivered { acknowledged: false, return_value: Some(value) },
            None => Delivery::NotDelivered { reason: "there is nothing to read".to_owned() },
        }
    }

    /// Whether the value of a target is withheld.
    fn is_withheld(&self, rights: &Rights, target: Option<&ResolvedTarget>) -> bool {
        let withheld = self.surface.scene(|scene| {
            let shown = self.redaction(rights).page(scene.page)?;
            Some(shown.element(target?.instance_id.as_str())?.state.redacted == Some(true))
        });
        withheld.flatten() == Some(true)
    }

    /// The control that an order is about, if it has a number.
    fn control(&self, order: &Order<'_>) -> Option<Control> {
        let target = order.target?;
        self.surface.scene(|scene| {
            let state = &scene.page.element(target.instance_id.as_str())?.state.ui;
            Some(Control {
                value: state.numeric_value.map(Number::get)?,
                min: state.min.map(Number::get),
                max: state.max.map(Number::get),
                step: state.step.map(Number::get),
            })
        })?
    }

    /// Brings a control to a number: sets it, reads it back, and tries again within bounds.
    async fn adjust(&self, order: &Order<'_>, mut adjustment: Adjustment, until: Instant) -> Dispatched {
        let mut reached = false;
        let mut refusal = None;
        loop {
            let deed = match adjustment.advance() {
                Next::Stop(adjusted) if !reached && adjusted.converged => {
                    let seen = Seen { as_wanted: Some(true), ..Seen::default() };
                    return Dispatched { delivery: Delivery::Already, seen };
                }
                Next::Stop(_) if !reached => match refusal {
                    Some(refusal) => return refusal,
                    // What lies out of its range is asked of the control all the same: it says what it makes of it.
                    None => return self.surface.dispatch(*order, until).await,
                },
                Next::Stop(adjusted) => return ended(&adjusted),
                Next::Set(value) => match Number::new(value) {
                    Some(value) => {
                        Deed::SetValue { value: Private::new(ScalarValue::Number(value)), tolerance: None }
                    }
                    None => return self.surface.dispatch(*order, until).await,
                },
                Next::Press(steps) => Deed::Nudge { steps },
                Next::Point(share) => Deed::PointAlong { share },
            };
            let since = self.surface.mark();
            // What was set may show in the names of what is around the control.
            let as_found = order.as_found.filter(|_| !reached);
            let dispatched = self.surface.dispatch(Order { deed: &deed, as_found, ..*order }, until).await;
            match dispatched.delivery {
                Delivery::Delivered { .. } | Delivery::Already => reached = true,
                Delivery::Unknown => return Delivery::Unknown.into(),
                // The control cannot be moved so: in another way, perhaps.
                Delivery::NotDelivered { .. } => {
                    adjustment.refused();
                    refusal.get_or_insert(dispatched);
                    continue;
                }
                other if !reached => return other.into(),
                _ => {}
            }
            // A control may take its value back; whether it came to rest in time shows in what is read.
            let _ = self.surface.rest(since, until).await;
            match self.control(order) {
                Some(now) => adjustment.read(now.value),
                None => return Delivery::Unknown.into(),
            }
        }
    }
}

fn ended(adjusted: &Adjusted) -> Dispatched {
    let Adjusted { before, target, after, residual, step, attempts, tolerance, converged, .. } = adjusted;
    let value = json!({
        "before": before, "target": target, "after": after, "residual": residual, "step": step,
        "attempts": attempts, "tolerance": tolerance, "converged": converged,
        "mode": adjusted.mode.word(), "degraded": adjusted.degraded,
    });
    let return_value = value.as_object().cloned();
    Dispatched {
        delivery: Delivery::Delivered { acknowledged: false, return_value },
        seen: Seen { as_wanted: Some(adjusted.converged), ..Seen::default() },
    }
}

/// Without what was read back from a control whose value is withheld.
fn without_readings(mut dispatched: Dispatched) -> Dispatched {
    if let Delivery::Delivered { return_value: Some(value), .. } = &mut dispatched.delivery {
        ["before", "after", "residual"].into_iter().for_each(|name| drop(value.remove(name)));
    }
    dispatched
}

/// What reading an element tells.
fn told(element: &ElementNode, fields: Option<&[ReadField]>) -> JsonObject {
    let state = &element.state.ui;
    let value = state.text_value.clone().map(Value::from);
    let number = || state.numeric_value.and_then(|number| serde_json::to_value(number).ok());
    let parts = [
        (ReadField::State, serde_json::to_value(&element.state).ok()),
        (ReadField::Text, element.name.clone().map(Value::from)),
        (ReadField::Value, value.or_else(number)),
        (ReadField::Description, element.description.clone().map(Value::from)),
    ];
    let mut object = JsonObject::new();
    for (field, part) in parts {
        let wanted = fields.is_none_or(|fields| fields.contains(&field));
        let word = ReadField::WORDS.iter().find(|(_, known)| *known == field);
        if let (true, Some(part), Some((word, _))) = (wanted, part, word) {
            object.insert((*word).to_owned(), part);
        }
    }
    object
}
