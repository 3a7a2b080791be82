//! How the options of a look are written where a view names them.

/// How the options of a look are written: as the entry point that shows the view takes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OptionStyle {
    /// As flags of the command line: `--scope e25`.
    #[default]
    CommandLine,
    /// As arguments of a tool: `scope=e25`.
    ToolArguments,
}

impl OptionStyle {
    /// An option with its value.
    pub(super) fn option(self, name: &str, value: &str) -> String {
        match self {
            Self::CommandLine => format!("--{name} {value}"),
            Self::ToolArguments => format!("{name}={value}"),
        }
    }
}
