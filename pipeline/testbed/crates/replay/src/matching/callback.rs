//! JSONP: a recorded script that calls a function whose name the page draws by chance gets the name that is asked for.

use bytes::Bytes;
use url::Url;

use super::coding::Coding;
use super::query::{self, PathAndQuery};
use crate::recording::Response;

const LONGEST_NAME: usize = 128;

/// A recorded body that begins with a call of its callback, cut at the callback's name.
#[derive(Debug, Clone)]
pub struct Callback {
    parameter: String,
    name: String,
    coding: Coding,
    /// What is before, between and after the name; decoded.
    pieces: Vec<Bytes>,
}

impl Callback {
    /// Of a response to a request whose `parameter` named the callback. `None` where the body does not begin with a call of it, or
    /// has a content coding that is not known here (br, zstd).
    pub fn of(response: &Response, parameter: &str) -> Option<Self> {
        let name = value(&response.url, parameter).filter(|name| is_identifier(name))?;
        let coding = Coding::of(&response.headers)?;
        let body = coding.decode(&response.body)?;
        let pieces = cut(&body, &name)?;
        Some(Self { parameter: parameter.to_owned(), name, coding, pieces })
    }

    /// Whether both are the same script but for the callback's name.
    pub fn is_like(&self, other: &Self) -> bool {
        self.pieces == other.pieces
    }

    /// The name that a request asks for; `None` where it names none that can stand in a script.
    pub fn asked(&self, url: &Url) -> Option<String> {
        value(url, &self.parameter).filter(|name| is_identifier(name))
    }

    /// The body with this name, in the recorded content coding; `None` where it has this name as recorded.
    pub fn renamed(&self, name: &str) -> Option<Bytes> {
        (name != self.name).then(|| self.coding.encode(&self.pieces.join(name.as_bytes())))
    }
}

fn value(url: &Url, parameter: &str) -> Option<String> {
    query::value(PathAndQuery::of(url), parameter)
}

/// A path of JavaScript identifiers, such as `jQuery31_17` or `app.callbacks.f1`; nothing else is put into a script.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.bytes();
    let begins = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic() || b"_$".contains(&letter));
    let goes_on = |letter: u8| letter.is_ascii_alphanumeric() || b"_$.".contains(&letter);
    begins && letters.all(goes_on) && name.len() <= LONGEST_NAME
}

/// Cuts `NAME(...`, `/**/NAME(...` and `/**/ typeof NAME === 'function' && NAME(...` at the name; white space is free.
fn cut(body: &[u8], name: &str) -> Option<Vec<Bytes>> {
    let mut cursor = Cursor { body, at: 0 };
    cursor.skip_space();
    cursor.skip("/**/");
    cursor.skip_space();
    let mut names = Vec::new();
    if cursor.skip("typeof ") {
        cursor.skip_space();
        names.push(cursor.at);
        cursor.take(name)?;
        cursor.skip_space();
        if !cursor.skip("===") {
            cursor.take("==")?;
        }
        cursor.skip_space();
        if !cursor.skip("'function'") {
            cursor.take("\"function\"")?;
        }
        cursor.skip_space();
        cursor.take("&&")?;
        cursor.skip_space();
    }
    names.push(cursor.at);
    cursor.take(name)?;
    cursor.skip_space();
    cursor.take("(")?;
    let mut pieces = Vec::new();
    let mut from = 0;
    for at in names {
        pieces.push(Bytes::copy_from_slice(&body[from..at]));
        from = at + name.len();
    }
    pieces.push(Bytes::copy_from_slice(&body[from..]));
    Some(pieces)
}

