//! Controls that are brought to a number, each with a way of its own to take it.

use proptest::prelude::*;
use uiap_runtime::judge::adjust::{ATTEMPTS_MAX, Adjusted, Adjustment, Control, Next, PRESSES_MAX};
use uiap_testkit::proves;

/// A control as it really is: what becomes of a value that is set, of key presses and of a press on its track. A way that
/// is not open has nothing.
struct Real {
    known: Control,
    set: Option<fn(f64, &Control) -> f64>,
    press: Option<fn(f64, i32, &Control) -> f64>,
    point: Option<fn(f64, &Control) -> f64>,
}

fn within(value: f64, control: &Control) -> f64 {
    value.clamp(control.min.unwrap_or(f64::MIN), control.max.unwrap_or(f64::MAX))
}

fn pressed(value: f64, presses: i32, control: &Control) -> f64 {
    within(value + f64::from(presses) * control.step.unwrap_or(1.0), control)
}

fn range(value: f64, step: Option<f64>) -> Control {
    Control { value, min: Some(0.0), max: Some(100.0), step }
}

/// Adjusts it, and counts what was done to it.
fn adjust(real: &Real, target: f64, tolerance: Option<f64>) -> (Adjusted, u32) {
    let mut adjustment = Adjustment::new(real.known, target, tolerance);
    let mut value = real.known.value;
    let mut done = 0;
    loop {
        let became = match adjustment.advance() {
            Next::Set(input) => real.set.map(|set| set(input, &real.known)),
            Next::Press(presses) => {
                assert!(presses.unsigned_abs() <= PRESSES_MAX);
                real.press.map(|press| press(value, presses, &real.known))
            }
            Next::Point(share) => {
                assert!((0.0..=1.0).contains(&share));
                real.point.map(|point| point(share, &real.known))
            }
            Next::Stop(adjusted) => return (adjusted, done),
        };
        let Some(became) = became else {
            adjustment.refused();
            continue;
        };
        value = became;
        done += 1;
        assert!(done <= ATTEMPTS_MAX, "it does not end");
        adjustment.read(value);
    }
}

fn told(real: &Real, target: f64, tolerance: Option<f64>) -> String {
    let (adjusted, _) = adjust(real, target, tolerance);
    let Adjusted { before, after, residual, attempts, degraded, .. } = adjusted;
    let word = adjusted.finding().word.word();
    let mode = adjusted.mode.word();
    let degraded = if degraded { ", degraded" } else { "" };
    format!("{word}: {before} -> {after}, off by {residual}, {attempts} by {mode}{degraded}")
}

#[test]
fn a_control_that_takes_its_value_takes_it_at_once() {
    proves!["R008-3.2", "R008-3.3", "R005-9.1", "R005-9.2"];
    let plain = Real { known: range(10.0, Some(1.0)), set: Some(within), press: Some(pressed), point: None };
    assert_eq!(told(&plain, 33.0, None), "verified: 10 -> 33, off by 0, 1 by direct");
    assert_eq!(told(&plain, 10.0, None), "verified: 10 -> 10, off by 0, 0 by direct");
    assert_eq!(told(&plain, 101.0, None), "not_converged: 10 -> 10, off by 91, 0 by direct");
}

#[test]
fn a_control_that_snaps_is_near_enough_or_not() {
    proves!["R005-9.3", "R008-3.4", "R008-3.5"];
    let snaps = Real {
        known: range(10.0, Some(5.0)),
        set: Some(|input, control| within((input / 5.0).round() * 5.0, control)),
        press: Some(pressed),
        point: None,
    };
    assert_eq!(told(&snaps, 33.0, Some(2.0)), "within_tolerance: 10 -> 35, off by 2, 1 by direct");
    assert_eq!(told(&snaps, 33.0, Some(5.0)), "within_tolerance: 10 -> 35, off by 2, 1 by direct");
    assert_eq!(told(&snaps, 33.0, Some(1.0)), "not_converged: 10 -> 35, off by 2, 1 by direct");
    assert_eq!(told(&snaps, 33.0, None), "not_converged: 10 -> 35, off by 2, 1 by direct");
}

#[test]
fn a_control_that_cannot_be_set_is_moved_by_keys() {
    proves!["R008-3.6"];
    let keys = Real {
        known: range(10.0, Some(5.0)),
        set: Some(|_, control| control.value),
        press: Some(pressed),
        point: None,
    };
    assert_eq!(told(&keys, 35.0, None), "verified: 10 -> 35, off by 0, 2 by increments, degraded");
    assert_eq!(
        told(&keys, 36.0, Some(1.0)),
        "within_tolerance: 10 -> 35, off by 1, 2 by increments, degraded"
    );
    let lame = Real { press: Some(|value, presses, _| value + f64::from(presses.signum()) * 5.0), ..keys };
    assert_eq!(told(&lame, 25.0, None), "verified: 10 -> 25, off by 0, 4 by increments, degraded");
    let dead = Real { press: Some(|value, _, _| value), ..lame };
    assert_eq!(told(&dead, 25.0, None), "not_converged: 10 -> 10, off by 15, 2 by increments, degraded");
}

