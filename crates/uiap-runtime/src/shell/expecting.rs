//! What a deed is to bring about, in the words of the judge.

use crate::deed::{Choice, Deed, Destination};
use crate::judge::{Pick, Place, Unshown, Wanted};

/// What a deed is to bring about.
pub(super) fn wanted(deed: &Deed) -> Wanted {
    match deed {
        Deed::Read { .. } | Deed::Highlight { .. } => Wanted::Nothing,
        Deed::Focus => Wanted::Focus,
        Deed::Hover { .. } => Wanted::Hover,
        Deed::Activate | Deed::LongPress { .. } | Deed::Navigate(Destination::Target) => Wanted::Reaction,
        Deed::EnterText { text, clear } => {
            Wanted::Text { text: Unshown::new(text.reveal().as_str()), append: !clear }
        }
        Deed::ClearText => Wanted::Text { text: Unshown::new(""), append: false },
        Deed::SetValue { value, tolerance } => {
            Wanted::Value { value: value.reveal().clone(), tolerance: *tolerance }
        }
        Deed::Choose(choice) => Wanted::Chosen(match choice {
            Choice::Values(values) => Pick::Values(values.clone()),
            Choice::Labels(labels) => Pick::Labels(labels.clone()),
            Choice::Index(index) => Pick::Index(*index),
        }),
        Deed::Toggle { to } => Wanted::Toggled { to: *to },
        Deed::Expand => Wanted::Expanded(true),
        Deed::Collapse => Wanted::Expanded(false),
        Deed::Open => Wanted::Open(true),
        Deed::Close => Wanted::Open(false),
        Deed::ScrollIntoView { .. } => Wanted::InView,
        Deed::Scroll(_) => Wanted::Scrolled,
        Deed::Submit => Wanted::Submitted,
        Deed::Upload { files } => Wanted::Files(files.iter().map(|file| file.name.clone()).collect()),
        Deed::Navigate(Destination::Address(address)) => {
            Wanted::Arrived(Place { route_id: None, url: Some(address.clone()) })
        }
        Deed::Navigate(Destination::Route { route, path, .. }) => {
            Wanted::Arrived(Place { route_id: Some(route.as_str().to_owned()), url: path.clone() })
        }
        Deed::Invoke { .. } => Wanted::Invoked,
        Deed::Pinch { .. } => Wanted::Zoomed,
    }
}
