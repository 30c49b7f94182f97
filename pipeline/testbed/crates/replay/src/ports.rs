//! The ports of recorded URLs, where all that is served is encrypted.

use url::Url;

/// The port at which servers listen, whatever else was recorded.
pub const HTTPS: u16 = 443;

/// The port at which a recorded URL is served. Everything travels encrypted, so that of plain http is that of https.
#[must_use]
pub fn port_of(url: &Url) -> u16 {
    let port = url.port_or_known_default().unwrap_or(HTTPS);
    if url.scheme() == "http" && port == 80 { HTTPS } else { port }
}
