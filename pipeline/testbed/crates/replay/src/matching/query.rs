//! How alike two queries are.

use std::collections::{BTreeSet, HashMap};

use url::form_urlencoded;

/// Orders candidates by: the same query, then pairs (`key=value`) in common, then keys in common, then fewest pairs that only
/// one of the two has, then the longest common beginning. Pairs and keys count as often as they occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Similarity {
    same: bool,
    pairs: usize,
    keys: usize,
    strangers: std::cmp::Reverse<usize>,
    beginning_bytes: usize,
}

pub fn similarity(left: &str, right: &str) -> Similarity {
    let (left_pairs, right_pairs) = (pairs(left), pairs(right));
    let common = shared(&left_pairs, &right_pairs);
    Similarity {
        same: left == right,
        pairs: common,
        keys: shared(&keys(&left_pairs), &keys(&right_pairs)),
        strangers: std::cmp::Reverse(left_pairs.len() + right_pairs.len() - 2 * common),
        beginning_bytes: left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count(),
    }
}

/// The pairs of a query, in their order, without those of the named parameters. Names are spelt as in the URL.
pub fn without<'a>(query: &'a str, parameters: &BTreeSet<String>) -> Vec<&'a str> {
    pairs(query).into_iter().filter(|pair| !parameters.contains(key(pair))).collect()
}

/// The decoded value of the first pair of a parameter, whose name is spelt as in the URL.
pub fn value(query: &str, parameter: &str) -> Option<String> {
    let pair = pairs(query).into_iter().find(|pair| key(pair) == parameter)?;
    Some(form_urlencoded::parse(pair.as_bytes()).next()?.1.into_owned())
}

fn key(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(key, _)| key)
}

fn pairs(query: &str) -> Vec<&str> {
    query.split('&').filter(|pair| !pair.is_empty()).collect()
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

    #[test]
    fn more_pairs_in_common_are_closer() {
        assert!(similarity("a=1&b=2&c=9", "a=1&b=2&c=3") > similarity("a=1&b=8&c=9", "a=1&b=2&c=3"));
    }

    #[test]
    fn keys_in_common_are_closer_than_none() {
        assert!(similarity("t=123", "t=456") > similarity("x=123", "t=456"));
    }

    #[test]
    fn what_only_one_of_them_has_makes_them_less_alike() {
        assert!(similarity("a=1", "a=1&b=2") > similarity("a=1&c=3&d=4", "a=1&b=2"));
    }

    #[test]
    fn the_order_of_pairs_does_not_matter_but_the_same_query_comes_first() {
        assert_eq!(similarity("b=2&a=1", "a=1&b=2").pairs, 2);
        assert!(similarity("a=1&b=2", "a=1&b=2") > similarity("b=2&a=1", "a=1&b=2"));
    }

    #[test]
    fn named_parameters_are_left_out_and_the_others_keep_their_order() {
        let named = BTreeSet::from(["r+d".to_owned(), "cb[]".to_owned()]);
        assert_eq!(without("b=2&r+d=1&a=1&r+d&cb[]=x=y&&rd=3", &named), ["b=2", "a=1", "rd=3"]);
    }

    #[test]
    fn the_value_of_a_parameter_is_decoded() {
        assert_eq!(value("a=1&cb=f%2Eg+h&cb=2", "cb").as_deref(), Some("f.g h"));
        assert_eq!((value("cb", "cb").as_deref(), value("a=cb", "cb")), (Some(""), None));
    }

    #[test]
    fn a_longer_common_beginning_breaks_the_tie() {
        assert!(similarity("?x.js,y.js", "?x.js,z.js") > similarity("?q.js", "?x.js,z.js"));
    }
}
