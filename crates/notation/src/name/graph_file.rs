//! Parser of graphs in the formats of other programs; [`super::file`] describes the formats.

use super::lines::{Fault, HEADER, Numbered, fault};
use super::reading::{FirstLine, Reading};
use crate::counted::counted;

/// Graph with the vertex numbers of its file.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::BoardContent;
/// use ndqueens_notation::name::file::{BoardFile, Reading};
///
/// let (reading, path) = Reading::split("file:path.col").expect("the name of a file");
/// let file = BoardFile::new(path, "p edge 3 2\ne 1 2\ne 2 3\n".to_owned(), reading)?;
/// let BoardContent::Graph(graph) = file.content() else { panic!("a graph") };
/// assert_eq!((graph.labels, graph.edges), (vec![1, 2, 3], vec![(0, 1), (1, 2)]));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledGraph {
    /// The numbers of the vertices in the file, in increasing order.
    pub labels: Vec<u32>,
    /// The edges as pairs of indices into `labels`, smaller index first, without repetitions, in increasing
    /// order.
    pub edges: Vec<(u32, u32)>,
    /// `true` if `edges` are those of the complement of the graph in the file.
    pub complemented: bool,
    /// Notes on the file for the user, without its path.
    pub notes: Vec<String>,
}

/// Largest number of vertices of a graph.
const MAX_VERTICES: u32 = 1 << 24;

/// Largest number of edges of the complement of a graph.
const MAX_COMPLEMENT: u64 = 1 << 26;

/// Sentence that `ndq model` writes into the complement of a board's graph.
const COMPLEMENT: &str = "an edge joins squares that do not attack each other: cliques are independent sets";

/// Problem names on a `p` line with edges `e i j`.
const WITH_E: [&str; 3] = ["edge", "edges", "col"];

/// Problem names on a `p` line with edges `i j`, as in the PACE challenges.
const WITHOUT_E: [&str; 4] = ["td", "tw", "vc", "ds"];

/// Parses a graph.
pub(super) fn parse_graph(text: &str, reading: Reading) -> Result<LabelledGraph, Fault> {
    reject_lone_carriage_returns(text)?;
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let is_remark =
        |line: &str| line.trim_start().starts_with(['#', '%']) || line.split_whitespace().next() == Some("c");
    let mut first = lines.next();
    let is_matrix = |line: &str| line.trim_start().to_ascii_lowercase().starts_with("%%matrixmarket");
    if let Some(head) = first.filter(|(_, line)| is_matrix(line)) {
        let rest = lines.filter(|(_, line)| !line.trim_start().starts_with('%'));
        reject_first_line_prefix(head, reading)?;
        return parse_matrix_market(head, rest, reading);
    }
    let mut remarks = Vec::new();
    while let Some((_, line)) = first.filter(|(_, line)| is_remark(line)) {
        remarks.extend(line.split_whitespace().skip(1));
        first = lines.next();
    }
    let forms = format!(
        "a board file begins with \"{HEADER}\", or with \"p edge N M\" or an edge \"i j\" if it is a graph"
    );
    let Some(first) = first else { return fault(1, 1, format!("the file holds no board; {forms}")) };
    let lines = lines.filter(|(_, line)| !is_remark(line));
    let marked = remarks.join(" ").contains(COMPLEMENT);
    let word = split_words(first)[0];
    match word.text {
        "p" => {
            reject_first_line_prefix(first, reading)?;
            parse_dimacs(first, lines, reading, marked)
        }
        "n" => {
            reject_first_line_prefix(first, reading)?;
            parse_zero_based(first, lines, reading)
        }
        text if text.starts_with(|c: char| c.is_ascii_digit()) => parse_edge_list(first, lines, reading),
        text => word.fault(format!("unexpected \"{text}\"; {forms}")),
    }
}

/// Returns an error if a line contains a carriage return before its end, because the rest would be read as
/// part of the line.
fn reject_lone_carriage_returns(text: &str) -> Result<(), Fault> {
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if let Some(column) = line.chars().position(|c| c == '\r') {
            return fault(number, column + 1, "a carriage return inside a line; lines end with a line feed");
        }
    }
    Ok(())
}

