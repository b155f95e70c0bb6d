//! Files packed with gzip.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use crate::file::{FileError, Named};

/// What every packed file begins with.
pub(crate) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Whether a file of this name is to be packed.
pub(crate) fn is_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Packs what `fill` writes, to the last byte: a fault of the end of the file is told too, not only those before it.
pub(crate) fn write<T>(
    out: impl Write + Send,
    level: Compression,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> io::Result<T> {
    let mut packer = BufWriter::new(GzEncoder::new(out, level));
    let filled = fill(&mut packer)?;
    packer.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?.flush()?;
    Ok(filled)
}

/// A packed text after which the file ends.
struct Whole<R>(GzDecoder<R>);

impl<R: BufRead> Read for Whole<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(bytes)?;
        if length == 0 && !bytes.is_empty() && !self.0.get_mut().fill_buf()?.is_empty() {
            let fault = "something follows the end of the packed text";
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
        }
        Ok(length)
    }
}

/// Reads what may be packed, in one piece that fills the file.
pub(crate) fn read<'r>(mut file: impl BufRead + 'r) -> io::Result<Box<dyn BufRead + 'r>> {
    if file.fill_buf()?.starts_with(&MAGIC) {
        return Ok(Box::new(BufReader::new(Whole(GzDecoder::new(file)))));
    }
    Ok(Box::new(file))
}

/// Opens a file that may be packed; its faults name it.
pub(crate) fn open(path: &Path) -> io::Result<Named<'_, Box<dyn BufRead>>> {
    let opened = File::open(path).and_then(|file| read(BufReader::new(file)));
    Ok(Named::new(opened.map_err(|cause| FileError::new("read", path, cause))?, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for so many bytes.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let room = bytes.len().min(self.0);
            self.0 -= room;
            if room == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(room) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nothing_may_follow_the_packed_text() {
        let mut whole = Vec::new();
        write(&mut whole, Compression::fast(), |out| out.write_all(b"a line\n")).expect("in memory");
        let unpacked = |bytes: &[u8]| {
            let mut text = String::new();
            read(bytes).and_then(|mut packed| packed.read_to_string(&mut text)).map(|_| text)
        };
        assert_eq!(unpacked(&whole).expect("as it was written"), "a line\n");
        for rest in [&whole[..], b"\0", b"a line\n"] {
            let fault = unpacked(&[&whole[..], rest].concat()).expect_err("something follows");
            assert!(fault.to_string().contains("follows the end"), "{fault}");
        }
        let sum = whole.len() - 8;
        whole[sum] ^= 1;
        assert!(unpacked(&whole).is_err(), "another checksum");
    }

    #[test]
    fn a_disk_that_is_full_at_any_byte_is_a_fault() {
        let text = "a line\n".repeat(5);
        let mut whole = Vec::new();
        let fill = |out: &mut (dyn Write + Send)| out.write_all(text.as_bytes());
        write(&mut whole, Compression::fast(), fill).expect("in memory");
        for room in 0..whole.len() {
            let fault = write(Disk(room), Compression::fast(), fill).expect_err("there is no room");
            assert_eq!(fault.kind(), io::ErrorKind::StorageFull, "{room}");
            let mut read_back = String::new();
            let cut = read(&whole[..room]).and_then(|mut text| text.read_to_string(&mut read_back));
            assert!(cut.is_err() || read_back != text, "{room}");
        }
        write(Disk(whole.len()), Compression::fast(), fill).expect("there is room");
    }
}
