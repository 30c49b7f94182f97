//! Rectangles of the screen, in pixels from its upper left corner.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

impl Rectangle {
    pub fn whole(width: u16, height: u16) -> Self {
        Self { x: 0, y: 0, width, height }
    }

    pub fn area(&self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }

    /// The part of a rectangle, which may begin left of or above the screen, within a screen of that size.
    pub fn within(x: i32, y: i32, width: u16, height: u16, screen: Rectangle) -> Option<Self> {
        let right = (x + i32::from(width)).min(i32::from(screen.width));
        let bottom = (y + i32::from(height)).min(i32::from(screen.height));
        let (x, y) = (x.max(0), y.max(0));
        let inside = |from: i32, to: i32| u16::try_from(to - from).ok().filter(|size| *size > 0);
        Some(Self { width: inside(x, right)?, height: inside(y, bottom)?, x: x as u16, y: y as u16 })
    }

    fn right(&self) -> u32 {
        u32::from(self.x) + u32::from(self.width)
    }

    fn bottom(&self) -> u32 {
        u32::from(self.y) + u32::from(self.height)
    }

    fn intersects(&self, other: &Self) -> bool {
        u32::from(self.x) < other.right()
            && u32::from(other.x) < self.right()
            && u32::from(self.y) < other.bottom()
            && u32::from(other.y) < self.bottom()
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.x <= other.x && self.y <= other.y && self.right() >= other.right() && self.bottom() >= other.bottom()
    }

    /// The smallest rectangle that covers both.
    fn around(&self, other: &Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self {
            x,
            y,
            width: (self.right().max(other.right()) - u32::from(x)) as u16,
            height: (self.bottom().max(other.bottom()) - u32::from(y)) as u16,
        }
    }
}

/// Disjoint rectangles that cover all that were added. More than `MOST` become one: each costs a request of its own.
#[derive(Clone, Debug, Default)]
pub struct Cover(Vec<Rectangle>);

const MOST: usize = 16;

impl Cover {
    pub fn add(&mut self, added: Rectangle) {
        let mut grown = added;
        while let Some(index) = self.0.iter().position(|known| known.intersects(&grown)) {
            grown = grown.around(&self.0.swap_remove(index));
        }
        self.0.push(grown);
        if self.0.len() > MOST {
            let all = self.0.iter().skip(1).fold(self.0[0], |sum, next| sum.around(next));
            self.0 = vec![all];
        }
    }

    pub fn rectangles(&self) -> &[Rectangle] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(x: u16, y: u16, width: u16, height: u16) -> Rectangle {
        Rectangle { x, y, width, height }
    }

    #[test]
    fn what_lies_outside_the_screen_is_cut_off() {
        let screen = Rectangle::whole(100, 80);
        assert_eq!(Rectangle::within(-5, 70, 20, 20, screen), Some(rectangle(0, 70, 15, 10)));
        assert_eq!(Rectangle::within(100, 0, 5, 5, screen), None);
        assert_eq!(Rectangle::within(-5, 0, 5, 5, screen), None);
    }

    #[test]
    fn a_rectangle_contains_itself_and_what_lies_within() {
        assert!(rectangle(2, 3, 4, 5).contains(&rectangle(2, 3, 4, 5)));
        assert!(rectangle(2, 3, 4, 5).contains(&rectangle(5, 7, 1, 1)));
        assert!(!rectangle(2, 3, 4, 5).contains(&rectangle(5, 7, 2, 1)));
    }

    #[test]
    fn rectangles_that_overlap_become_one_and_others_stay_apart() {
        let mut cover = Cover::default();
        cover.add(rectangle(0, 0, 10, 10));
        cover.add(rectangle(10, 0, 10, 10)); // touches, and does not overlap
        assert_eq!(cover.rectangles().len(), 2);
        cover.add(rectangle(5, 5, 10, 10)); // overlaps both
        assert_eq!(cover.rectangles(), [rectangle(0, 0, 20, 15)]);
    }

    #[test]
    fn very_many_rectangles_become_one() {
        let mut cover = Cover::default();
        for number in 0..=MOST as u16 {
            cover.add(rectangle(3 * number, 3 * number, 1, 1));
        }
        assert_eq!(cover.rectangles(), [rectangle(0, 0, 49, 49)]);
    }
}
