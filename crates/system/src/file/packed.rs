//! Files compressed by gzip.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

/// First two bytes of every file compressed by gzip.
pub const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Returns `true` if a file of this name is compressed when it is written: if it ends in `.gz`, in lower or
/// upper case.
#[must_use]
pub fn is_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Compresses the bytes that `fill` writes and returns its result. Errors of writing the last bytes are
/// reported as well.
///
/// # Errors
/// Returns an error if the bytes cannot be written or `fill` fails.
pub fn write<T>(
    out: impl Write + Send,
    level: Compression,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> io::Result<T> {
    let mut encoder = BufWriter::new(GzEncoder::new(out, level));
    let filled = fill(&mut encoder)?;
    encoder.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?.flush()?;
    Ok(filled)
}

/// Returns a path without its extension if that is `.gz`.
#[must_use]
pub fn without_ending(path: &Path) -> PathBuf {
    if is_name(path) { path.with_extension("") } else { path.to_owned() }
}

/// Returns the beginning of the uncompressed contents of a file with these first bytes: at most as many bytes
/// as are given.
#[must_use]
pub fn beginning(first: &[u8]) -> Vec<u8> {
    let mut begins = Vec::new();
    if first.starts_with(&MAGIC) {
        // The input is cut off, so decompression ends in an error after the available bytes.
        let _ = GzDecoder::new(first).take(first.len() as u64).read_to_end(&mut begins);
    } else {
        begins.extend(first);
    }
    begins
}

/// Maximum ratio of uncompressed to compressed bytes. It is about 10 for the texts written here, and 1000 for
/// decompression bombs.
const MAX_RATIO: u64 = 200;
/// Number of uncompressed bytes up to which the ratio is not checked.
const MIN_CHECKED: u64 = 1 << 26;

/// Maximum length of a line that is read, in bytes; no line written here is as long.
const MAX_LINE: u64 = 1 << 28;

/// Reads a line into `line` and returns its length in bytes. Stops after 256 MiB if the line is longer.
///
/// # Errors
/// Returns an error if the line cannot be read or is not UTF-8.
pub fn next_line(text: &mut impl BufRead, line: &mut String) -> io::Result<usize> {
    line.clear();
    text.take(MAX_LINE).read_line(line)
}

/// Reader that decompresses a file with a single gzip member. It returns an error if the ratio of compression
/// is implausible.
struct Decoder<R> {
    decoder: GzDecoder<Counter<R>>,
    /// Number of uncompressed bytes so far.
    bytes: u64,
    /// Kind and message of the first error, which is returned again by later reads: [`GzDecoder`] would
    /// report the end of the text.
    fault: Option<(io::ErrorKind, String)>,
}

/// Reader that counts the bytes read.
struct Counter<R> {
    file: R,
    /// Number of bytes so far.
    bytes: u64,
}

impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Some((kind, words)) = &self.fault {
            return Err(io::Error::new(*kind, words.clone()));
        }
        self.read_checked(bytes).inspect_err(|fault| {
            if fault.kind() != io::ErrorKind::Interrupted {
                self.fault = Some((fault.kind(), fault.to_string()));
            }
        })
    }
}

impl<R: BufRead> Decoder<R> {
    /// Decompresses the next bytes and checks the ratio of compression and the end of the file.
    fn read_checked(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(bytes).map_err(describe_damage)?;
        self.bytes += read as u64;
        if self.bytes > MIN_CHECKED && self.bytes / MAX_RATIO > self.decoder.get_ref().bytes {
            let words = format!(
                "its uncompressed contents are more than {MAX_RATIO} times its size, as in a decompression bomb"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        if read == 0 && !bytes.is_empty() && !self.decoder.get_mut().fill_buf()?.is_empty() {
            let fault = "data follows the end of the contents compressed by gzip";
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
        }
        Ok(read)
    }
}

/// Adds to an error in compressed bytes that the file is damaged; returns system errors unchanged.
fn describe_damage(cause: io::Error) -> io::Error {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    match cause.kind() {
        kind @ (InvalidData | InvalidInput | UnexpectedEof) if cause.raw_os_error().is_none() => {
            io::Error::new(kind, format!("it is compressed by gzip and damaged or cut off: {cause}"))
        }
        _ => cause,
    }
}

impl<R: BufRead> Read for Counter<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counter<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        self.file.consume(bytes);
    }
}

/// Creates a reader of the contents of a file, which are decompressed if they begin with [`MAGIC`].
///
/// A compressed file must consist of a single gzip member; anything after it is an error of the reader.
///
/// # Errors
/// Returns an error if the beginning of the file cannot be read.
pub fn read<'r>(mut file: impl BufRead + 'r) -> io::Result<Box<dyn BufRead + 'r>> {
    if file.fill_buf()?.starts_with(&MAGIC) {
        let decoder = GzDecoder::new(Counter { file, bytes: 0 });
        return Ok(Box::new(BufReader::new(Decoder { decoder, bytes: 0, fault: None })));
    }
    Ok(Box::new(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_decompression_bombs_only() {
        for (piece, times, whole) in
            [(&b"\0"[..], 200 << 20, false), (b"0 1,2 3,4 5,6 7,8 9\n", 1 << 20, true)]
        {
            let mut packed = Vec::new();
            write(&mut packed, Compression::best(), |out| {
                let block = piece.repeat(1024);
                (0..times / 1024).try_for_each(|number| {
                    // A real text has new content in each of its parts.
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
    fn reads_a_part_of_an_endless_line() {
        let mut line = String::new();
        let read = next_line(&mut BufReader::new(io::repeat(b'a')), &mut line).expect("characters");
        assert_eq!((read as u64, line.len() as u64), (MAX_LINE, MAX_LINE));
    }

    /// Writer with space for the given number of bytes.
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
    fn rejects_bytes_after_the_compressed_text() {
        let mut whole = Vec::new();
        write(&mut whole, Compression::fast(), |out| out.write_all(b"a line\n")).expect("in memory");
        let unpacked = |bytes: &[u8]| {
            let mut text = String::new();
            read(bytes).and_then(|mut packed| packed.read_to_string(&mut text)).map(|_| text)
        };
        assert_eq!(unpacked(&whole).expect("as it was written"), "a line\n");
        for rest in [&whole[..], b"\0", b"a line\n"] {
            let fault = unpacked(&[&whole[..], rest].concat()).expect_err("data after the end");
            assert!(fault.to_string().contains("follows the end"), "{fault}");
        }
        let sum = whole.len() - 8;
        whole[sum] ^= 1;
        assert!(unpacked(&whole).is_err(), "another checksum");
    }

    #[test]
    fn reports_a_full_disk_at_any_byte() {
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
