//! Acting on real pages: what reaches them, and the truth about it.

mod support;

use serde_json::Value;
use std::fmt::Write;
use support::*;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::{PageGraph, SnapshotOptions};
use uiap_web::{
    Act, Browser, Button, Check, Choice, Chord, Deed, Delivery, EntryValue, Facts, Hindrance, Interruption,
    Key, Means, Modifiers, NamedKey, Opaque, Page, Press, PressCount, Receipt, ScrollBy, ScrollEnd, Typing,
};

const CONTROLS: &str = include_str!("input_pages/controls.html");

/// A page, and the elements of a look at it.
struct Stage {
    page: Page,
    graph: PageGraph,
    site: Site,
    _browser: Browser,
}

impl Stage {
    async fn of(body: &str) -> Self {
        Self::at(site_of(body).await).await
    }

    async fn at(site: Site) -> Self {
        let (browser, page) = open(&site.url("/")).await;
        let graph = graph(&page).await;
        Self { page, graph, site, _browser: browser }
    }

    /// As it was in the beginning.
    async fn again(&mut self) {
        self.page.go(&self.site.url("/"), soon()).await.unwrap();
        self.look().await;
    }

    async fn look(&mut self) {
        self.graph = graph(&self.page).await;
    }

    /// The element of this name.
    fn id(&self, name: &str) -> ElementInstanceId {
        let named = |element: &&uiap_protocol::web::ElementNode| element.name.as_deref() == Some(name);
        let found: Vec<_> = self.graph.elements.iter().filter(named).collect();
        let names: Vec<_> = self.graph.elements.iter().map(|element| &element.name).collect();
        assert_eq!(found.len(), 1, "one element is called {name}, of {names:?}");
        found[0].instance_id.clone()
    }

    async fn deliver(&self, means: Means, name: &str, act: Act) -> Delivery {
        let target = (!name.is_empty()).then(|| self.id(name));
        self.page.deliver(&Deed { target, act, means }, soon()).await
    }

    async fn delivered(&self, means: Means, name: &str, act: Act) -> Receipt {
        match self.deliver(means, name, act).await {
            Delivery::Delivered(receipt) => *receipt,
            other => panic!("{name}: {other:?}"),
        }
    }

    async fn facts(&self, name: &str) -> Facts {
        match self.page.check(&self.id(name), None, soon()).await.unwrap() {
            Check::Present(facts) => *facts,
            Check::Gone => panic!("{name} is gone"),
        }
    }

    async fn read(&self, expression: &str) -> Value {
        self.page.evaluate_main(expression, soon()).await.unwrap()
    }

    /// What the page wrote down.
    async fn notes(&self) -> String {
        self.read("window.notes.splice(0).join(', ')").await.as_str().unwrap().to_owned()
    }

    /// Waits until an expression in the page has a value.
    async fn until(&self, expression: &str, wanted: impl Into<Value>) {
        let wanted = wanted.into();
        let end = std::time::Instant::now() + WAIT;
        loop {
            let value = self.read(expression).await;
            if value == wanted {
                return;
            }
            assert!(std::time::Instant::now() < end, "{expression} is {value}, not {wanted}");
        }
    }
}

async fn graph(page: &Page) -> PageGraph {
    page.look(&SnapshotOptions::default(), soon()).await.unwrap().graph
}

fn press() -> Act {
    Act::Press(Press::default())
}

fn enter(text: &str, clear: bool) -> Act {
    Act::EnterText { text: text.into(), clear, typing: Typing::Whole }
}

fn value(text: &str) -> Act {
    Act::SetValue { value: EntryValue::Text(text.into()) }
}

fn labels(labels: &[&str]) -> Act {
    Act::Choose { choice: Choice::Label { labels: labels.iter().map(|&label| label.to_owned()).collect() } }
}

fn values(values: &[&str]) -> Act {
    Act::Choose { choice: Choice::Value { values: values.iter().map(|&value| value.to_owned()).collect() } }
}

fn toggle(to: Option<bool>) -> Act {
    Act::Toggle { to }
}

