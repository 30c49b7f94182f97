//! JSONP: renames the called function of a recorded script, whose name the page draws at random, to the requested name.

use bytes::Bytes;
use url::Url;

use super::query::{self, PathAndQuery};
use crate::coding::Coding;

const LONGEST_NAME: usize = 128;

/// A recorded body that begins with a call of a function that its URL names, cut at the function's name.
#[derive(Debug, Clone)]
pub struct Callback {
    /// Those of the URL that name the function.
    parameters: Vec<String>,
    name: String,
    coding: Coding,
    /// What is before, between and after the name; decoded.
    pieces: Vec<Bytes>,
}

impl Callback {
    /// Of a body without its coding, recorded for this URL. `None` where it does not begin with a call of what a parameter names.
    pub fn of(url: &Url, coding: Coding, body: impl Into<Bytes>) -> Option<Self> {
        let (values, body) = (query::values(PathAndQuery::of(url)), body.into());
        let mut names = values.iter().map(|(_, value)| value).filter(|value| is_identifier(value));
        let (name, pieces) = names.find_map(|name| Some((name.clone(), cut(&body, name)?)))?;
        let parameters =
            values.into_iter().filter(|(_, value)| *value == name).map(|(parameter, _)| parameter).collect();
        Some(Self { parameters, name, coding, pieces })
    }

    /// Whether both are the same script but for the callback's name.
    pub fn is_like(&self, other: &Self) -> bool {
        self.pieces == other.pieces
    }

    /// The name that a request asks for: of several parameters, that of the first with another name than the recorded one. `None` where
    /// it names none that can stand in a script.
    pub fn asked(&self, url: &Url) -> Option<String> {
        let asked = PathAndQuery::of(url);
        let names = || self.parameters.iter().filter_map(|parameter| query::value(asked, parameter));
        names().find(|name| *name != self.name).or_else(|| names().next()).filter(|name| is_identifier(name))
    }

    /// The body with this name, in the recorded content coding; `None` where it has this name as recorded.
    pub fn renamed(&self, name: &str) -> Option<Bytes> {
        (name != self.name).then(|| self.coding.encode(&self.pieces.join(name.as_bytes())))
    }
}

/// A path of JavaScript identifiers, such as `jQuery31_17` or `app.callbacks.f1`; nothing else is put into a script.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.bytes();
    let begins = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic() || b"_$".contains(&letter));
    begins && letters.all(is_part_of_name) && name.len() <= LONGEST_NAME
}

fn is_part_of_name(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || b"_$.".contains(&letter)
}

/// Cuts a script at the name of the function that it begins by calling: `NAME(`, `window.NAME(`, either of them after `NAME &&` or
/// `typeof NAME === 'function' &&`, or within `try {`. White space, comments and semicolons may come first.
fn cut(body: &Bytes, name: &str) -> Option<Vec<Bytes>> {
    let mut cursor = Cursor { body, at: 0 };
    cursor.skip("\u{feff}");
    cursor.skip_to_code()?;
    if cursor.skip("try") {
        cursor.skip_space();
        cursor.take("{")?;
        cursor.skip_space();
    }
    let mut names = Vec::new();
    let is_tested = cursor.skip("typeof ");
    cursor.skip_space();
    names.push(cursor.take_name(name)?);
    cursor.skip_space();
    if is_tested {
        if !cursor.skip("===") {
            cursor.take("==")?;
        }
        cursor.skip_space();
        if !cursor.skip("'function'") {
            cursor.take("\"function\"")?;
        }
        cursor.skip_space();
    }
    if is_tested || cursor.rest().starts_with(b"&&") {
        cursor.take("&&")?;
        cursor.skip_space();
        names.push(cursor.take_name(name)?);
        cursor.skip_space();
    }
    cursor.take("(")?;
    let mut pieces = Vec::new();
    let mut from = 0;
    for at in names {
        pieces.push(body.slice(from..at));
        from = at + name.len();
    }
    pieces.push(body.slice(from..));
    Some(pieces)
}

