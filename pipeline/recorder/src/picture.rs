//! The last picture, and the changes to it. Pure.
//!
//! A pixel is 0x00RRGGBB. The server's fourth byte is meaningless and is cleared.

use crate::rectangle::Rectangle;

pub const COLOUR: u32 = 0x00ff_ffff;

/// A rectangle in which every edge has a changed pixel, and its new pixels, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub rectangle: Rectangle,
    pub pixels: Vec<u32>,
}

pub struct Picture {
    width: usize,
    pixels: Vec<u32>,
}

impl Picture {
    /// A black one, which every other differs from by itself.
    pub fn black(width: u16, height: u16) -> Self {
        Self { width: usize::from(width), pixels: vec![0; Rectangle::whole(width, height).area()] }
    }

    pub fn width(&self) -> u16 {
        self.width as u16
    }

    pub fn height(&self) -> u16 {
        (self.pixels.len() / self.width) as u16
    }

    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    pub fn row(&self, rectangle: Rectangle, row: u16) -> &[u32] {
        let start = (usize::from(rectangle.y) + usize::from(row)) * self.width + usize::from(rectangle.x);
        &self.pixels[start..start + usize::from(rectangle.width)]
    }

    fn row_mut(&mut self, rectangle: Rectangle, row: u16) -> &mut [u32] {
        let start = (usize::from(rectangle.y) + usize::from(row)) * self.width + usize::from(rectangle.x);
        &mut self.pixels[start..start + usize::from(rectangle.width)]
    }

    /// Take over what the screen shows in a rectangle; what has changed of it, if anything.
    pub fn look(&mut self, rectangle: Rectangle, shown: &[u32]) -> Option<Change> {
        let changed = self.changed(rectangle, shown)?;
        let (left, top) = (usize::from(changed.x - rectangle.x), usize::from(changed.y - rectangle.y));
        let mut pixels = Vec::with_capacity(changed.area());
        for row in 0..changed.height {
            let start = (top + usize::from(row)) * usize::from(rectangle.width) + left;
            pixels.extend(shown[start..start + usize::from(changed.width)].iter().map(|pixel| pixel & COLOUR));
        }
        let change = Change { rectangle: changed, pixels };
        self.apply(&change);
        Some(change)
    }

    /// Apply a change that `look` has found.
    pub fn apply(&mut self, change: &Change) {
        let width = usize::from(change.rectangle.width);
        for (row, shown) in (0..change.rectangle.height).zip(change.pixels.chunks_exact(width)) {
            self.row_mut(change.rectangle, row).copy_from_slice(shown);
        }
    }

    /// The smallest rectangle that contains all changed pixels.
    fn changed(&self, rectangle: Rectangle, shown: &[u32]) -> Option<Rectangle> {
        let (mut top, mut bottom, mut left, mut right) = (None, 0, usize::MAX, 0);
        for (row, shown) in shown.chunks_exact(usize::from(rectangle.width)).enumerate() {
            let previous = self.row(rectangle, row as u16);
            if previous.chunks(RUN).zip(shown.chunks(RUN)).all(|(previous, shown)| same(previous, shown)) {
                continue;
            }
            let differs = |column: &usize| (previous[*column] ^ shown[*column]) & COLOUR != 0;
            top.get_or_insert(row);
            bottom = row;
            left = (0..left.min(previous.len())).find(differs).unwrap_or(left);
            right = (right..previous.len()).rev().find(differs).unwrap_or(right);
        }
        let top = top?;
        Some(Rectangle {
            x: rectangle.x + left as u16,
            y: rectangle.y + top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
        })
    }

    /// The one colour of the whole picture, if it has only one.
    pub fn colour(&self) -> Option<u32> {
        let first = *self.pixels.first()?;
        self.pixels.iter().all(|pixel| *pixel == first).then_some(first)
    }
}

/// A comparison of so many pixels has no branch and is fast; where pixels differ, the others need none.
const RUN: usize = 64;

fn same(previous: &[u32], shown: &[u32]) -> bool {
    previous.iter().zip(shown).fold(0, |sum, (previous, shown)| sum | (previous ^ shown)) & COLOUR == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Rectangle = Rectangle { x: 0, y: 0, width: 6, height: 4 };

    fn shown(dots: &[(usize, usize)]) -> Vec<u32> {
        let mut pixels = vec![0; WHOLE.area()];
        for (x, y) in dots {
            pixels[y * 6 + x] = 0x0012_3456;
        }
        pixels
    }

    #[test]
    fn a_change_is_as_small_as_the_pixels_that_changed() {
        let mut picture = Picture::black(6, 4);
        let change = picture.look(WHOLE, &shown(&[(4, 1), (2, 3)])).expect("it changed");
        assert_eq!(change.rectangle, Rectangle { x: 2, y: 1, width: 3, height: 3 });
        assert_eq!(change.pixels, [0, 0, 0x12_3456, 0, 0, 0, 0x12_3456, 0, 0]);
        assert_eq!(picture.pixels(), shown(&[(4, 1), (2, 3)]));
    }

    #[test]
    fn what_looks_the_same_has_not_changed_whatever_the_fourth_byte_says() {
        let mut picture = Picture::black(6, 4);
        assert_eq!(picture.look(WHOLE, &vec![0xff00_0000; WHOLE.area()]), None);
        assert_eq!(picture.colour(), Some(0));
    }

    #[test]
    fn a_part_of_the_screen_is_looked_at_alone() {
        let mut picture = Picture::black(6, 4);
        let part = Rectangle { x: 4, y: 2, width: 2, height: 2 };
        let change = picture.look(part, &[0, 7, 0, 7]).expect("it changed");
        assert_eq!(change.rectangle, Rectangle { x: 5, y: 2, width: 1, height: 2 });
        assert_eq!(picture.row(WHOLE, 3), [0, 0, 0, 0, 0, 7]);
    }

    #[test]
    fn changes_applied_in_turn_give_the_pictures_again() {
        let (mut seen, mut rebuilt) = (Picture::black(6, 4), Picture::black(6, 4));
        for dots in [vec![(0, 0), (5, 3)], vec![(0, 0)], vec![], vec![(3, 1), (3, 2)]] {
            if let Some(change) = seen.look(WHOLE, &shown(&dots)) {
                rebuilt.apply(&change);
            }
            assert_eq!(rebuilt.pixels(), shown(&dots));
        }
    }

    #[test]
    fn a_picture_of_one_colour_is_known_by_it() {
        let mut picture = Picture::black(6, 4);
        picture.look(WHOLE, &[0x00ff_8000; 24]);
        assert_eq!(picture.colour(), Some(0x00ff_8000));
        picture.look(WHOLE, &shown(&[(5, 3)]));
        assert_eq!(picture.colour(), None);
    }
}
