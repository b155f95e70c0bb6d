//! Reads graphs in the forms that other programs write; [`super::file`] describes the forms.

use super::lines::{Fault, HEADER, Numbered, fault};
use super::reading::{FirstLine, Reading};

/// A graph whose vertices have the numbers that its file gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledGraph {
    /// The numbers of the vertices, increasing.
    pub labels: Vec<u32>,
    /// The edges as places in `labels`, smaller place first, each once, in increasing order.
    pub edges: Vec<(u32, u32)>,
    /// Whether the edges are those that the file does not have.
    pub complemented: bool,
    /// What a user should know about the file, without its path.
    pub notes: Vec<String>,
}

/// The largest number of vertices that a graph may have.
const MAX_VERTICES: u32 = 1 << 24;

/// The largest number of edges that the complement of a graph may have.
const MAX_COMPLEMENT: u64 = 1 << 26;

/// The sentence by which `ndq model` marks the complement of a board's graph.
const COMPLEMENT: &str = "an edge joins squares that do not attack each other: cliques are independent sets";

/// The kinds of a `p` line whose edges are lines `e i j`.
const WITH_E: [&str; 3] = ["edge", "edges", "col"];

/// The kinds of a `p` line whose edges are lines `i j`, as in the PACE challenges.
const WITHOUT_E: [&str; 4] = ["td", "tw", "vc", "ds"];

/// Reads a graph.
pub(super) fn read(text: &str, reading: Reading) -> Result<LabelledGraph, Fault> {
    refuse_lone_carriage_returns(text)?;
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let is_remark =
        |line: &str| line.trim_start().starts_with(['#', '%']) || line.split_whitespace().next() == Some("c");
    let mut first = lines.next();
    let is_matrix = |line: &str| line.trim_start().to_ascii_lowercase().starts_with("%%matrixmarket");
    if let Some(head) = first.filter(|(_, line)| is_matrix(line)) {
        let rest = lines.filter(|(_, line)| !line.trim_start().starts_with('%'));
        expect_no_first_line(head, reading)?;
        return matrix_market(head, rest, reading);
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
    let word = words(first)[0];
    match word.text {
        "p" => {
            expect_no_first_line(first, reading)?;
            dimacs(first, lines, reading, marked)
        }
        "n" => {
            expect_no_first_line(first, reading)?;
            vertices_from_0(first, lines, reading)
        }
        text if text.starts_with(|c: char| c.is_ascii_digit()) => edge_list(first, lines, reading),
        text => word.fault(format!("unexpected \"{text}\"; {forms}")),
    }
}

/// Refuses a carriage return that does not end a line, since it would hide what follows it.
fn refuse_lone_carriage_returns(text: &str) -> Result<(), Fault> {
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if let Some(column) = line.chars().position(|c| c == '\r') {
            return fault(number, column + 1, "a carriage return inside a line; lines end with a line feed");
        }
    }
    Ok(())
}

/// Refuses `edges:` and `header:` for a file that is not a list of edges with an unmarked first line.
fn expect_no_first_line(first: Numbered<'_>, reading: Reading) -> Result<(), Fault> {
    let prefix = match reading.first_line {
        FirstLine::Unmarked => return Ok(()),
        FirstLine::Edge => "edges:",
        FirstLine::Header => "header:",
    };
    let words = format!(
        "{prefix} says what the first line \"N M\" of a list of edges means; this file has none, so its name is file:PATH"
    );
    fault(first.0, 1, words)
}

/// Reads a graph in DIMACS form, or in the form of the PACE challenges.
fn dimacs<'t>(
    head: Numbered<'t>,
    lines: impl Iterator<Item = Numbered<'t>>,
    reading: Reading,
    marked: bool,
) -> Result<LabelledGraph, Fault> {
    let head = words(head);
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
    let mut graph = Reader::new(Some(m));
    if let Some(third) = third {
        let number = third.text.parse::<f64>().is_ok_and(f64::is_finite);
        if !number {
            return third.fault(format!("the line should be \"p edge N M\"; unexpected \"{}\"", third.text));
        }
        graph.notes.push(format!(
            "line {}: the third number of the p line, {}, is not used",
            third.line, third.text
        ));
    }
    let mut described = false;
    for line in lines {
        let line = words(line);
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

/// Reads a symmetric pattern in Matrix Market form.
fn matrix_market<'t>(
    head: Numbered<'t>,
    mut lines: impl Iterator<Item = Numbered<'t>>,
    reading: Reading,
) -> Result<LabelledGraph, Fault> {
    const FORM: &str = "%%matrixmarket matrix coordinate pattern symmetric";
    let form = words(head).iter().map(|word| word.text.to_ascii_lowercase()).collect::<Vec<_>>().join(" ");
    if form != FORM {
        let words = "of Matrix Market files, \"%%MatrixMarket matrix coordinate pattern symmetric\" is read as a graph";
        return fault(head.0, 1, words);
    }
    let Some(size) = lines.next() else { return fault(head.0 + 1, 1, "the line \"N N M\" is missing") };
    let [rows, columns, count] = words(size)[..] else {
        return fault(size.0, 1, "the line should be \"N N M\"");
    };
    let n = rows.number("the number of rows", 1, MAX_VERTICES)?;
    columns.number("the number of columns of a symmetric matrix", n, n)?;
    let mut graph = Reader::new(Some(count.number("the number of entries", 0, u32::MAX)?));
    for line in lines {
        let [a, b] = words(line)[..] else { return fault(line.0, 1, "an entry of a pattern is \"i j\"") };
        graph.add(a, b, 1, n)?;
    }
    graph.finish((1..=n).collect(), reading, false)
}

/// Reads a list of edges after `n N`, whose vertices are 0 to N-1.
fn vertices_from_0<'t>(
    head: Numbered<'t>,
    lines: impl Iterator<Item = Numbered<'t>>,
    reading: Reading,
) -> Result<LabelledGraph, Fault> {
    let [_, n] = words(head)[..] else { return fault(head.0, 1, "the line should be \"n N\"") };
    let n = n.number("the number of vertices", 1, MAX_VERTICES)?;
    let mut graph = Reader::new(None);
    for line in lines {
        let [a, b] = pair(line)?;
        graph.add(a, b, 0, n - 1)?;
    }
    graph.finish((0..n).collect(), reading, false)
}

