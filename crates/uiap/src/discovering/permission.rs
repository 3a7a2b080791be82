//! Where an application is, and whether that is on this machine (DSC-SEC-1).

use crate::Trouble;
use url::{Host, Url};

/// Where an application begins.
pub(crate) fn base_of(address: &str) -> Result<Url, Trouble> {
    let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url =
        url.ok_or_else(|| Trouble::WrongUse(format!("\"{address}\" is not the address of an application.")))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Trouble::WrongUse(
            "The address of the application holds a user name or a password, and everything that is found names the \
             address. Leave them out, and sign in another way."
                .to_owned(),
        ));
    }
    Ok(url)
}

/// It is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}
