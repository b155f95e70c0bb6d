//! Readers that can be stopped.

use std::io::{self, Read};

use super::Control;

/// Reader that returns an error of kind [`io::ErrorKind::TimedOut`] once its control is stopped.
#[derive(Debug)]
pub struct StoppableReader<'c, T> {
    /// Underlying reader.
    pub reader: T,
    /// Control that stops the reader.
    pub control: &'c Control,
}

impl<T: Read> Read for StoppableReader<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.control.is_stopped() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.reader.read(bytes)
    }
}
