//! Files packed with gzip.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

/// What every packed file begins with.
pub const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Whether a file of this name is to be packed.
#[must_use]
pub fn is_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Packs what `fill` writes, to the last byte: a fault of the end of the file is told too, not only those before it.
///
/// # Errors
/// When it cannot be written, or `fill` fails.
pub fn write<T>(
    out: impl Write + Send,
    level: Compression,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> io::Result<T> {
    let mut packer = BufWriter::new(GzEncoder::new(out, level));
    let filled = fill(&mut packer)?;
    packer.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?.flush()?;
    Ok(filled)
}

/// Returns the name of a file without the ending `.gz`.
#[must_use]
pub fn without_ending(path: &Path) -> PathBuf {
    if is_name(path) { path.with_extension("") } else { path.to_owned() }
}

/// How a file begins, unpacked, of which these are the first bytes: as far as they tell, and no further than their number.
#[must_use]
pub fn beginning(first: &[u8]) -> Vec<u8> {
    let mut begins = Vec::new();
    if first.starts_with(&MAGIC) {
        // What is cut off or spoilt unpacks up to there.
        let _ = GzDecoder::new(first).take(first.len() as u64).read_to_end(&mut begins);
    } else {
        begins.extend(first);
    }
    begins
}

/// How many bytes a packed one may stand for, once they are many: real texts are packed to a tenth, a trap to a thousandth.
const MOST_PACKED: u64 = 200;
const MANY: u64 = 1 << 26;

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 28;

/// Reads a line into `line`, or the beginning of one that is longer than any that is written here.
///
/// # Errors
/// When it cannot be read or is not UTF-8.
pub fn next_line(text: &mut impl BufRead, line: &mut String) -> io::Result<usize> {
    line.clear();
    text.take(LONGEST).read_line(line)
}

/// Unpacks one piece that fills the file, and ends in a fault where far more comes out than a text packs.
struct Unpacked<R> {
    decoder: GzDecoder<Counted<R>>,
    bytes: u64,
    /// Kind and words of the fault in which the text ends. A decoder that is read again after its fault says that the text has ended.
    fault: Option<(io::ErrorKind, String)>,
}

/// Counts what was read.
struct Counted<R> {
    file: R,
    bytes: u64,
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Some((kind, words)) = &self.fault {
            return Err(io::Error::new(*kind, words.clone()));
        }
        self.read_on(bytes).inspect_err(|fault| {
            if fault.kind() != io::ErrorKind::Interrupted {
                self.fault = Some((fault.kind(), fault.to_string()));
            }
        })
    }
}

impl<R: BufRead> Unpacked<R> {
    fn read_on(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(bytes).map_err(damaged)?;
        self.bytes += read as u64;
        if self.bytes > MANY && self.bytes / MOST_PACKED > self.decoder.get_ref().bytes {
            let words =
                format!("it unpacks to more than {MOST_PACKED} times its size, which no file of ours does");
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        if read == 0 && !bytes.is_empty() && !self.decoder.get_mut().fill_buf()?.is_empty() {
            let fault = "something follows the end of the text that is packed with gzip";
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
        }
        Ok(read)
    }
}

/// Says of a fault in compressed bytes that they are damaged; a fault of the system stays as it is.
fn damaged(cause: io::Error) -> io::Error {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    match cause.kind() {
        kind @ (InvalidData | InvalidInput | UnexpectedEof) if cause.raw_os_error().is_none() => {
            io::Error::new(kind, format!("it is compressed by gzip and damaged or cut off: {cause}"))
        }
        _ => cause,
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        self.file.consume(bytes);
    }
}

/// Reads what may be packed, in one piece that fills the file.
///
/// # Errors
/// When its beginning cannot be read.
pub fn read<'r>(mut file: impl BufRead + 'r) -> io::Result<Box<dyn BufRead + 'r>> {
    if file.fill_buf()?.starts_with(&MAGIC) {
        let decoder = GzDecoder::new(Counted { file, bytes: 0 });
        return Ok(Box::new(BufReader::new(Unpacked { decoder, bytes: 0, fault: None })));
    }
    Ok(Box::new(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unpacks_without_end_is_refused_and_what_packs_well_is_not() {
        for (piece, times, whole) in
            [(&b"\0"[..], 200 << 20, false), (b"0 1,2 3,4 5,6 7,8 9\n", 1 << 20, true)]
        {
            let mut packed = Vec::new();
            write(&mut packed, Compression::best(), |out| {
                let block = piece.repeat(1024);
                (0..times / 1024).try_for_each(|number| {
                    // A text has something new in each of its parts.
                    if whole {
                        writeln!(out, "{:x}", (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
                    } else {
                        Ok(())
                    }?;
                    out.write_all(&block)
                })
            })
            .expect("in memory");
            let read = read(&packed[..]).and_then(|mut text| io::copy(&mut text, &mut io::sink()));
            assert_eq!(read.is_ok(), whole, "{read:?} of {} bytes", packed.len());
        }
    }

    #[test]
    fn a_line_without_end_is_read_in_part() {
        let mut line = String::new();
        let read = next_line(&mut BufReader::new(io::repeat(b'a')), &mut line).expect("characters");
        assert_eq!((read as u64, line.len() as u64), (LONGEST, LONGEST));
    }

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
