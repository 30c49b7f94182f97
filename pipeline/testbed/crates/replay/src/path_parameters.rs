//! Parameters of path segments, such as `;ord=123` in `/adi/N1;ord=123` (RFC 3986, section 3.3).
//!
//! A parameter is a piece of a segment of the form `;name=value`, as spelt. A piece without a name or a value has nothing that could
//! be ignored; it stays in the path.

/// The path without its parameters.
#[must_use]
pub fn bare(path: &str) -> String {
    pieces(path).filter(|piece| !is_parameter(piece)).collect()
}

/// The parameters of all segments in their order, each with its semicolon.
pub fn parameters(path: &str) -> impl Iterator<Item = &str> {
    pieces(path).filter(|piece| is_parameter(piece))
}

/// The path cut before each slash and semicolon.
fn pieces(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        let end = rest.get(1..)?.find(['/', ';']).map_or(rest.len(), |at| at + 1);
        let (piece, left) = rest.split_at(end);
        rest = left;
        Some(piece)
    })
}

fn is_parameter(piece: &str) -> bool {
    piece.strip_prefix(';').and_then(|pair| pair.find('=')).is_some_and(|at| at > 0)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Case {
        path: String,
        bare: String,
        parameters: Vec<String>,
    }

    #[test]
    fn paths_are_told_from_their_parameters() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../cases/paths.json")).expect("a list of cases");
        assert!(!cases.is_empty());
        for case in cases {
            assert_eq!(bare(&case.path), case.bare, "{}", case.path);
            assert_eq!(parameters(&case.path).collect::<Vec<_>>(), case.parameters, "{}", case.path);
        }
    }
}
