//! An X client that paints the whole screen in one colour after the other, and knows when.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ChangeGCAux, ConnectionExt, CreateGCAux, Gcontext, Rectangle, Window};
use x11rb::rust_connection::RustConnection;

/// A colour that was painted: between these two moments, in microseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct Painted {
    pub colour: u32,
    pub from_us: u64,
    pub until_us: u64,
}

pub struct Painter {
    connection: RustConnection,
    root: Window,
    pen: Gcontext,
    width: u16,
    height: u16,
}

impl Painter {
    pub fn connect(display: &str, width: u16, height: u16) -> Self {
        let (connection, number) = x11rb::connect(Some(display)).expect("a display");
        let root = connection.setup().roots[number].root;
        let pen = connection.generate_id().expect("an id");
        connection.create_gc(pen, root, &CreateGCAux::new()).expect("a pen");
        Self { connection, root, pen, width, height }
    }

    /// Paint a rectangle, and wait until the server has.
    pub fn fill(&self, colour: u32, x: i16, y: i16, width: u16, height: u16) {
        self.request(colour, x, y, width, height);
        self.done();
    }

    /// Paint all.
    pub fn flip(&self, colour: u32) -> Painted {
        let from_us = now_us();
        self.fill(colour, 0, 0, self.width, self.height);
        Painted { colour, from_us, until_us: now_us() }
    }

    /// Flip so often, with so long between the beginnings; every colour differs from the others.
    pub fn flips(&self, count: u32, every: Duration) -> Vec<Painted> {
        let begun = Instant::now();
        (0..count)
            .map(|number| {
                // late flips don't come closer together
                sleep((begun + every * number).saturating_duration_since(Instant::now()).max(every / 2));
                self.flip(0x0010_0000 + number)
            })
            .collect()
    }

    /// Paint row after row without a pause, until told that it is over; `colour` is that of a row's number.
    pub fn scribble(&self, over: &AtomicBool, colour: impl Fn(u32) -> u32) {
        for number in 0.. {
            if over.load(Ordering::Relaxed) {
                break;
            }
            self.fill(colour(number), 0, (number % u32::from(self.height)) as i16, self.width, 1);
        }
    }

    fn request(&self, colour: u32, x: i16, y: i16, width: u16, height: u16) {
        self.connection.change_gc(self.pen, &ChangeGCAux::new().foreground(colour)).expect("the server is there");
        let rectangle = Rectangle { x, y, width, height };
        self.connection.poly_fill_rectangle(self.root, self.pen, &[rectangle]).expect("the server is there");
    }

    fn done(&self) {
        self.connection.get_input_focus().expect("the server is there").reply().expect("it answers");
    }
}

pub fn now_us() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_micros() as u64
}