#[test]
fn a_key_shows_how_far_it_goes() {
    // Nobody says what one key does, and the value cannot be set at all.
    let keys = Real { known: range(20.0, None), set: None, press: Some(pressed), point: None };
    assert_eq!(told(&keys, 26.0, None), "verified: 20 -> 26, off by 0, 2 by increments, degraded");
    assert_eq!(told(&keys, 14.0, None), "verified: 20 -> 14, off by 0, 2 by increments, degraded");
}

#[test]
fn a_control_that_only_a_pointer_moves_is_pointed_at() {
    fn even(share: f64, control: &Control) -> f64 {
        within((share * 100.0).round(), control)
    }
    let track = Real { known: range(20.0, None), set: None, press: None, point: Some(even) };
    assert_eq!(told(&track, 73.0, None), "verified: 20 -> 73, off by 0, 1 by pointer, degraded");
    // Keys that do nothing are left for the track.
    let deaf = Real { press: Some(|value, _, _| value), ..track };
    assert_eq!(told(&deaf, 73.0, None), "verified: 20 -> 73, off by 0, 2 by pointer, degraded");
    // A track with a margin, and one on an uneven scale, are searched; one that goes nowhere is given up.
    let framed = Real { point: Some(|share, control| even((share - 0.1) / 0.8, control)), ..deaf };
    assert!(adjust(&framed, 73.0, None).0.converged);
    let squared = Real { point: Some(|share, control| even(share * share, control)), ..framed };
    assert!(adjust(&squared, 30.0, None).0.converged);
    let dead = Real { point: Some(|_, control| control.value), ..squared };
    assert!(!adjust(&dead, 30.0, None).0.converged);
    // Nobody knows where on its track a number is, if nobody knows its ends.
    let endless = Control { value: 20.0, min: None, max: None, step: None };
    let closed = Real { known: endless, set: None, press: None, point: Some(even) };
    assert_eq!(told(&closed, 30.0, None), "not_converged: 20 -> 20, off by 10, 0 by direct, degraded");
}

#[test]
fn a_scale_that_is_not_linear_is_searched() {
    proves!["R008-7.1"];
    let squared = Real {
        known: range(0.0, None),
        set: Some(|input, control| within(input * input / 100.0, control)),
        press: Some(pressed),
        point: None,
    };
    let (adjusted, _) = adjust(&squared, 49.0, None);
    assert!(adjusted.converged, "{adjusted:?}");
    assert!(adjusted.residual <= 1.0);
    // One that takes half of what is set cannot get there.
    let lazy = Real { set: Some(|input, _| input / 2.0), ..squared };
    let (adjusted, done) = adjust(&lazy, 90.0, Some(0.0));
    assert!(!adjusted.converged);
    assert_eq!(adjusted.attempts, done);
}

proptest! {
    /// Whatever a control does, an adjustment ends within its budget and says what is there.
    #[test]
    fn it_ends_and_says_what_is_there(
        readings in proptest::collection::vec(prop_oneof![-1e6..1e6f64, Just(f64::NAN), Just(f64::INFINITY)], 1..40),
        start in -1e3..1e3f64,
        target in prop_oneof![-1e3..1e3f64, Just(f64::NAN)],
        step in proptest::option::of(prop_oneof![0.01..50.0f64, Just(0.0), Just(-1.0)]),
        bounds in proptest::option::of((-1e3..0.0f64, 0.0..1e3f64)),
        tolerance in proptest::option::of(prop_oneof![0.0..10.0f64, Just(-1.0), Just(f64::NAN)]),
        refusals in proptest::collection::vec(any::<bool>(), 1..4),
    ) {
        let mut refusals = refusals.into_iter();
        let known = Control { value: start, min: bounds.map(|(min, _)| min), max: bounds.map(|(_, max)| max), step };
        let mut adjustment = Adjustment::new(known, target, tolerance);
        let mut readings = readings.into_iter().cycle();
        let mut value = start;
        let mut done = 0;
        let adjusted = loop {
            match adjustment.advance() {
                Next::Set(input) => prop_assert!(bounds.is_none_or(|(min, max)| (min..=max).contains(&input))),
                Next::Press(presses) => prop_assert!(presses.unsigned_abs() <= PRESSES_MAX && presses != 0),
                Next::Point(share) => prop_assert!((0.0..=1.0).contains(&share)),
                Next::Stop(adjusted) => break adjusted,
            }
            if refusals.next().unwrap_or_default() {
                adjustment.refused();
                continue;
            }
            done += 1;
            prop_assert!(done <= ATTEMPTS_MAX);
            let reading = readings.next().unwrap_or_default();
            if reading.is_finite() {
                value = reading;
            }
            adjustment.read(reading);
        };
        prop_assert_eq!(adjusted.after.to_bits(), value.to_bits());
        prop_assert_eq!(adjusted.attempts, done);
        prop_assert!(!adjusted.converged || (adjusted.after - target).abs() <= adjusted.tolerance + 1e-5);
    }
}
