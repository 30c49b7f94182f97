//! The content types of pages.

use http::{HeaderMap, header};

const PAGE_TYPES: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// Whether a response with this header is a page: its content type, whatever its parameters.
#[must_use]
pub fn is_page(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(header::CONTENT_TYPE) else { return false };
    let kind = kind.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    PAGE_TYPES.iter().any(|page| kind.eq_ignore_ascii_case(page.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_by_their_content_type() {
        #[derive(serde::Deserialize)]
        struct Case {
            content_type: String,
            is_page: bool,
        }
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../cases/page-types.json")).expect("a list of cases");
        assert!(!cases.is_empty());
        for case in cases {
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, case.content_type.parse().expect("a value"))]);
            assert_eq!(is_page(&headers), case.is_page, "{}", case.content_type);
        }
        assert!(!is_page(&HeaderMap::new()));
    }
}