/// Returns an error if the name specifies `edges:` or `header:`. These apply only to lists of edges without a
/// marked first line.
fn reject_first_line_prefix(first: Numbered<'_>, reading: Reading) -> Result<(), Fault> {
    let prefix = match reading.first_line {
        FirstLine::Unmarked => return Ok(()),
        FirstLine::Edge => "edges:",
        FirstLine::Header => "header:",
    };
    let message = format!(
        "{prefix} says what the first line \"N M\" of a list of edges means; this file has none, so its name is file:PATH"
    );
    fault(first.0, 1, message)
}

/// Returns the note on a number after those of the vertices and edges, which is not used.
fn describe_third_number(third: Word<'_>) -> Result<String, Fault> {
    if !third.text.parse::<f64>().is_ok_and(f64::is_finite) {
        return third.fault(format!("the line should be \"p edge N M\"; unexpected \"{}\"", third.text));
    }
    Ok(format!("line {}: the third number of the p line, {}, is not used", third.line, third.text))
}

/// Parses a graph in DIMACS format, or in the format of the PACE challenges. `marked` is `true` if the
/// comments contain [`COMPLEMENT`].
fn parse_dimacs<'t>(
    head: Numbered<'t>,
    lines: impl Iterator<Item = Numbered<'t>>,
    reading: Reading,
    marked: bool,
) -> Result<LabelledGraph, Fault> {
    let head = split_words(head);
    let (kind, vertices, count, third) = match head[..] {
        [_, kind, vertices, count] => (kind, vertices, count, None),
        [_, kind, vertices, count, third] => (kind, vertices, count, Some(third)),
        _ => return fault(head[0].line, 1, "the line should be \"p edge N M\""),
    };
    let with_e = WITH_E.contains(&kind.text);
    if !with_e && !WITHOUT_E.contains(&kind.text) {
        return kind.fault(format!(
            "the problem should be edge or col, or td, tw, vc or ds as in the PACE challenges, not \"{}\"",
            kind.text
        ));
    }
    let n = vertices.number("the number of vertices", 1, MAX_VERTICES)?;
    let m = count.number("the number of edges", 0, u32::MAX)?;
    let mut graph = EdgeCollector::new(Some(m));
    if let Some(third) = third {
        graph.notes.push(describe_third_number(third)?);
    }
    let mut described = false;
    for line in lines {
        let line = split_words(line);
        match (line[0].text, &line[..]) {
            ("e", &[_, a, b]) if with_e => graph.add(a, b, 1, n)?,
            ("e", &[_, _, _, weight, ..]) if with_e => {
                return weight.fault("an edge is \"e i j\"; edges with weights are not read");
            }
            ("n", &[_, vertex, weight]) => {
                vertex.number("a vertex", 1, n)?;
                if weight.text != "1" {
                    return weight.fault(format!(
                        "vertex {} has the weight {}; every vertex counts 1 here, so weights other than 1 are refused",
                        vertex.text, weight.text
                    ));
                }
            }
            ("d" | "v" | "x", _) => described = true,
            (_, &[a, b]) if !with_e => graph.add(a, b, 1, n)?,
            (_, [e, _, _]) if with_e => {
                return e.fault(format!("an edge is \"e i j\"; unexpected \"{}\"", e.text));
            }
            (_, _) if with_e => return line[0].fault("an edge is \"e i j\""),
            (_, _) => return line[0].fault(format!("an edge is \"i j\" after \"p {}\"", kind.text)),
        }
    }
    if described {
        graph.notes.push(
            "lines that begin with d, v or x describe how the graph was made and are not used".to_owned(),
        );
    }
    graph.finish((1..=n).collect(), reading, marked)
}

