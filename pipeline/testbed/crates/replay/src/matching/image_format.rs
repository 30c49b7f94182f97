//! Recognises requests for another image format of a recorded picture.

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use url::Url;

/// Path endings that ask an image server for the same picture in another format.
///
/// Alibaba's servers append them to the whole path: `a.jpg_240x240q75.jpg_.webp` is `a.jpg_240x240q75.jpg` as WebP. Scripts of
/// tmall.com append the first where the browser shows WebP; aliexpress.com and lazada.com use both. What is left of the path, the
/// size and the quality in it too, is the same picture.
const FORMAT_SUFFIXES: [&str; 2] = ["_.webp", "_.avif"];

/// The URL without the ending that asks for another image format; `None` where it has none.
pub fn without_format(url: &Url) -> Option<Url> {
    let path = FORMAT_SUFFIXES.iter().find_map(|suffix| url.path().strip_suffix(suffix))?;
    let mut plain = url.clone();
    plain.set_path(path);
    Some(plain)
}

/// Whether a response with this status and header is a picture.
pub fn is_picture(status: u16, headers: &HeaderMap) -> bool {
    let is_image = |text: &str| text.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("image/"));
    status == 200 && headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(is_image)
}