struct Cursor<'a> {
    body: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.body[self.at..]
    }

    fn skip_while(&mut self, goes_on: impl Fn(u8) -> bool) {
        self.at += self.rest().iter().take_while(|byte| goes_on(**byte)).count();
    }

    fn skip_space(&mut self) {
        self.skip_while(|byte| byte.is_ascii_whitespace());
    }

    fn skip(&mut self, text: &str) -> bool {
        let is_here = self.rest().starts_with(text.as_bytes());
        self.at += if is_here { text.len() } else { 0 };
        is_here
    }

    fn take(&mut self, text: &str) -> Option<()> {
        self.skip(text).then_some(())
    }

    /// White space, comments and empty statements; `None` where a comment does not end.
    fn skip_to_code(&mut self) -> Option<()> {
        loop {
            self.skip_while(|byte| byte.is_ascii_whitespace() || byte == b';');
            if self.skip("/*") {
                self.at += self.rest().windows(2).position(|two| two == b"*/")? + 2;
            } else if self.skip("//") {
                self.skip_while(|byte| !matches!(byte, b'\r' | b'\n'));
            } else {
                return Some(());
            }
        }
    }

    /// Where the name is, as a variable or as a member of the window.
    fn take_name(&mut self, name: &str) -> Option<usize> {
        let is_here = |rest: &[u8]| {
            let after = rest.strip_prefix(name.as_bytes());
            after.is_some_and(|after| !after.first().is_some_and(|byte| is_part_of_name(*byte)))
        };
        if !is_here(self.rest()) {
            self.take("window.")?;
        }
        if !is_here(self.rest()) {
            return None;
        }
        let at = self.at;
        self.at += name.len();
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str, body: &str) -> Option<Callback> {
        Callback::of(&url.parse().expect("a URL"), Coding::Identity, body.to_owned())
    }

    fn renamed(body: &str, name: &str) -> Option<String> {
        let body = of("https://a.test/j?x=1&cb=old_1", body)?.renamed(name)?;
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
            let actual = of(url.as_str(), &body).map(|callback| callback.pieces);
            assert_eq!(actual, pieces.map(|all| all.into_iter().map(Bytes::from).collect()), "{name} in {body}");
        }
    }

    #[test]
    fn only_a_path_of_identifiers_is_put_into_a_script() {
        let callback = of("https://a.test/j?cb=old", "old(1)").expect("JSONP");
        let asked = |name: &str| {
            let mut url = Url::parse("https://a.test/j").expect("a URL");
            url.query_pairs_mut().append_pair("cb", name);
            callback.asked(&url)
        };
        for name in ["_a", "$", "jQuery31_17", "app.callbacks.f1", "old"] {
            assert_eq!(asked(name).as_deref(), Some(name));
        }
        let longest = "a".repeat(LONGEST_NAME);
        assert_eq!(asked(&longest), Some(longest.clone()));
        for name in ["", "1a", "a(b", "alert(1);a", "a b", "ä", "</script>", &format!("{longest}a")] {
            assert_eq!(asked(name), None, "{name}");
        }
        assert_eq!(callback.asked(&Url::parse("https://a.test/j?other=1").expect("a URL")), None);
    }

    #[test]
    fn a_compressed_body_is_renamed_in_its_own_coding() {
        let url = "https://a.test/j?cb=old".parse().expect("a URL");
        for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
            let callback = Callback::of(&url, coding, &b"old({})"[..]).expect("JSONP");
            let sent = callback.renamed("new").expect("another name");
            assert_eq!(coding.decode(&sent).as_deref(), Some(&b"new({})"[..]), "{coding:?}");
            assert_eq!(callback.renamed("new"), Some(sent), "the same bytes each time");
        }
    }

    #[test]
    fn any_parameter_may_name_the_function() {
        let url = |query: &str| format!("https://a.test/j?{query}").parse::<Url>().expect("a URL");
        let callback = of("https://a.test/j?v=1&jsonp=f1&x=y&again=f1", "f1({})").expect("JSONP");
        let asked = |query: &str| callback.asked(&url(query));
        assert_eq!(asked("jsonp=f2").as_deref(), Some("f2"));
        assert_eq!(asked("jsonp=f1&again=f3").as_deref(), Some("f3"));
        assert_eq!(asked("jsonp=f1&again=f1").as_deref(), Some("f1"));
        assert_eq!((asked("x=f2"), asked("jsonp=f1&again=a b")), (None, None));
        assert!(of("https://a.test/j?v=f2", "f1({})").is_none());
    }
}
