//! The vocabularies.

use crate::ids::VendorName;
use crate::wire::Wire;

/// What a thing of the user interface is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(name = "UIRole", requirement = "CAP-4-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum Role {
    App,
    Route,
    Region,
    Group,
    Form,
    Dialog,
    Drawer,
    Popover,
    Tabpanel,
    Link,
    Menu,
    Menuitem,
    Tablist,
    Tab,
    Toolbar,
    Breadcrumb,
    Pagination,
    List,
    Listitem,
    Table,
    Row,
    Cell,
    Grid,
    Tree,
    Treeitem,
    Button,
    Textbox,
    Textarea,
    Searchbox,
    Combobox,
    Listbox,
    Option,
    Checkbox,
    Radio,
    Switch,
    Slider,
    Spinbutton,
    Datepicker,
    Timepicker,
    Fileinput,
    Label,
    Alert,
    Toast,
    Status,
    Progress,
    Spinner,
    Image,
    Video,
    Audio,
    Canvas,
    Custom,
    #[wire(vendor)]
    Vendor(VendorName),
}

/// A key of [`UiState`](super::UiState).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(name = "UIStateKey", requirement = "CAP-5-2", case = "camelCase")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum StateKey {
    Visible,
    Enabled,
    Focusable,
    Focused,
    Editable,
    Readonly,
    Required,
    Busy,
    Loading,
    Blocked,
    Selected,
    Checked,
    Pressed,
    Expanded,
    Open,
    Modal,
    Hovered,
    Dragged,
    Current,
    Invalid,
    Multiline,
    HasPopup,
    Orientation,
    TextValue,
    NumericValue,
    Min,
    Max,
    Step,
    Placeholder,
    Description,
    Sensitive,
    Obscured,
    #[wire(vendor)]
    Vendor(VendorName),
}

/// What kind of interaction an element offers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(name = "UIAffordance", requirement = "CAP-6-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum Affordance {
    Read,
    Focus,
    Activate,
    Edit,
    Choose,
    Toggle,
    Expand,
    Collapse,
    Open,
    Close,
    Scroll,
    Submit,
    Dismiss,
    Drag,
    Drop,
    Resize,
    Upload,
    Navigate,
    Invoke,
    #[wire(vendor)]
    Vendor(VendorName),
}

/// The actions every runtime knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(name = "PrimitiveActionType", requirement = "CAP-7-1")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum PrimitiveAction {
    #[wire(word = "ui.read")]
    Read,
    #[wire(word = "ui.focus")]
    Focus,
    #[wire(word = "ui.highlight")]
    Highlight,
    #[wire(word = "ui.hover")]
    Hover,
    #[wire(word = "ui.activate")]
    Activate,
    #[wire(word = "ui.enterText")]
    EnterText,
    #[wire(word = "ui.clearText")]
    ClearText,
    #[wire(word = "ui.setValue")]
    SetValue,
    #[wire(word = "ui.choose")]
    Choose,
    #[wire(word = "ui.toggle")]
    Toggle,
    #[wire(word = "ui.expand")]
    Expand,
    #[wire(word = "ui.collapse")]
    Collapse,
    #[wire(word = "ui.open")]
    Open,
    #[wire(word = "ui.close")]
    Close,
    #[wire(word = "ui.scrollIntoView")]
    ScrollIntoView,
    #[wire(word = "ui.scroll")]
    Scroll,
    #[wire(word = "ui.submit")]
    Submit,
    #[wire(word = "ui.upload")]
    Upload,
    #[wire(word = "nav.navigate")]
    Navigate,
    #[wire(word = "app.invoke")]
    Invoke,
}

/// How an action is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(requirement = "CAP-7-2", case = "camelCase")]
pub enum ExecutionMode {
    /// A function that the application registered.
    AppAction,
    /// Platform methods on a target found by its meaning.
    SemanticUi,
    /// Pointer and keyboard events made in the page.
    InputSynthesis,
    /// Input from outside the page.
    ExternalDriver,
    /// A point on a picture.
    VisionAssist,
}

/// Whether an action may run on its own. Ordered: a later level is stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Wire)]
#[wire(requirement = "CAP-8-1", case = "snake_case")]
pub enum RiskLevel {
    /// Within granted scopes.
    Safe,
    /// Only after a person agreed.
    Confirm,
    /// Not at all.
    Blocked,
}

/// Why an action is risky.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(requirement = "CAP-8-2", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum RiskTag {
    SensitiveData,
    Destructive,
    ExternalEffect,
    Privileged,
    Billing,
    Security,
    Identity,
    Legal,
    Irreversible,
    #[wire(vendor)]
    Vendor(VendorName),
}

impl RiskTag {
    /// The lowest level an action with this tag may have; `writes` says whether the action changes anything.
    ///
    /// The specification lets the strictest level of several tags win but gives tags no level (finding P3); these
    /// are ours.
    pub fn floor(&self, writes: bool) -> RiskLevel {
        match self {
            Self::Destructive
            | Self::Irreversible
            | Self::Security
            | Self::Billing
            | Self::Identity
            | Self::Legal => RiskLevel::Confirm,
            Self::SensitiveData | Self::ExternalEffect | Self::Privileged if writes => RiskLevel::Confirm,
            Self::SensitiveData | Self::ExternalEffect | Self::Privileged | Self::Vendor(_) => {
                RiskLevel::Safe
            }
        }
    }
}

/// The kind of a [`SuccessSignal`](super::SuccessSignal).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(requirement = "CAP-9-1")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum SignalKind {
    #[wire(word = "element.appeared")]
    ElementAppeared,
    #[wire(word = "element.disappeared")]
    ElementDisappeared,
    #[wire(word = "element.state")]
    ElementState,
    #[wire(word = "value.equals")]
    ValueEquals,
    #[wire(word = "route.changed")]
    RouteChanged,
    #[wire(word = "dialog.opened")]
    DialogOpened,
    #[wire(word = "dialog.closed")]
    DialogClosed,
    #[wire(word = "toast.contains")]
    ToastContains,
    #[wire(word = "status.contains")]
    StatusContains,
    #[wire(word = "validation.none")]
    ValidationNone,
    #[wire(word = "collection.count")]
    CollectionCount,
    #[wire(word = "entity.created")]
    EntityCreated,
    #[wire(word = "entity.updated")]
    EntityUpdated,
    #[wire(word = "entity.deleted")]
    EntityDeleted,
    #[wire(word = "network.response")]
    NetworkResponse,
    #[wire(word = "custom")]
    Custom,
    #[wire(vendor)]
    Vendor(VendorName),
}
