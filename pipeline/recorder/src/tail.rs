//! Reads a file that is still being written: waits at its end for more.

use std::fs::File;
use std::io::{self, Read};
use std::thread::sleep;
use std::time::Duration;

const LOOK_AGAIN: Duration = Duration::from_millis(20);

pub struct Tail(pub File);

impl Read for Tail {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.0.read(to)?;
            if count > 0 || to.is_empty() {
                return Ok(count);
            }
            sleep(LOOK_AGAIN);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_is_written_later_is_read_too() {
        let mut file = tempfile::NamedTempFile::new().expect("a folder for temporary files");
        let mut tail = Tail(File::open(file.path()).expect("it is there"));
        let writing = std::thread::spawn(move || {
            for part in ["one", "two"] {
                sleep(2 * LOOK_AGAIN);
                file.write_all(part.as_bytes()).expect("written");
            }
            file
        });
        let mut read = [0; 6];
        tail.read_exact(&mut read).expect("both parts come");
        assert_eq!(&read, b"onetwo");
        drop(writing.join().expect("no panic"));
    }
}