/// Parses a symmetric pattern in Matrix Market format.
fn parse_matrix_market<'t>(
    head: Numbered<'t>,
    mut lines: impl Iterator<Item = Numbered<'t>>,
    reading: Reading,
) -> Result<LabelledGraph, Fault> {
    const FORM: &str = "%%matrixmarket matrix coordinate pattern symmetric";
    let form =
        split_words(head).iter().map(|word| word.text.to_ascii_lowercase()).collect::<Vec<_>>().join(" ");
    if form != FORM {
        let message = "of Matrix Market files, \"%%MatrixMarket matrix coordinate pattern symmetric\" is read as a graph";
        return fault(head.0, 1, message);
    }
    let Some(size) = lines.next() else { return fault(head.0 + 1, 1, "the line \"N N M\" is missing") };
    let [rows, columns, count] = split_words(size)[..] else {
        return fault(size.0, 1, "the line should be \"N N M\"");
    };
    let n = rows.number("the number of rows", 1, MAX_VERTICES)?;
    columns.number("the number of columns of a symmetric matrix", n, n)?;
    let mut graph = EdgeCollector::new(Some(count.number("the number of entries", 0, u32::MAX)?));
    for line in lines {
        let [a, b] = split_words(line)[..] else {
            return fault(line.0, 1, "an entry of a pattern is \"i j\"");
        };
        graph.add(a, b, 1, n)?;
    }
    graph.finish((1..=n).collect(), reading, false)
}

/// Parses a list of edges after the line `n N`. Its vertices are 0 to N-1.
fn parse_zero_based<'t>(
    head: Numbered<'t>,
    lines: impl Iterator<Item = Numbered<'t>>,
    reading: Reading,
) -> Result<LabelledGraph, Fault> {
    let [_, n] = split_words(head)[..] else { return fault(head.0, 1, "the line should be \"n N\"") };
    let n = n.number("the number of vertices", 1, MAX_VERTICES)?;
    let mut graph = EdgeCollector::new(None);
    for line in lines {
        let [a, b] = parse_edge(line)?;
        graph.add(a, b, 0, n - 1)?;
    }
    graph.finish((0..n).collect(), reading, false)
}

/// Parses a list of edges. Its vertices are the ends of the edges, or are given by a header.
fn parse_edge_list<'t>(
    first: Numbered<'t>,
    lines: impl Iterator<Item = Numbered<'t>>,
    reading: Reading,
) -> Result<LabelledGraph, Fault> {
    let mut graph = EdgeCollector::new(None);
    let [a, b] = parse_edge(first)?;
    let [head, count] = [a.label()?, b.label()?];
    for line in lines {
        let [a, b] = parse_edge(line)?;
        graph.add(a, b, 0, u32::MAX)?;
    }
    let used = graph.used_labels();
    match reading.first_line {
        FirstLine::Header => {
            let n = a.number("the number of vertices", 1, MAX_VERTICES)?;
            graph.announced = Some(count);
            let labels = header_labels(a, n, used)?;
            graph.finish(labels, reading, false)
        }
        FirstLine::Unmarked if head == count || graph.may_be_header(head, count, &used) => {
            let message = format!(
                "the first line \"{head} {count}\" may be an edge or a header of {} and {}; \
                 name the board edges:PATH if it is an edge, header:PATH if it is a header",
                counted(head, "vertex"),
                counted(count, "edge")
            );
            a.fault(message)
        }
        FirstLine::Unmarked | FirstLine::Edge => {
            graph.add(a, b, 0, u32::MAX)?;
            let labels = graph.used_labels();
            if labels.len() > MAX_VERTICES as usize {
                return a.fault(format!("the graph has more than {MAX_VERTICES} vertices"));
            }
            graph.finish(labels, reading, false)
        }
    }
}

/// Returns the labels of the `n` vertices that a header declares. `used` are the labels of vertices with
/// edges.
fn header_labels(head: Word<'_>, n: u32, used: Vec<u32>) -> Result<Vec<u32>, Fault> {
    let found = used.len();
    if found == n as usize {
        return Ok(used);
    }
    if found > n as usize {
        return head
            .fault(format!("the header declares {}, but the edges have {found}", counted(n, "vertex")));
    }
    let (from_0, from_1) = fits_ranges(n, &used);
    match (from_0, from_1) {
        (true, false) => Ok((0..n).collect()),
        (false, true) => Ok((1..=n).collect()),
        (true, true) => head.fault(format!(
            "the edges have {found} of the {}, which may be 0 to {} or 1 to {n}; \
             write \"n {n}\" instead of the header if they begin with 0, or use the form \"p edge N M\", in which they begin with 1",
            counted(n, "vertex"),
            n - 1
        )),
        (false, false) => head.fault(format!(
            "the edges have {found} of the {}, and their numbers are neither within 0 to {} nor within 1 to {n}, \
             so the other vertices have no numbers",
            counted(n, "vertex"),
            n - 1
        )),
    }
}

