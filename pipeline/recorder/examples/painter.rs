//! Paints a screen in one colour after the other, for benches: painter DISPLAY WIDTHxHEIGHT COUNT EVERY_MS.
//!
//! Prints a line of JSON for each: the colour, and between which moments it was painted, in microseconds since 1970.

#[path = "../tests/it/painter.rs"]
#[allow(dead_code)]
mod painter;

use std::time::Duration;

use painter::Painter;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, display, size, count, every_ms] = &arguments[..] else {
        panic!("usage: painter DISPLAY WIDTHxHEIGHT COUNT EVERY_MS");
    };
    let (width, height) = size.split_once('x').expect("a size like 1280x720");
    let painter = Painter::connect(display, width.parse().expect("a number"), height.parse().expect("a number"));
    let every = Duration::from_secs_f64(every_ms.parse::<f64>().expect("a number") / 1000.0);
    for painted in painter.flips(count.parse().expect("a number"), every) {
        println!(
            "{{\"colour\":\"#{:06x}\",\"from_us\":{},\"until_us\":{}}}",
            painted.colour, painted.from_us, painted.until_us
        );
    }
}
