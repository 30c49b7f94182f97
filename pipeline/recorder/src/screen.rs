//! The X screen: its damage with times, and its pixels.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd};

use x11rb::connection::{Connection, RequestConnection};
use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::Event;
use x11rb::protocol::damage::{self, ConnectionExt as _, ReportLevel};
use x11rb::protocol::shm::{self, ConnectionExt as _};
use x11rb::protocol::xfixes::ConnectionExt as _;
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat, ImageOrder};
use x11rb::rust_connection::RustConnection;

use crate::burst::Damage;
use crate::clock::{happened_us, monotonic_us};
use crate::rectangle::Rectangle;
use crate::shared_memory::SharedMemory;

const DEPTH: u8 = 24;

#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    #[error("the display {0} cannot be opened: {1}")]
    NoDisplay(String, ConnectError),
    #[error("the X server lacks {0}")]
    Lacks(&'static str),
    #[error("the screen has {0}x{1} pixels, fewer than {2}x{3}")]
    Small(u16, u16, u16, u16),
    #[error("the connection to the X server was lost: {0}")]
    Gone(#[from] ConnectionError),
    #[error("the X server refused a request: {0}")]
    Refused(#[from] ReplyError),
    #[error("the X server refused a request: {0}")]
    NoId(#[from] ReplyOrIdError),
    #[error("no memory to share with the X server: {0}")]
    NoMemory(#[from] std::io::Error),
}

pub struct Screen {
    connection: RustConnection,
    root: u32,
    damage: damage::Damage,
    segment: shm::Seg,
    memory: SharedMemory,
    whole: Rectangle,
}

impl Screen {
    /// Listen to the upper left part of that size; everything that is painted from now on is reported.
    pub fn open(display: &str, width: u16, height: u16) -> Result<Self, ScreenError> {
        let (connection, number) =
            x11rb::connect(Some(display)).map_err(|error| ScreenError::NoDisplay(display.into(), error))?;
        let setup = connection.setup();
        let screen = &setup.roots[number];
        let root = screen.root;
        if screen.width_in_pixels < width || screen.height_in_pixels < height {
            return Err(ScreenError::Small(screen.width_in_pixels, screen.height_in_pixels, width, height));
        }
        let format = setup.pixmap_formats.iter().find(|format| format.depth == DEPTH);
        if screen.root_depth != DEPTH
            || format.is_none_or(|format| format.bits_per_pixel != 32)
            || setup.image_byte_order != ImageOrder::LSB_FIRST
        {
            return Err(ScreenError::Lacks("24 bits a pixel, stored as four bytes with blue first"));
        }
        for (extension, name) in [(damage::X11_EXTENSION_NAME, "DAMAGE"), (shm::X11_EXTENSION_NAME, "MIT-SHM")] {
            connection.extension_information(extension)?.ok_or(ScreenError::Lacks(name))?;
        }
        connection.xfixes_query_version(5, 0)?.reply()?;
        connection.damage_query_version(1, 1)?.reply()?;
        let version = connection.shm_query_version()?.reply()?;
        if (version.major_version, version.minor_version) < (1, 2) {
            return Err(ScreenError::Lacks("MIT-SHM 1.2, by which memory is shared through a file"));
        }
        let whole = Rectangle::whole(width, height);
        let pixels = NonZeroUsize::new(whole.area()).ok_or(ScreenError::Lacks("a size"))?;
        let (memory, file) = SharedMemory::new(pixels)?;
        let segment = connection.generate_id()?;
        connection.shm_attach_fd(segment, file, false)?.check()?;
        let damage = connection.generate_id()?;
        connection.damage_create(damage, root, ReportLevel::RAW_RECTANGLES)?.check()?;
        Ok(Self { connection, root, damage, segment, memory, whole })
    }

    pub fn whole(&self) -> Rectangle {
        self.whole
    }

    /// Readable when damage may have come.
    pub fn readable(&self) -> BorrowedFd<'_> {
        self.connection.stream().as_fd()
    }

    /// The next reported damage, without waiting.
    pub fn next_damage(&self) -> Result<Option<Damage>, ScreenError> {
        while let Some((event, sequence)) = self.connection.poll_for_event_with_sequence()? {
            let Event::DamageNotify(event) = event else { continue };
            let (x, y) = (i32::from(event.area.x), i32::from(event.area.y));
            if let Some(rectangle) = Rectangle::within(x, y, event.area.width, event.area.height, self.whole) {
                let time_us = happened_us(monotonic_us(), event.timestamp);
                return Ok(Some(Damage { time_us, rectangle, sequence }));
            }
        }
        Ok(None)
    }

    /// Wait until the server has reported all damage so far.
    pub fn settle(&self) -> Result<(), ScreenError> {
        self.connection.get_input_focus()?.reply()?;
        Ok(())
    }

    /// Fetch the pixels of disjoint rectangles; first forget the damage so far.
    ///
    /// Returns the sequence numbers of its first and its last request (see `burst::Fetch`).
    pub fn fetch(&mut self, rectangles: &[Rectangle]) -> Result<Range<u64>, ScreenError> {
        self.connection.damage_subtract(self.damage, x11rb::NONE, x11rb::NONE)?;
        let mut asked = Vec::with_capacity(rectangles.len());
        let mut offset = 0;
        for rectangle in rectangles {
            asked.push(self.connection.shm_get_image(
                self.root,
                rectangle.x as i16,
                rectangle.y as i16,
                rectangle.width,
                rectangle.height,
                !0,
                ImageFormat::Z_PIXMAP.into(),
                self.segment,
                offset,
            )?);
            offset += 4 * rectangle.area() as u32;
        }
        let numbers: Vec<u64> = asked.iter().map(|cookie| cookie.sequence_number()).collect();
        for cookie in asked {
            cookie.reply()?;
        }
        Ok(numbers.first().copied().unwrap_or(0)..numbers.last().copied().unwrap_or(0))
    }

    /// The pixels of each of the rectangles that were fetched last.
    pub fn fetched<'a>(&'a self, rectangles: &'a [Rectangle]) -> impl Iterator<Item = (Rectangle, &'a [u32])> {
        let mut rest = self.memory.pixels();
        rectangles.iter().map(move |rectangle| {
            let (pixels, remaining) = rest.split_at(rectangle.area());
            rest = remaining;
            (*rectangle, pixels)
        })
    }
}