fn disclose(open: bool) -> Act {
    Act::Disclose { open }
}

/// A delivery in a few words.
fn said(delivery: &Delivery) -> String {
    match delivery {
        Delivery::None(hindrance) => format!("{hindrance:?}").split([' ', '{']).next().unwrap().to_owned(),
        Delivery::Delivered(receipt) => match receipt.as_wanted {
            None => "done".to_owned(),
            Some(true) => "right".to_owned(),
            Some(false) => "wrong".to_owned(),
        },
        Delivery::Unknown(interruption) => format!("unknown {interruption:?}"),
    }
}

const ALL: [Means; 3] = [Means::SemanticUi, Means::InputSynthesis, Means::ExternalDriver];

#[tokio::test]
async fn every_means_on_every_kind_of_control() {
    let number = |value: f64| Act::SetValue { value: EntryValue::Number(value) };
    // Control, deed, what each of the means says, where to read the effect, and what stands there if it was done.
    #[rustfmt::skip]
    let cases: Vec<(&str, Act, [&str; 3], &str, &str)> = vec![
        ("Text", enter("new", true), ["right"; 3], "text.value", "new"),
        ("Text", enter("er", false), ["right"; 3], "text.value", "older"),
        ("Text", enter("", true), ["right"; 3], "text.value", ""),
        ("Text", enter("old", true), ["Already"; 3], "text.value", "old"),
        ("Text", enter("Grüße 漢字 😀", true), ["right"; 3], "text.value", "Grüße 漢字 😀"),
        ("Short", enter("abcdef", true), ["right", "right", "wrong"], "short.value", "abcd"),
        ("Number", enter("7.5", true), ["right"; 3], "number.value", "7.5"),
        ("Number", number(3.0), ["right", "Unsupported", "right"], "number.value", "3"),
        ("Number", enter("many", true), ["UnfitValue", "UnfitValue", "wrong"], "number.value", ""),
        ("Mail", enter("om", false), ["right"; 3], "mail.value", "a@b.com"),
        ("Secret", enter("s3cret", true), ["right"; 3], "secret.value", "s3cret"),
        ("Area", enter("two\nthree", true), ["right"; 3], "area.value", "two\nthree"),
        ("Editor", enter("second", true), ["right"; 3], "editor.innerText", "second"),
        ("Editor", enter(" more", false), ["right"; 3], "editor.innerText", "first more"),
        ("Date", value("2026-03-27T10:00:00Z"), ["right", "Unsupported", "Unsupported"], "date.value", "2026-03-27"),
        ("Date", value("27.3.2026"), ["UnfitValue", "Unsupported", "Unsupported"], "date.value", ""),
        ("Time", value("9:30"), ["right", "Unsupported", "Unsupported"], "time.value", "09:30"),
        ("Moment", value("2026-03-27 09:30"), ["right", "Unsupported", "Unsupported"], "moment.value", "2026-03-27T09:30"),
        ("Month", value("2026-03"), ["right", "Unsupported", "Unsupported"], "month.value", "2026-03"),
        ("Week", value("2026-w13"), ["right", "Unsupported", "Unsupported"], "week.value", "2026-W13"),
        ("Colour", value("#F0a"), ["right", "Unsupported", "Unsupported"], "colour.value", "#ff00aa"),
        ("Colour", value("reddish"), ["UnfitValue", "Unsupported", "Unsupported"], "colour.value", "#000000"),
        ("Range", number(33.0), ["right", "Unsupported", "Unsupported"], "range.value", "35"),
        ("Range", value("high"), ["UnfitValue", "Unsupported", "Unsupported"], "range.value", "10"),
        ("Check", toggle(None), ["right"; 3], "String(check.checked)", "true"),
        ("Check", toggle(Some(false)), ["Already"; 3], "String(check.checked)", "false"),
        ("Checked", toggle(Some(false)), ["right"; 3], "String(checked.checked)", "false"),
        ("Checked", Act::SetValue { value: EntryValue::Flag(false) }, ["right"; 3], "String(checked.checked)", "false"),
        ("Styled", toggle(Some(true)), ["right"; 3], "String(styled.checked)", "true"),
        ("Bee", toggle(Some(true)), ["right"; 3], "form.r.value", "b"),
        ("Ay", toggle(Some(false)), ["Unsupported"; 3], "form.r.value", "a"),
        ("Group", labels(&["Bee"]), ["right"; 3], "form.r.value", "b"),
        ("Select", values(&["2"]), ["right", "Unsupported", "Unsupported"], "select.value", "2"),
        ("Select", Act::Choose { choice: Choice::Index { index: 3 } }, ["right", "Unsupported", "Unsupported"], "select.value", "4"),
        ("Select", labels(&["Two"]), ["NoOption", "Unsupported", "Unsupported"], "select.value", "1"),
        ("Select", labels(&["Three"]), ["NoOption", "Unsupported", "Unsupported"], "select.value", "1"),
        ("Select", labels(&["One"]), ["Already", "Unsupported", "Unsupported"], "select.value", "1"),
        ("Several", labels(&["red", "blue"]), ["right", "Unsupported", "Unsupported"], "[...several.selectedOptions].map((one) => one.value).join()", "red,blue"),
        ("Switch", toggle(Some(true)), ["right"; 3], "document.getElementById('switch').ariaChecked", "true"),
        ("Bold", toggle(None), ["right"; 3], "pressed.ariaPressed", "true"),
        ("Listbox", labels(&["Why"]), ["right"; 3], "listbox.children[1].ariaSelected", "true"),
        ("Listbox", values(&["x"]), ["right"; 3], "listbox.children[0].ariaSelected", "true"),
        ("Listbox", labels(&["Zed"]), ["NoOption"; 3], "String(listbox.children[0].ariaSelected)", "null"),
        ("More", disclose(true), ["right"; 3], "String(details.open)", "true"),
        ("More", disclose(false), ["Already"; 3], "String(details.open)", "false"),
        ("Menu", disclose(true), ["right"; 3], "menu.ariaExpanded", "true"),
        ("Plain", press(), ["done"; 3], "String(notes.length)", "1"),
        ("Send", Act::Submit, ["done"; 3], "notes.join()", "submit"),
        ("Text", Act::Submit, ["done"; 3], "notes.join()", "submit"),
        ("Off", press(), ["Disabled"; 3], "notes.join()", ""),
        ("Fixed", enter("x", true), ["Readonly"; 3], "fixed.value", "fixed"),
        ("Text", Act::Focus, ["right", "Unsupported", "Unsupported"], "document.activeElement.id", "text"),
        ("Box", Act::Scroll { by: ScrollBy::Distance { dx: 0.0, dy: 40.0 } }, ["done"; 3], "String(box.scrollTop)", "40"),
        ("Box", Act::Scroll { by: ScrollBy::End { to: ScrollEnd::End } }, ["done"; 3], "String(box.scrollTop > 400)", "true"),
    ];
    let mut stage = Stage::of(CONTROLS).await;
    let mut wrong = String::new();
    for (name, act, expected, place, effect) in cases {
        for (means, expected) in ALL.into_iter().zip(expected) {
            stage.again().await;
            let before = stage.read(place).await;
            let delivery = stage.deliver(means, name, act.clone()).await;
            if said(&delivery) != expected {
                writeln!(wrong, "{name} {act:?} {means:?}: {} ({delivery:?})", said(&delivery)).unwrap();
                continue;
            }
            let happened = matches!(delivery, Delivery::Delivered(_));
            let wanted = if happened || expected == "Already" { Value::from(effect) } else { before };
            if stage.read(place).await != wanted {
                let now = stage.read(place).await;
                writeln!(wrong, "{name} {act:?} {means:?}: {place} is {now}, not {wanted}").unwrap();
            }
            if !happened && stage.notes().await != "" {
                writeln!(wrong, "{name} {act:?} {means:?}: the page noticed").unwrap();
            }
        }
    }
    assert_eq!(wrong, "");
}
