//! What is read until the reader is stopped.

use std::io::{self, Read};

use super::Control;

/// A text that ends in a fault when the control stops who reads it.
#[derive(Debug)]
pub struct Stoppable<'c, T> {
    /// What is read.
    pub text: T,
    /// What stops it.
    pub control: &'c Control,
}

impl<T: Read> Read for Stoppable<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.control.is_stopped() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.text.read(bytes)
    }
}
