//! A page to act on, and short words for deeds.

use super::*;
use serde_json::Value;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::PageGraph;
use uiap_web::{Act, Check, Choice, Deed, Delivery, EntryValue, Facts, Means, Press, Receipt, Typing};

pub(crate) const ALL: [Means; 3] = [Means::SemanticUi, Means::InputSynthesis, Means::ExternalDriver];

/// A page, and the elements of a look at it.
pub(crate) struct Stage {
    pub(crate) page: Page,
    graph: PageGraph,
    pub(crate) site: Site,
    _browser: Browser,
}

impl Stage {
    pub(crate) async fn of(body: &str) -> Self {
        Self::at(site_of(body).await).await
    }

    pub(crate) async fn at(site: Site) -> Self {
        let (browser, page) = open(&site.url("/")).await;
        let graph = graph(&page).await;
        Self { page, graph, site, _browser: browser }
    }

    /// As it was in the beginning.
    pub(crate) async fn again(&mut self) {
        self.page.go(&self.site.url("/"), soon()).await.unwrap();
        self.look().await;
    }

    pub(crate) async fn look(&mut self) {
        self.graph = graph(&self.page).await;
    }

    /// The element of this name.
    pub(crate) fn id(&self, name: &str) -> ElementInstanceId {
        let named = |element: &&uiap_protocol::web::ElementNode| element.name.as_deref() == Some(name);
        let found: Vec<_> = self.graph.elements.iter().filter(named).collect();
        let names: Vec<_> = self.graph.elements.iter().map(|element| &element.name).collect();
        assert_eq!(found.len(), 1, "one element is called {name}, of {names:?}");
        found[0].instance_id.clone()
    }

    pub(crate) async fn deliver(&self, means: Means, name: &str, act: Act) -> Delivery {
        let target = (!name.is_empty()).then(|| self.id(name));
        self.page.deliver(&Deed { target, act, means, expected: None }, soon()).await
    }

    pub(crate) async fn delivered(&self, means: Means, name: &str, act: Act) -> Receipt {
        match self.deliver(means, name, act).await {
            Delivery::Delivered(receipt) => *receipt,
            other => panic!("{name}: {other:?}"),
        }
    }

    pub(crate) async fn facts(&self, name: &str) -> Facts {
        match self.page.check(&self.id(name), None, soon()).await.unwrap() {
            Check::Present(facts) => *facts,
            Check::Gone => panic!("{name} is gone"),
        }
    }

    pub(crate) async fn read(&self, expression: &str) -> Value {
        self.page.evaluate_main(expression, soon()).await.unwrap()
    }

    /// What the page wrote down.
    pub(crate) async fn notes(&self) -> String {
        self.read("window.notes.splice(0).join(', ')").await.as_str().unwrap().to_owned()
    }

    /// Waits until an expression in the page has a value.
    pub(crate) async fn until(&self, expression: &str, wanted: impl Into<Value>) {
        let wanted = wanted.into();
        let end = std::time::Instant::now() + WAIT;
        loop {
            let value = self.read(expression).await;
            if value == wanted {
                return;
            }
            assert!(std::time::Instant::now() < end, "{expression} is {value}, not {wanted}");
            // A page that is asked without pause has no time for anything else.
            tokio::time::sleep(POLL).await;
        }
    }
}

async fn graph(page: &Page) -> PageGraph {
    page.look(&SnapshotOptions::default(), soon()).await.unwrap().graph
}

pub(crate) fn press() -> Act {
    Act::Press(Press::default())
}

pub(crate) fn enter(text: &str, clear: bool) -> Act {
    Act::EnterText { text: text.into(), clear, typing: Typing::Whole }
}

pub(crate) fn value(text: &str) -> Act {
    Act::SetValue { value: EntryValue::Text(text.into()) }
}

pub(crate) fn labels(labels: &[&str]) -> Act {
    Act::Choose { choice: Choice::Label { labels: labels.iter().map(|&label| label.to_owned()).collect() } }
}

pub(crate) fn values(values: &[&str]) -> Act {
    Act::Choose { choice: Choice::Value { values: values.iter().map(|&value| value.to_owned()).collect() } }
}

pub(crate) fn toggle(to: Option<bool>) -> Act {
    Act::Toggle { to }
}

pub(crate) fn disclose(open: bool) -> Act {
    Act::Disclose { open }
}
