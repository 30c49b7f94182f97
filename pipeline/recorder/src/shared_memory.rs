//! Memory that the X server writes pictures into. The only module with unsafe code.

#![allow(unsafe_code)]

use std::io;
use std::num::NonZeroUsize;
use std::os::fd::OwnedFd;
use std::ptr::NonNull;

use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::mman::{MapFlags, ProtFlags, mmap, munmap};
use nix::unistd::ftruncate;

pub struct SharedMemory {
    address: NonNull<u32>,
    pixels: usize,
}

impl SharedMemory {
    /// Allocates room for this number of pixels, and the file to hand to the server, which has no name to clean up.
    pub fn new(pixels: NonZeroUsize) -> io::Result<(Self, OwnedFd)> {
        let bytes = NonZeroUsize::new(pixels.get() * size_of::<u32>()).expect("a product of two that are not 0");
        let file = memfd_create("eyelevel-recorder", MFdFlags::MFD_CLOEXEC)?;
        ftruncate(&file, bytes.get() as i64)?;
        // SAFETY: a new mapping at an address of the kernel's choice, over a file that is as long
        let address =
            unsafe { mmap(None, bytes, ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED, &file, 0) }?;
        Ok((Self { address: address.cast(), pixels: pixels.get() }, file))
    }

    /// What the server has written there. It writes only while a request for a picture has no reply; a caller that
    /// needs `&mut` to send one cannot keep this slice meanwhile.
    pub fn pixels(&self) -> &[u32] {
        // SAFETY: mapped until drop, aligned to a page, and of this length; every pattern of bits is a u32
        unsafe { std::slice::from_raw_parts(self.address.as_ptr(), self.pixels) }
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: this very mapping, which nobody can refer to any more
        let _ = unsafe { munmap(self.address.cast(), self.pixels * size_of::<u32>()) };
    }
}