/// Reads a list of edges whose vertices are those that occur in it, or that its first line counts.
fn edge_list<'t>(
    first: Numbered<'t>,
    lines: impl Iterator<Item = Numbered<'t>>,
    reading: Reading,
) -> Result<LabelledGraph, Fault> {
    let mut graph = Reader::new(None);
    let [a, b] = pair(first)?;
    let [head, count] = [a.label()?, b.label()?];
    for line in lines {
        let [a, b] = pair(line)?;
        graph.add(a, b, 0, u32::MAX)?;
    }
    let occurring = graph.occurring();
    match reading.first_line {
        FirstLine::Header => {
            let n = a.number("the number of vertices", 1, MAX_VERTICES)?;
            graph.announced = Some(count);
            let labels = declared(a, n, occurring)?;
            graph.finish(labels, reading, false)
        }
        FirstLine::Unmarked if head == count || graph.may_be_header(head, count, &occurring) => {
            let words = format!(
                "the first line \"{head} {count}\" may be an edge or a header of {head} vertices and {count} edges; \
                 name the board edges:PATH if it is an edge, header:PATH if it is a header"
            );
            a.fault(words)
        }
        FirstLine::Unmarked | FirstLine::Edge => {
            graph.add(a, b, 0, u32::MAX)?;
            let labels = graph.occurring();
            if labels.len() > MAX_VERTICES as usize {
                return a.fault(format!("the graph has more than {MAX_VERTICES} vertices"));
            }
            graph.finish(labels, reading, false)
        }
    }
}

/// Returns the labels of `n` vertices, of which `occurring` have edges.
fn declared(head: Word<'_>, n: u32, occurring: Vec<u32>) -> Result<Vec<u32>, Fault> {
    let found = occurring.len();
    if found == n as usize {
        return Ok(occurring);
    }
    if found > n as usize {
        return head.fault(format!("the header declares {n} vertices, but the edges have {found}"));
    }
    let (from_0, from_1) = fits(n, &occurring);
    match (from_0, from_1) {
        (true, false) => Ok((0..n).collect()),
        (false, true) => Ok((1..=n).collect()),
        (true, true) => head.fault(format!(
            "the edges have {found} of the {n} vertices, which may be 0 to {} or 1 to {n}; \
             write \"n {n}\" instead of the header if they begin with 0, or use the form \"p edge N M\", in which they begin with 1",
            n - 1
        )),
        (false, false) => head.fault(format!(
            "the edges have {found} of the {n} vertices, and their numbers are neither within 0 to {} nor within 1 to {n}, \
             so the other vertices have no numbers",
            n - 1
        )),
    }
}

/// Returns whether increasing labels fit `0..n` and whether they fit `1..=n`.
fn fits(n: u32, labels: &[u32]) -> (bool, bool) {
    let (least, most) = (labels.first(), labels.last());
    (
        most.is_none_or(|&most| most < n),
        least.is_none_or(|&least| least >= 1) && most.is_none_or(|&most| most <= n),
    )
}