struct Cursor<'a> {
    body: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn skip_space(&mut self) {
        self.at += self.body[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn skip(&mut self, text: &str) -> bool {
        let is_here = self.body[self.at..].starts_with(text.as_bytes());
        self.at += if is_here { text.len() } else { 0 };
        is_here
    }

    fn take(&mut self, text: &str) -> Option<()> {
        self.skip(text).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use http::header;

    use super::*;
    use crate::request_body::BodyDigest;

    fn response(url: &str, coding: Option<&str>, body: &[u8]) -> Response {
        let headers = coding.map(|coding| (header::CONTENT_ENCODING, coding.parse().expect("a value")));
        Response {
            url: url.parse().expect("a URL"),
            method: "GET".to_owned(),
            status: 200,
            headers: headers.into_iter().collect(),
            body: Bytes::copy_from_slice(body),
            address: None,
            asked_body: Some(BodyDigest::empty()),
            asked_range: None,
        }
    }

    fn renamed(body: &str, name: &str) -> Option<String> {
        let found = Callback::of(&response("https://a.test/j?cb=old_1&x=1", None, body.as_bytes()), "cb")?;
        let body = found.renamed(name)?;
        Some(String::from_utf8(body.to_vec()).expect("text"))
    }

    #[test]
    fn the_opening_call_gets_the_name_that_is_asked_for() {
        assert_eq!(renamed("old_1({\"old_1\": 1})", "new_2").as_deref(), Some("new_2({\"old_1\": 1})"));
        assert_eq!(renamed("/**/old_1([])", "n").as_deref(), Some("/**/n([])"));
        assert_eq!(
            renamed("/**/ typeof old_1 === 'function' && old_1({});", "f.g").as_deref(),
            Some("/**/ typeof f.g === 'function' && f.g({});")
        );
        assert_eq!(renamed("old_1(1)", "old_1"), None);
    }

    #[test]
    fn a_body_is_cut_at_the_name_of_the_callback_that_it_begins_by_calling() {
        #[derive(serde::Deserialize)]
        struct Case {
            name: String,
            body: String,
            pieces: Option<Vec<String>>,
        }
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../../cases/jsonp.json")).expect("a list of cases");
        assert!(!cases.is_empty());
        for Case { name, body, pieces } in cases {
            let mut url = Url::parse("https://a.test/j").expect("a URL");
            url.query_pairs_mut().append_pair("cb", &name);
            let found = Callback::of(&response(url.as_str(), None, body.as_bytes()), "cb");
            let found = found.map(|callback| callback.pieces);
            assert_eq!(found, pieces.map(|all| all.into_iter().map(Bytes::from).collect()), "{name} in {body}");
        }
    }

    #[test]
    fn only_a_path_of_identifiers_is_put_into_a_script() {
        let found = Callback::of(&response("https://a.test/j?cb=old", None, b"old(1)"), "cb").expect("JSONP");
        let asked = |name: &str| {
            let mut url = Url::parse("https://a.test/j").expect("a URL");
            url.query_pairs_mut().append_pair("cb", name);
            found.asked(&url)
        };
        for name in ["_a", "$", "jQuery31_17", "app.callbacks.f1", "old"] {
            assert_eq!(asked(name).as_deref(), Some(name));
        }
        let longest = "a".repeat(LONGEST_NAME);
        assert_eq!(asked(&longest), Some(longest.clone()));
        for name in ["", "1a", "a(b", "alert(1);a", "a b", "ä", "</script>", &format!("{longest}a")] {
            assert_eq!(asked(name), None, "{name}");
        }
        assert_eq!(found.asked(&Url::parse("https://a.test/j?other=1").expect("a URL")), None);
    }

    #[test]
    fn a_compressed_body_is_renamed_in_its_own_coding() {
        for (coding, name) in [(Coding::Gzip, "gzip"), (Coding::Deflate, "deflate")] {
            let body = coding.encode(b"old({})");
            let found = Callback::of(&response("https://a.test/j?cb=old", Some(name), &body), "cb").expect("JSONP");
            let sent = found.renamed("new").expect("another name");
            assert_eq!(coding.decode(&sent).as_deref(), Some(&b"new({})"[..]), "{name}");
            assert_eq!(found.renamed("new"), Some(sent), "the same bytes each time");
        }
        assert!(Callback::of(&response("https://a.test/j?cb=old", Some("br"), b"old({})"), "cb").is_none());
    }
}
