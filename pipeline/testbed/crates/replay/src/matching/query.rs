//! How alike two URLs of one place are: their queries, and the parameters of their paths.

use std::collections::{BTreeSet, HashMap};

use url::{Url, form_urlencoded};

use crate::path_parameters;

/// Orders candidates by: the same path and query, then pairs (`key=value`) in common, then keys in common, then fewest pairs that only
/// one of the two has, then the longest common beginning. Pairs and keys count as often as they occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Similarity {
    same: bool,
    pairs: usize,
    keys: usize,
    strangers: std::cmp::Reverse<usize>,
    beginning_bytes: usize,
}

/// The path and the query of a URL, as spelt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathAndQuery<'a> {
    path: &'a str,
    query: &'a str,
}

impl<'a> PathAndQuery<'a> {
    pub fn of(url: &'a Url) -> Self {
        Self { path: url.path(), query: url.query().unwrap_or_default() }
    }

    /// The parameters of the path, each with its semicolon, then those of the query.
    fn pairs(self) -> Vec<&'a str> {
        path_parameters::parameters(self.path).chain(self.query.split('&').filter(|pair| !pair.is_empty())).collect()
    }
}

pub fn similarity(left: PathAndQuery<'_>, right: PathAndQuery<'_>) -> Similarity {
    let (left_pairs, right_pairs) = (left.pairs(), right.pairs());
    let common = shared(&left_pairs, &right_pairs);
    let bytes = |side: PathAndQuery<'_>| side.path.bytes().chain(side.query.bytes()).collect::<Vec<_>>();
    Similarity {
        same: left == right,
        pairs: common,
        keys: shared(&keys(&left_pairs), &keys(&right_pairs)),
        strangers: std::cmp::Reverse(left_pairs.len() + right_pairs.len() - 2 * common),
        beginning_bytes: bytes(left).iter().zip(bytes(right)).take_while(|(a, b)| **a == *b).count(),
    }
}

/// The parameters of a URL, in their order, without the named ones. Names are spelt as in the URL, those of the path begin with a
/// semicolon, and a number alone (`/a.css?1519128000`) has the name `=`.
pub fn without<'a>(asks: PathAndQuery<'a>, parameters: &BTreeSet<String>) -> Vec<&'a str> {
    asks.pairs().into_iter().filter(|pair| !parameters.contains(name(pair))).collect()
}

fn name(pair: &str) -> &str {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = pair.split_once('.').unwrap_or((pair, "0"));
    if is_digits(whole) && is_digits(fraction) { "=" } else { key(pair) }
}

/// The decoded value of the first pair of a parameter, whose name is spelt as in the URL.
pub fn value(asks: PathAndQuery<'_>, parameter: &str) -> Option<String> {
    values(asks).into_iter().find(|(name, _)| name == parameter).map(|(_, value)| value)
}

/// All parameters with their decoded values; names are spelt as in the URL.
pub fn values(asks: PathAndQuery<'_>) -> Vec<(String, String)> {
    let decoded = |pair: &str| {
        let (_, value) = form_urlencoded::parse(pair.as_bytes()).next()?;
        Some((key(pair).to_owned(), value.into_owned()))
    };
    asks.pairs().into_iter().filter_map(decoded).collect()
}

fn key(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(key, _)| key)
}

fn keys<'a>(pairs: &[&'a str]) -> Vec<&'a str> {
    pairs.iter().map(|pair| key(pair)).collect()
}

fn shared(left: &[&str], right: &[&str]) -> usize {
    let mut left_over: HashMap<&str, usize> = HashMap::new();
    for item in left {
        *left_over.entry(item).or_default() += 1;
    }
    right
        .iter()
        .filter(|item| match left_over.get_mut(**item) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse("https://a.test").and_then(|base| base.join(text)).expect("a URL")
    }

    fn alike(left: &str, right: &str) -> Similarity {
        similarity(PathAndQuery::of(&url(left)), PathAndQuery::of(&url(right)))
    }

    #[test]
    fn more_pairs_in_common_are_closer() {
        assert!(alike("/x?a=1&b=2&c=9", "/x?a=1&b=2&c=3") > alike("/x?a=1&b=8&c=9", "/x?a=1&b=2&c=3"));
    }

    #[test]
    fn keys_in_common_are_closer_than_none() {
        assert!(alike("/x?t=123", "/x?t=456") > alike("/x?x=123", "/x?t=456"));
    }

    #[test]
    fn what_only_one_of_them_has_makes_them_less_alike() {
        assert!(alike("/x?a=1", "/x?a=1&b=2") > alike("/x?a=1&c=3&d=4", "/x?a=1&b=2"));
    }

    #[test]
    fn the_order_of_pairs_does_not_matter_but_the_same_query_comes_first() {
        assert_eq!(alike("/x?b=2&a=1", "/x?a=1&b=2").pairs, 2);
        assert!(alike("/x?a=1&b=2", "/x?a=1&b=2") > alike("/x?b=2&a=1", "/x?a=1&b=2"));
    }

    #[test]
    fn named_parameters_are_left_out_and_the_others_keep_their_order() {
        let named = BTreeSet::from(["r+d".to_owned(), "cb[]".to_owned()]);
        let asked = url("/x?b=2&r+d=1&a=1&r+d&cb[]=x=y&&rd=3");
        assert_eq!(without(PathAndQuery::of(&asked), &named), ["b=2", "a=1", "rd=3"]);
    }

    #[test]
    fn a_number_alone_has_a_name_under_which_it_can_be_left_out() {
        let cases: Vec<HashMap<String, String>> =
            serde_json::from_str(include_str!("../../../../cases/names.json")).expect("a list of cases");
        for case in cases {
            assert_eq!(name(&case["piece"]), case["name"], "{}", case["piece"]);
        }
        let named = BTreeSet::from(["=".to_owned()]);
        assert_eq!(without(PathAndQuery::of(&url("/x?0.4711&a=1&b")), &named), ["a=1", "b"]);
    }

    #[test]
    fn the_value_of_a_parameter_is_decoded() {
        let value_in = |query: &str| value(PathAndQuery::of(&url(&format!("/x?{query}"))), "cb");
        assert_eq!(value_in("a=1&cb=f%2Eg+h&cb=2").as_deref(), Some("f.g h"));
        assert_eq!((value_in("cb").as_deref(), value_in("a=cb")), (Some(""), None));
    }

    #[test]
    fn a_longer_common_beginning_breaks_the_tie() {
        assert!(alike("/x??x.js,y.js", "/x??x.js,z.js") > alike("/x??q.js", "/x??x.js,z.js"));
    }

    #[test]
    fn parameters_of_the_path_are_pairs_whose_names_begin_with_a_semicolon() {
        let named = BTreeSet::from([";ord".to_owned(), "b".to_owned()]);
        let asked = url("/adi;ord=1;b=2/N1;a=3?ord=4&b=5");
        assert_eq!(without(PathAndQuery::of(&asked), &named), [";b=2", ";a=3", "ord=4"]);
        assert_eq!(value(PathAndQuery::of(&asked), ";b").as_deref(), Some("2"));
        assert!(alike("/x;a=1;t=3", "/x;a=1;t=9") > alike("/x;a=2;t=9", "/x;a=1;t=9"));
        assert!(alike("/x;t=8", "/x;t=9") > alike("/x?t=9", "/x;t=9"));
    }
}