/// Returns the two words of an edge of a list.
fn pair(line: Numbered<'_>) -> Result<[Word<'_>; 2], Fault> {
    let words = cells(line);
    match words[..] {
        [a, b] => Ok([a, b]),
        // networkx writes the data of an edge, here none, after it.
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

/// Edges as a file gives them, by the labels of their ends.
struct Reader {
    /// The edges, smaller label first, as often as they stand in the file.
    edges: Vec<(u32, u32)>,
    /// The number of edges that the file announces.
    announced: Option<u32>,
    notes: Vec<String>,
}

impl Reader {
    fn new(announced: Option<u32>) -> Self {
        Self { edges: Vec::new(), announced, notes: Vec::new() }
    }

    fn add(&mut self, a: Word<'_>, b: Word<'_>, least: u32, most: u32) -> Result<(), Fault> {
        let (u, v) = (a.number("a vertex", least, most)?, b.number("a vertex", least, most)?);
        if u == v {
            return a.fault("an edge joins two different vertices");
        }
        self.edges.push((u.min(v), u.max(v)));
        Ok(())
    }

    /// Returns the labels that occur, in increasing order.
    fn occurring(&self) -> Vec<u32> {
        let mut labels: Vec<u32> = self.edges.iter().flat_map(|&(a, b)| [a, b]).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// Returns `true` if a first line `n m` before these edges may be a header of `n` vertices and `m` edges.
    fn may_be_header(&self, n: u32, m: u32, occurring: &[u32]) -> bool {
        let mut different = self.edges.clone();
        different.sort_unstable();
        different.dedup();
        let (n, m) = (u64::from(n), u64::from(m));
        let (lines, different) = (self.edges.len() as u64, different.len() as u64);
        if n == 0 || (occurring.len() as u64) > n {
            return false;
        }
        let (from_0, from_1) = fits(u32::try_from(n).unwrap_or(u32::MAX), occurring);
        // A wrong count of edges still looks like a count if the number is no vertex of another edge, or if all `n` vertices occur.
        let is_count = || {
            let is_vertex = u32::try_from(m).is_ok_and(|m| occurring.binary_search(&m).is_ok());
            let is_plausible = !is_vertex && 2 * m >= lines || occurring.len() as u64 == n;
            lines > 0 && is_plausible && m <= n * (n - 1)
        };
        [lines, different, 2 * different].contains(&m) || ((from_0 || from_1) && is_count())
    }

    /// Returns the graph with these vertices, or its complement.
    fn finish(mut self, labels: Vec<u32>, reading: Reading, marked: bool) -> Result<LabelledGraph, Fault> {
        let lines = self.edges.len();
        self.edges.sort_unstable();
        self.edges.dedup();
        let place =
            |label: u32| labels.binary_search(&label).expect("edges join vertices of the graph") as u32;
        let mut edges: Vec<(u32, u32)> = self.edges.iter().map(|&(a, b)| (place(a), place(b))).collect();
        let found = edges.len();
        let counts = self.announced.is_none_or(|m| m as usize == found);
        let announced = self.announced.map_or_else(String::new, |m| format!("; {m} are announced"));
        if lines > found {
            self.notes.push(format!(
                "{lines} lines hold {found} different edges, because edges are repeated or reversed{announced}"
            ));
        } else if !counts {
            self.notes.push(format!("{lines} edges follow{announced}"));
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

/// Returns the pairs of `vertices` places that are not among increasing `edges`.
fn complement(vertices: usize, edges: &[(u32, u32)]) -> Result<Vec<(u32, u32)>, Fault> {
    let n = vertices as u64;
    let number = n * (n - 1) / 2 - edges.len() as u64;
    if number > MAX_COMPLEMENT {
        let words = format!("the complement of the graph has {number} edges; {MAX_COMPLEMENT} are allowed");
        return fault(1, 1, words);
    }
    let mut edges = edges.iter().peekable();
    let pairs = (0..vertices as u32).flat_map(|a| (a + 1..vertices as u32).map(move |b| (a, b)));
    Ok(pairs.filter(|pair| edges.next_if_eq(&pair).is_none()).collect())
}

/// A word and its place.
#[derive(Debug, Clone, Copy)]
struct Word<'t> {
    line: usize,
    column: usize,
    text: &'t str,
}

impl Word<'_> {
    fn fault<T>(self, words: impl Into<String>) -> Result<T, Fault> {
        fault(self.line, self.column, words)
    }

    /// Returns a number from `least` to `most`, written in one way: digits, the first of which is 0 for 0 only.
    fn number(self, what: &str, least: u32, most: u32) -> Result<u32, Fault> {
        let digits = self.text.bytes().all(|digit| digit.is_ascii_digit());
        let plain = digits && (self.text == "0" || !self.text.starts_with('0'));
        match self.text.parse() {
            Ok(number) if plain && (least..=most).contains(&number) => Ok(number),
            _ => {
                self.fault(format!("{what} must be an integer from {least} to {most}, not \"{}\"", self.text))
            }
        }
    }

    fn label(self) -> Result<u32, Fault> {
        self.number("a vertex", 0, u32::MAX)
    }
}

/// Returns the words of a line.
fn words<'t>((line, text): Numbered<'t>) -> Vec<Word<'t>> {
    text.split_whitespace().map(|word| Word { line, column: column(text, word), text: word }).collect()
}

/// Returns the words of a line that commas, semicolons or white space separate.
fn cells<'t>((line, text): Numbered<'t>) -> Vec<Word<'t>> {
    match [',', ';'].into_iter().find(|&sign| text.contains(sign)) {
        Some(sign) => {
            let cell = |cell: &'t str| Word { line, column: column(text, cell.trim()), text: cell.trim() };
            text.split(sign).map(cell).collect()
        }
        None => words((line, text)),
    }
}

/// Returns the column of a part of a line, counted from 1.
fn column(line: &str, part: &str) -> usize {
    line[..part.as_ptr() as usize - line.as_ptr() as usize].chars().count() + 1
}
