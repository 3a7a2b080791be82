//! Addresses as they may be told: without what opens doors.

use super::signals::cut;

/// Names of parameters whose value is a secret, as a whole.
const SECRET_NAMES: &[&str] = &["key", "sig", "sid", "code", "pw", "pwd", "pass", "auth", "otp", "pin"];
/// Parts of names of parameters whose value is a secret.
const SECRET_PARTS: &[&str] = &[
    "token",
    "secret",
    "passw",
    "apikey",
    "api_key",
    "api-key",
    "session",
    "signature",
    "credential",
    "jwt",
];
/// What stands in their place.
const HIDDEN: &str = "***";

/// The address without user name and password, and with the values of telling parameters hidden.
pub(crate) fn shown(url: &str) -> String {
    let url = without_user(url);
    let (rest, fragment) =
        url.split_once('#').map_or((url.as_str(), None), |(rest, tail)| (rest, Some(tail)));
    let (base, query) = rest.split_once('?').map_or((rest, None), |(base, tail)| (base, Some(tail)));
    let mut told = base.to_owned();
    for (mark, part) in [('?', query), ('#', fragment)] {
        if let Some(part) = part {
            told.push(mark);
            told.push_str(&part.split('&').map(parameter).collect::<Vec<_>>().join("&"));
        }
    }
    cut(&told)
}

fn without_user(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}://{host}{tail}")
}

fn parameter(pair: &str) -> String {
    match pair.split_once('=') {
        Some((name, value)) if !value.is_empty() && is_secret(name) => format!("{name}={HIDDEN}"),
        _ => pair.to_owned(),
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAMES.contains(&name.as_str()) || SECRET_PARTS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_what_is_no_secret() {
        for (url, told) in [
            ("https://a.test/x?q=1&page=2#top", "https://a.test/x?q=1&page=2#top"),
            ("https://u:p@a.test:1/x", "https://a.test:1/x"),
            ("https://a.test/@me?to=x@y", "https://a.test/@me?to=x@y"),
            ("https://a.test/?access_token=abc&q=1", "https://a.test/?access_token=***&q=1"),
            ("https://a.test/cb?code=4%2F&state=", "https://a.test/cb?code=***&state="),
            ("https://a.test/#id_token=e.y.J&x", "https://a.test/#id_token=***&x"),
            (
                "https://a.test?X-Amz-Signature=1&KEY=2&keyword=3",
                "https://a.test?X-Amz-Signature=***&KEY=***&keyword=3",
            ),
            ("about:blank", "about:blank"),
            ("", ""),
        ] {
            assert_eq!(shown(url), told);
        }
        assert_eq!(shown(&format!("data:,{}", "ü".repeat(9_999))).chars().count(), 2_000);
    }
}
