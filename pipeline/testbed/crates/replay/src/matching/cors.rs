//! Permissions across origins (CORS).
//!
//! Recorded permissions are for the origin and the credentials of the recorded request, and a recorder may have sent
//! none of them. A replay grants every origin access, over all stacks.

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// What a preflight asks for, and the field that grants it.
const GRANTED: [(HeaderName, HeaderName); 2] = [
    (header::ACCESS_CONTROL_REQUEST_METHOD, header::ACCESS_CONTROL_ALLOW_METHODS),
    (header::ACCESS_CONTROL_REQUEST_HEADERS, header::ACCESS_CONTROL_ALLOW_HEADERS),
];

/// Lets the origin of the request in, with credentials, and grants what a preflight asks for.
pub fn allow(request: &HeaderMap, response: &mut HeaderMap) {
    let Some(origin) = request.get(header::ORIGIN) else { return };
    response.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    response.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    for (asked, granted) in GRANTED {
        if let Some(value) = request.get(asked) {
            response.insert(granted, value.clone());
        }
    }
    if !varies_with_origin(response) {
        response.append(header::VARY, HeaderValue::from_static("origin"));
    }
}

/// A browser's cache would give the permission of one origin to another.
fn varies_with_origin(response: &HeaderMap) -> bool {
    let fields = response.get_all(header::VARY).iter().filter_map(|value| value.to_str().ok());
    fields
        .flat_map(|value| value.split(','))
        .any(|name| matches!(name.trim().to_ascii_lowercase().as_str(), "*" | "origin"))
}