/// Returns two flags for increasing `labels`: `true` if all are in `0..n`, and `true` if all are in `1..=n`.
fn fits_ranges(n: u32, labels: &[u32]) -> (bool, bool) {
    let (least, most) = (labels.first(), labels.last());
    (
        most.is_none_or(|&most| most < n),
        least.is_none_or(|&least| least >= 1) && most.is_none_or(|&most| most <= n),
    )
}

/// Parses an edge of a list of edges into its two words.
fn parse_edge(line: Numbered<'_>) -> Result<[Word<'_>; 2], Fault> {
    let words = split_cells(line);
    match words[..] {
        [a, b] => Ok([a, b]),
        // networkx appends the attributes of an edge, here an empty dictionary.
        [a, b, data] if data.text == "{}" => Ok([a, b]),
        [_] => fault(line.0, 1, "an edge is \"i j\"; the line has one word"),
        _ => fault(
            line.0,
            1,
            format!(
                "an edge is \"i j\", but the line has {} words; weights and lists of neighbours are not read",
                words.len()
            ),
        ),
    }
}

/// Collector of the edges of a file, as pairs of labels.
struct EdgeCollector {
    /// The edges, smaller label first, in the order of the file, with repetitions.
    edges: Vec<(u32, u32)>,
    /// The number of edges that the file announces.
    announced: Option<u32>,
    notes: Vec<String>,
}

impl EdgeCollector {
    fn new(announced: Option<u32>) -> Self {
        Self { edges: Vec::new(), announced, notes: Vec::new() }
    }

    /// Adds the edge between `a` and `b`, whose labels must lie between `least` and `most`.
    fn add(&mut self, a: Word<'_>, b: Word<'_>, least: u32, most: u32) -> Result<(), Fault> {
        let (u, v) = (a.number("a vertex", least, most)?, b.number("a vertex", least, most)?);
        if u == v {
            return a.fault("an edge joins two different vertices");
        }
        self.edges.push((u.min(v), u.max(v)));
        Ok(())
    }

