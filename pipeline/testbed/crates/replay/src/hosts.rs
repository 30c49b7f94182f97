//! Names of hosts.

use url::Url;

/// The host of a URL without the dot that may end a name: `a.test.` is `a.test`.
#[must_use]
pub fn name(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_suffix('.').unwrap_or(host)
}
