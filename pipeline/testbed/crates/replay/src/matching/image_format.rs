//! Recognises requests for another image format of a recorded picture.

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use url::Url;

/// What today's browsers announce, and recorders of earlier years did not.
const MODERN: [&str; 2] = ["webp", "avif"];
/// What servers send to browsers that announce none of these.
const CLASSIC: [&str; 4] = ["jpg", "jpeg", "png", "gif"];
/// What image servers put between a path, the name of a size, and that of a format.
const SEPARATORS: [char; 5] = ['.', '_', '!', '@', '-'];

/// The URLs of the same picture in an older format: lists of them, the closest first. Empty where the URL asks for no modern format.
#[must_use]
pub fn in_other_formats(url: &Url) -> Vec<Vec<Url>> {
    let by_path = paths(url.path()).into_iter().map(|paths| {
        let with = |path: String| {
            let mut other = url.clone();
            other.set_path(&path);
            other
        };
        paths.into_iter().map(with).collect::<Vec<_>>()
    });
    let by_query = queries(url.query().unwrap_or_default()).into_iter().map(|queries| {
        let with = |query: String| {
            let mut other = url.clone();
            other.set_query(Some(&query).filter(|query| !query.is_empty()).map(String::as_str));
            other
        };
        queries.into_iter().map(with).collect::<Vec<_>>()
    });
    by_path.chain(by_query).collect()
}

/// Of `a.jpg@320w.webp`: first without the format (`a.jpg@320w`), then in another one (`a.jpg@320w.jpg`), then without all that follows
/// the name of the picture (`a.jpg`).
fn paths(path: &str) -> Vec<Vec<String>> {
    let Some(rest) = before_format(path, &SEPARATORS) else { return Vec::new() };
    let plain = rest.trim_end_matches(SEPARATORS);
    let in_classic =
        if rest.ends_with('.') { CLASSIC.map(|format| format!("{rest}{format}")).to_vec() } else { Vec::new() };
    vec![vec![plain.to_owned()], in_classic, picture(plain).map(str::to_owned).into_iter().collect()]
}

/// Of `w=320&fm=webp`: first without the parameter, then with another format. The format ends the parameter, as in
/// `x-oss-process=image/resize,w_320/format,webp`.
fn queries(query: &str) -> Vec<Vec<String>> {
    let pairs: Vec<&str> = query.split('&').collect();
    let asked = pairs.iter().enumerate().find_map(|(at, pair)| Some((at, before_format(pair, &['=', '/', ','])?)));
    let Some((at, rest)) = asked else { return Vec::new() };
    let joined = |pair: Option<&str>| {
        let pairs = pairs.iter().enumerate().filter_map(|(place, other)| if place == at { pair } else { Some(*other) });
        pairs.collect::<Vec<_>>().join("&")
    };
    let directive = ["/format/", "/format,"].iter().find_map(|word| rest.strip_suffix(*word));
    let without = [None].into_iter().chain(directive.map(Some)).map(joined).collect();
    let in_classic = CLASSIC.map(|format| joined(Some(format!("{rest}{format}").as_str()))).to_vec();
    vec![without, in_classic]
}

/// The text before the modern format that it ends with; a separator must come between.
fn before_format<'a>(text: &'a str, separators: &[char]) -> Option<&'a str> {
    let at = text.len().checked_sub(MODERN[0].len()).filter(|at| text.is_char_boundary(*at))?;
    let (rest, format) = text.split_at(at);
    let is_modern = MODERN.iter().any(|modern| format.eq_ignore_ascii_case(modern));
    (is_modern && rest.ends_with(separators)).then_some(rest)
}

/// The path up to the last name of a picture in it, such as `/a.jpg` of `/a.jpg!q70`; `None` where it has none, and where this is its
/// end.
fn picture(path: &str) -> Option<&str> {
    let begin = path.rfind('/').map_or(0, |at| at + 1);
    let mut ends = path[begin..].match_indices('.').filter_map(|(dot, _)| {
        let after = begin + dot + 1;
        let format = CLASSIC.iter().chain(&MODERN).find(|format| begins_with(&path[after..], format))?;
        let end = after + format.len();
        (end == path.len() || path[end..].starts_with(SEPARATORS)).then_some(end)
    });
    ends.next_back().filter(|end| *end < path.len()).map(|end| &path[..end])
}

fn begins_with(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Whether a response with this status and header is a picture.
pub fn is_picture(status: u16, headers: &HeaderMap) -> bool {
    let is_image = |text: &str| begins_with(text, "image/");
    status == 200 && headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(is_image)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alternatives(text: &str) -> Vec<Vec<String>> {
        let base = Url::parse("https://a.test").expect("a URL");
        let url = base.join(text).expect("a URL");
        let shown = |url: Url| url[url::Position::BeforePath..].to_owned();
        let lists = in_other_formats(&url).into_iter().filter(|urls| !urls.is_empty());
        lists.map(|urls| urls.into_iter().map(shown).collect()).collect()
    }

    #[test]
    fn a_path_is_told_without_its_modern_format_in_another_and_without_its_suffix() {
        let classic = |stem: &str| CLASSIC.map(|format| format!("{stem}.{format}")).to_vec();
        let plain = |path: &str| vec![path.to_owned()];
        assert_eq!(
            alternatives("/x/a.webp?v=1"),
            [plain("/x/a?v=1"), CLASSIC.map(|format| format!("/x/a.{format}?v=1")).to_vec(),]
        );
        assert_eq!(alternatives("/a.jpg.AVIF"), [plain("/a.jpg"), classic("/a.jpg")]);
        assert_eq!(alternatives("/a.jpg!q70.webp"), [plain("/a.jpg!q70"), classic("/a.jpg!q70"), plain("/a.jpg")]);
        assert_eq!(alternatives("/a.PNG@320w_200h.webp")[2], plain("/a.PNG"));
        assert_eq!(alternatives("/a.jpg.dpg.webp")[2], plain("/a.jpg"));
        assert_eq!(alternatives("/a.jpg!webp"), [plain("/a.jpg")]);
        assert_eq!(alternatives("/a.jpg_240x240q75.jpg_.webp")[0], plain("/a.jpg_240x240q75.jpg"));
        assert_eq!(alternatives("/a.jpg_240x240q75.jpg_.webp").len(), 2, "another size is another picture");
    }

    #[test]
    fn a_query_is_told_without_the_parameter_and_in_another_format() {
        let lists = alternatives("/a?w=1&fm=webp&h=2");
        assert_eq!(lists[0], ["/a?w=1&h=2"]);
        assert_eq!(lists[1], CLASSIC.map(|format| format!("/a?w=1&fm={format}&h=2")));
        assert_eq!(alternatives("/a?format=webp")[0], ["/a"]);
        assert_eq!(
            alternatives("/a?x-oss-process=image/resize,w_320/format,webp")[0],
            ["/a", "/a?x-oss-process=image/resize,w_320"]
        );
        assert_eq!(alternatives("/a?imageView2/2/w/320/format/webp")[0], ["/a", "/a?imageView2/2/w/320"]);
    }

    #[test]
    fn what_does_not_end_with_a_modern_format_asks_for_none() {
        for text in ["/", "/webp", "/awebp", "/a.webp/", "/webp/a.jpg", "/a.webp.jpg", "/a?webp", "/a?q=webp1", "/ä"] {
            assert_eq!(alternatives(text), Vec::<Vec<String>>::new(), "{text}");
        }
    }
}