    /// Returns the labels of the vertices with edges, in increasing order.
    fn used_labels(&self) -> Vec<u32> {
        let mut labels: Vec<u32> = self.edges.iter().flat_map(|&(a, b)| [a, b]).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// Returns `true` if a first line `n m` before these edges may be a header that declares `n` vertices and
    /// `m` edges.
    fn may_be_header(&self, n: u32, m: u32, used: &[u32]) -> bool {
        let mut distinct = self.edges.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let (n, m) = (u64::from(n), u64::from(m));
        let (lines, distinct) = (self.edges.len() as u64, distinct.len() as u64);
        if n == 0 || (used.len() as u64) > n {
            return false;
        }
        let (from_0, from_1) = fits_ranges(u32::try_from(n).unwrap_or(u32::MAX), used);
        // A number that differs from the number of edges may be a wrong count of edges, unless it is the label of
        // a vertex and some of the `n` vertices have no edges.
        let is_count = || {
            let is_vertex = u32::try_from(m).is_ok_and(|m| used.binary_search(&m).is_ok());
            let is_plausible = !is_vertex && 2 * m >= lines || used.len() as u64 == n;
            lines > 0 && is_plausible && m <= n * (n - 1)
        };
        [lines, distinct, 2 * distinct].contains(&m) || ((from_0 || from_1) && is_count())
    }

    /// Builds the graph with the vertices `labels`, or its complement if `marked` or if `reading` specifies
    /// it.
    fn finish(mut self, labels: Vec<u32>, reading: Reading, marked: bool) -> Result<LabelledGraph, Fault> {
        let lines = self.edges.len();
        self.edges.sort_unstable();
        self.edges.dedup();
        let place = |label: u32| {
            let place = labels.binary_search(&label).expect("edges join vertices of the graph");
            u32::try_from(place).expect("at most 2^24 vertices")
        };
        let mut edges: Vec<(u32, u32)> = self.edges.iter().map(|&(a, b)| (place(a), place(b))).collect();
        let found = edges.len();
        let is_count_right = self.announced.is_none_or(|m| m as usize == found);
        let announced = self
            .announced
            .map_or_else(String::new, |m| format!("; {m} {} announced", if m == 1 { "is" } else { "are" }));
        if lines > found {
            self.notes.push(format!(
                "{lines} lines hold {}, because edges are repeated or reversed{announced}",
                counted(found, "different edge")
            ));
        } else if !is_count_right {
            let follow = if lines == 1 { "follows" } else { "follow" };
            self.notes.push(format!("{} {follow}{announced}", counted(lines, "edge")));
        }
        if marked {
            self.notes.push(
                "its remarks say that its edges join squares that do not attack each other, so its cliques are the \
                 independent sets of the board"
                    .to_owned(),
            );
        }
        let complemented = marked || reading.complement;
        if complemented {
            edges = complement(labels.len(), &edges)?;
        }
        Ok(LabelledGraph { labels, edges, complemented, notes: self.notes })
    }
}

/// Returns the edges of the complement of a graph with `vertices` vertices and the increasing `edges`.
fn complement(vertices: usize, edges: &[(u32, u32)]) -> Result<Vec<(u32, u32)>, Fault> {
    let n = vertices as u64;
    let number = n * (n - 1) / 2 - edges.len() as u64;
    if number > MAX_COMPLEMENT {
        let message = format!("the complement of the graph has {number} edges; {MAX_COMPLEMENT} are allowed");
        return fault(1, 1, message);
    }
    let mut edges = edges.iter().peekable();
    let vertices = u32::try_from(vertices).expect("at most 2^24 vertices");
    let pairs = (0..vertices).flat_map(|a| (a + 1..vertices).map(move |b| (a, b)));
    Ok(pairs.filter(|pair| edges.next_if_eq(&pair).is_none()).collect())
}

/// Word of a line, with its position.
#[derive(Debug, Clone, Copy)]
struct Word<'t> {
    line: usize,
    column: usize,
    text: &'t str,
}

impl Word<'_> {
    /// Returns an error at the position of the word.
    fn fault<T>(self, message: impl Into<String>) -> Result<T, Fault> {
        fault(self.line, self.column, message)
    }

    /// Parses a decimal number from `least` to `most` without leading zeros.
    fn number(self, what: &str, least: u32, most: u32) -> Result<u32, Fault> {
        let digits = self.text.bytes().all(|digit| digit.is_ascii_digit());
        let plain = digits && (self.text == "0" || !self.text.starts_with('0'));
        match self.text.parse() {
            Ok(number) if plain && (least..=most).contains(&number) => Ok(number),
            _ if least == most => self.fault(format!("{what} must be {least}, not \"{}\"", self.text)),
            _ => {
                self.fault(format!("{what} must be an integer from {least} to {most}, not \"{}\"", self.text))
            }
        }
    }

    /// Parses the label of a vertex.
    fn label(self) -> Result<u32, Fault> {
        self.number("a vertex", 0, u32::MAX)
    }
}

/// Splits a line into words.
fn split_words<'t>((line, text): Numbered<'t>) -> Vec<Word<'t>> {
    text.split_whitespace().map(|word| Word { line, column: column(text, word), text: word }).collect()
}

/// Splits a line at commas, else at semicolons, else at white space.
fn split_cells<'t>((line, text): Numbered<'t>) -> Vec<Word<'t>> {
    match [',', ';'].into_iter().find(|&sign| text.contains(sign)) {
        Some(sign) => {
            let cell = |cell: &'t str| Word { line, column: column(text, cell.trim()), text: cell.trim() };
            text.split(sign).map(cell).collect()
        }
        None => split_words((line, text)),
    }
}

/// Returns the column, counted from 1, of `part`, a substring of `line`.
fn column(line: &str, part: &str) -> usize {
    line[..part.as_ptr() as usize - line.as_ptr() as usize].chars().count() + 1
}
