//! Formats of puzzle files: random puzzles from independent writers are read back, and mutated files are
//! rejected or read as a second, independent parser reads them.

use ndqueens_sudoku::puzzle::Puzzle;
use ndqueens_sudoku::reader::{Conventions, Symbols, read, read_with};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

const SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// Number of mutated files of each format.
const MUTATED: usize = 10_000;

/// Characters that mutations insert.
const SIGNS: &[u8] = b"0159.-+xA,;:|\"'[]{}<#/ \n\t$*=?_";

/// A puzzle and its solution, both with `.` for empty cells.
type Pair = (String, String);
/// Function that writes a puzzle and its solution in a format.
type Writer = fn(&Pair) -> String;

fn random_pair(random: &mut ChaCha8Rng) -> Pair {
    let mut numbers: Vec<char> = ('1'..='9').collect();
    numbers.shuffle(random);
    let solution: String =
        SOLVED.chars().map(|c| numbers[c.to_digit(10).map_or(0, |digit| digit as usize - 1)]).collect();
    let share = random.random_range(0.2..0.6);
    let puzzle = solution.chars().map(|c| if random.random_bool(share) { c } else { '.' }).collect();
    (puzzle, solution)
}

fn rows(cells: &str) -> Vec<&str> {
    (0..9).map(|row| &cells[9 * row..9 * row + 9]).collect()
}

fn framed(cells: &str, begin: &str, bar: &str, top: &str, middle: &str, bottom: &str) -> String {
    let mut text = format!("{top}\n");
    for (at, row) in rows(cells).iter().enumerate() {
        if at == 3 || at == 6 {
            text += &format!("{middle}\n");
        }
        let spaced: Vec<String> = row
            .as_bytes()
            .chunks(3)
            .map(|part| part.iter().map(|&c| format!("{} ", c as char)).collect())
            .collect();
        text += &format!("{begin} {}{}\n", spaced.join(&format!("{bar} ")), begin);
    }
    text + bottom + "\n"
}

/// Writers of the formats, by name.
fn writers() -> Vec<(&'static str, Writer)> {
    vec![
        ("line", |(p, _)| format!("{p}\n")),
        ("zeros", |(p, _)| format!("{}\r\n", p.replace('.', "0"))),
        ("dashes", |(p, _)| format!("{}\n", p.replace('.', "-"))),
        ("questions", |(p, _)| p.replace('.', "?")),
        ("crosses", |(p, _)| p.replace('.', "X")),
        ("grid", |(p, _)| rows(p).join("\n") + "\n"),
        ("dashed grid", |(p, _)| rows(p).join("\n").replace('.', "-") + "\n"),
        ("bands", |(p, _)| {
            rows(p).chunks(3).map(|band| band.join("\n") + "\n").collect::<Vec<_>>().join("\n")
        }),
        ("heading", |(p, _)| format!("Grid 01\n{}\n", rows(p).join("\n").replace('.', "0"))),
        ("corners", |(p, _)| {
            let rule = |a: &str, b: &str| format!("{a}-------{b}-------{b}-------{a}");
            framed(p, "|", "|", &rule(".", "."), &rule(":", "+"), &rule("'", "'"))
        }),
        ("box drawing", |(p, _)| {
            framed(
                p,
                "│",
                "│",
                "┌───────┬───────┬───────┐",
                "├───────┼───────┼───────┤",
                "└───────┴───────┴───────┘",
            )
        }),
        ("simple sudoku", |(p, _)| {
            let mut text = " *-----------*\n".to_owned();
            for (at, row) in rows(p).iter().enumerate() {
                if at == 3 || at == 6 {
                    text += " |---+---+---|\n";
                }
                text += &format!(" |{}|{}|{}|\n", &row[..3], &row[3..6], &row[6..]);
            }
            text + " *-----------*\n"
        }),
        ("sadman", |(p, s)| {
            let marks = ",12,,,,3,,,\n".repeat(9);
            format!(
                "#A somebody\n[Puzzle]\n{}\n[State]\n{}\n[PencilMarks]\n{marks}",
                rows(p).join("\n"),
                rows(s).join("\n")
            )
        }),
        ("hodoku", |(p, _)| format!(":0100:1:{p}:123 456:789::remark\n")),
        ("open sudoku", |(p, _)| {
            let data = p.replace('.', "0");
            format!(
                "<?xml version=\"1.0\"?>\n<opensudoku>\n<name>n</name>\n<game data=\"{data}\" />\n</opensudoku>\n"
            )
        }),
        ("matrix", |(p, _)| {
            let row = |row: &&str| {
                format!("{:?}", row.chars().map(|c| c.to_digit(10).unwrap_or(0)).collect::<Vec<_>>())
            };
            format!("[{}]\n", rows(p).iter().map(row).collect::<Vec<_>>().join(",\n "))
        }),
        ("strings", |(p, _)| format!("{:?}\n", rows(p))),
        ("object", |(p, s)| format!("{{\"puzzle\": \"{p}\", \"solution\": \"{s}\", \"rating\": 1.2}}\n")),
        ("table", |(p, s)| format!("puzzle,solution\n{p},{s}\n")),
        ("turned table", |(p, s)| format!("id;solution;puzzle\n7;{s};{p}\n")),
        ("quoted", |(p, s)| format!("\"quizzes\",\"solutions\"\n\"{p}\",\"{s}\"\n")),
        ("hash", |(p, _)| format!("0000183b305c {p} 7.1\n")),
        ("semicolons", |(p, s)| format!("{p};{s};easy\n")),
        ("tabs", |(p, s)| format!("{p}\t{s}\n")),
        ("fields", |(p, _)| {
            let row =
                |row: &&str| row.replace('.', " ").chars().map(String::from).collect::<Vec<_>>().join(",");
            rows(p).iter().map(row).collect::<Vec<_>>().join("\n").replace(' ', "")
        }),
    ]
}

fn line_of(puzzle: &Puzzle) -> String {
    Puzzle::format_line(&puzzle.cells)
}

#[test]
fn reads_back_every_format() {
    let mut random = ChaCha8Rng::seed_from_u64(56);
    for (name, write) in writers() {
        for _ in 0..300 {
            let pair = random_pair(&mut random);
            let text = write(&pair);
            for text in
                [text.clone(), text.replace('\n', "\r\n").replace("\r\r", "\r"), format!("\u{feff}{text}")]
            {
                let found = read(&text).unwrap_or_else(|fault| panic!("{name}: {fault}\n{text}"));
                assert_eq!(found.len(), 1, "{name}\n{text}");
                assert_eq!(line_of(&found[0]), pair.0, "{name}\n{text}");
                let stated = Puzzle::format_line(&found[0].expected);
                let is_stated = ["sadman", "object", "table", "turned table", "quoted", "semicolons", "tabs"]
                    .contains(&name);
                if is_stated {
                    assert_eq!(stated, pair.1, "{name}");
                }
            }
        }
    }
}

/// Parses a mutated file without the reader under test: the runs of signs that may be cells, without frames,
/// headers and remarks.
///
/// The parser uses the format and the length of each part.
fn parse(name: &str, text: &str) -> Option<Vec<String>> {
    let cell = |c: char| match c {
        '1'..='9' => Some(c),
        '.' | '0' | '-' | '?' | '*' | '_' | 'x' | 'X' => Some('.'),
        _ => None,
    };
    let line = |word: &str| word.chars().map(cell).collect::<Option<String>>();
    let whole = |word: &str| line(word).filter(|line| line.len() == 81);
    let squeeze =
        |row: &str| row.chars().filter(|&c| !matches!(c, ' ' | '\t' | '|' | '│')).collect::<String>();
    let regular = |row: &str| {
        let all_equal = |mut numbers: Vec<usize>| {
            numbers.dedup();
            numbers.len() <= 1
        };
        let lengths = |part: &str| part.split_whitespace().map(str::len).collect::<Vec<_>>();
        let parts: Vec<Vec<usize>> =
            row.split(['|', '│']).map(lengths).filter(|part| !part.is_empty()).collect();
        all_equal(parts.iter().map(|part| part.iter().sum()).collect()) && parts.into_iter().all(all_equal)
    };
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let join = |rows: &[&str]| {
        if !rows.iter().all(|row| regular(row)) {
            return None;
        }
        let rows = rows.iter().map(|row| squeeze(row)).filter(|row| !row.is_empty());
        let rows: Option<Vec<String>> = rows.map(|row| line(&row).filter(|row| row.len() == 9)).collect();
        rows.map(|rows| rows.concat()).and_then(|all| whole(&all)).map(|all| vec![all])
    };
    match name {
        "line" | "zeros" | "dashes" | "questions" | "crosses" | "grid" | "dashed grid" | "bands" => {
            let is_rule =
                |line: &str| !name.contains("dashe") && line.chars().all(|c| matches!(c, '-' | '+' | '='));
            let rows = lines.iter().filter(|line| !is_rule(line));
            let all: Option<String> = rows.map(|row| regular(row).then(|| squeeze(row))).collect();
            // An id may precede a puzzle, and a separator may follow it.
            let word =
                || lines.iter().flat_map(|line| line.split([' ', '\t', ':', ';', ',', '|'])).find_map(whole);
            all.and_then(|all| whole(&all)).or_else(word).map(|all| vec![all])
        }
        "heading" => join(lines.get(1..)?),
        "corners" | "box drawing" | "simple sudoku" => {
            // No cell of these formats is written -.
            let is_rule = |line: &&&str| {
                let is_edge = |c: char| ('─'..='╿').contains(&c) && c != '│';
                let is_drawn = |c: char| matches!(c, '-' | '+' | '*' | ':' | '\'');
                let has_edge = line.contains("--") || line.contains(is_edge);
                let has_number = line.contains(|c: char| c.is_ascii_alphanumeric());
                has_edge && !has_number || squeeze(line).chars().all(is_drawn)
            };
            let rows: Vec<&str> = lines.iter().filter(|line| !is_rule(line)).copied().collect();
            join(&rows)
        }
        "sadman" => {
            // A line break that is lost makes the title part of the comment.
            let from =
                lines.iter().position(|line| line.trim_start_matches(';').eq_ignore_ascii_case("[puzzle]"));
            let from = from.map_or(0, |from| from + 1);
            join(lines.get(from..from + 9)?)
        }
        "hodoku" => {
            let parts: Vec<&str> = lines.first()?.split(':').collect();
            let grid = parts.iter().find(|part| part.replace('+', "").len() >= 81)?;
            let mut cells = String::new();
            let mut signs = grid.chars();
            while let Some(c) = signs.next() {
                if c == '+' {
                    signs.next()?;
                    cells.push('.');
                } else {
                    cells.push(c);
                }
            }
            whole(&cells).map(|all| vec![all])
        }
        "open sudoku" | "object" => {
            let quoted: Vec<&str> = text.split(['"', '\'']).collect();
            let key = if name == "object" { "puzzle" } else { "data" };
            let at = quoted.iter().position(|part| part.to_ascii_lowercase().contains(key))?;
            let grid = |part: &&str| match name {
                "object" if !regular(part) => None,
                "object" => whole(&squeeze(part)),
                _ => whole(part),
            };
            quoted[at..].iter().find_map(grid).map(|all| vec![all])
        }
        "matrix" => {
            let inner = text.replace(['[', ']', '\n', '\r', '\t', ' ', '"'], "");
            let cells: Option<String> = inner
                .split(',')
                .map(|c| {
                    if c.is_empty() {
                        Some('.')
                    } else if c.len() == 1 {
                        c.chars().next().and_then(cell)
                    } else {
                        c.parse::<u32>()
                            .ok()
                            .filter(|&v| v <= 9)
                            .and_then(|v| char::from_digit(v, 10))
                            .and_then(cell)
                    }
                })
                .collect();
            whole(&cells?).map(|all| vec![all])
        }
        "strings" => {
            if !text.split('"').skip(1).step_by(2).all(regular) {
                return None;
            }
            let all: String = text
                .chars()
                .filter(|&c| !matches!(c, '[' | ']' | '"' | ',' | ' ' | '\t' | '\n' | '\r' | '|'))
                .collect();
            whole(&all).map(|all| vec![all])
        }
        "table" | "turned table" | "quoted" => {
            // A line break that is lost makes the header part of the record.
            if let [line] = lines[..] {
                let words = line.split([';', ',']).filter_map(|word| whole(word.trim_matches('"')));
                return words.into_iter().find(|word| word.contains('.')).map(|word| vec![word]);
            }
            let unquoted = lines.get(1)?.replace('"', "");
            let separator = if name == "turned table" { ';' } else { ',' };
            let column = if name == "turned table" { 2 } else { 0 };
            whole(unquoted.split(separator).nth(column)?.trim()).map(|all| vec![all])
        }
        "hash" | "semicolons" | "tabs" => {
            let puzzle = |line: &&str| {
                let words = line.split([' ', ';', '\t', ',', ':', '|']);
                let words: Vec<String> = words.filter_map(|word| whole(word.trim_matches('"'))).collect();
                words.iter().find(|word| word.contains('.')).or(words.first()).cloned()
            };
            lines.iter().filter(|line| !line.starts_with(';')).map(puzzle).collect()
        }
        "fields" => {
            let rows: Option<Vec<String>> = lines
                .iter()
                .map(|row| {
                    row.split(',')
                        .map(|field| {
                            if field.trim().is_empty() {
                                Some('.')
                            } else {
                                line(field.trim()).filter(|f| f.len() == 1).and_then(|f| f.chars().next())
                            }
                        })
                        .collect()
                })
                .collect();
            whole(&rows?.concat()).map(|all| vec![all])
        }
        _ => None,
    }
}

fn mutate(text: &str, random: &mut ChaCha8Rng) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for _ in 0..random.random_range(1..4) {
        if signs.len() < 2 {
            break;
        }
        let at = random.random_range(0..signs.len());
        let other = random.random_range(0..signs.len());
        match random.random_range(0..5) {
            0 => drop(signs.remove(at)),
            1 => signs.swap(at, other),
            2 => signs.insert(at, signs[other]),
            3 => signs.insert(at, SIGNS[random.random_range(0..SIGNS.len())] as char),
            _ => {
                let next = (at + 1).min(signs.len() - 1);
                signs.swap(at, next);
            }
        }
    }
    signs.into_iter().collect()
}

#[test]
fn mutated_files_are_parsed_alike_or_rejected() {
    let mut random = ChaCha8Rng::seed_from_u64(57);
    let mut wrong = Vec::new();
    for (name, write) in writers() {
        let mut accepted = 0;
        for _ in 0..MUTATED {
            let text = mutate(&write(&random_pair(&mut random)), &mut random);
            let Ok(found) = read(&text) else { continue };
            accepted += 1;
            let found: Vec<String> = found.iter().map(line_of).collect();
            if parse(name, &text).as_ref() != Some(&found) {
                wrong.push(format!("{name}: {found:?}, not {:?}\n{text}", parse(name, &text)));
            }
        }
        assert!(accepted > 50, "{name}: {accepted} files were accepted");
    }
    assert!(
        wrong.is_empty(),
        "{} files\n{}",
        wrong.len(),
        wrong.iter().step_by(wrong.len() / 12 + 1).cloned().collect::<Vec<_>>().join("\n\n")
    );
}

#[test]
fn ambiguous_numbers_need_a_flag() {
    let grid = |row: &str| format!("{row}\n").repeat(16);
    let from_zero: Vec<String> = (0..16).map(|number| number.to_string()).collect();
    let hex = format!("0123456789ABCDEF\n{}", format!("{}\n", "0".repeat(16)).repeat(15));
    for text in [grid(&from_zero.join(" ")), hex.clone(), grid("1..............."), grid("ABCDEF..........")]
    {
        let fault = read(&text).expect_err(&text);
        assert!(fault.fault.contains("--symbols") || fault.fault.contains("--side"), "{fault}");
    }
    let with = |symbols| Conventions { symbols: Some(symbols), side: None };
    let cells = |symbols| read_with(&hex, with(symbols)).expect("one reading").remove(0).cells;
    assert_eq!(cells(Symbols::FromZero)[..2], [Some(0), Some(1)]);
    assert_eq!(cells(Symbols::FromOne)[..2], [None, Some(0)]);
    let side = |side| Conventions { symbols: Some(Symbols::FromOne), side: Some(side) };
    assert_eq!(read_with(&grid("1..............."), side(4)).expect("4 x 4").len(), 16);
    assert_eq!(read_with(&grid("1..............."), side(16)).expect("16 x 16").len(), 1);
    assert!(read_with(SOLVED, side(16)).is_err());
}

#[test]
fn rejects_two_puzzles_in_one_line() {
    let puzzle = format!("{}....", &SOLVED[..77]);
    for text in [
        format!("{puzzle} {puzzle}"),
        format!("{SOLVED},{SOLVED}"),
        format!("{puzzle};{}", &SOLVED[1..]),
        format!("{puzzle} {SOLVED} {puzzle}"),
        format!("{puzzle}{puzzle}"),
        format!("{puzzle} {}", "1".repeat(81)),
    ] {
        assert!(read(&text).is_err(), "{text}");
    }
    for text in [
        format!("{puzzle} {SOLVED}"),
        format!("{SOLVED}:{puzzle}"),
        format!("solution\tpuzzle\n{SOLVED}\t{puzzle}"),
    ] {
        let found = read(&text).expect(&text);
        assert_eq!(
            (line_of(&found[0]).as_str(), Puzzle::format_line(&found[0].expected).as_str()),
            (puzzle.as_str(), SOLVED)
        );
    }
}

#[test]
fn rejects_variants_and_other_texts() {
    for (text, words) in [
        ("123456\n".repeat(6), "6 x 6"),
        (format!("{SOLVED} {}", "aaabbbccc".repeat(9)), "not a number"),
        (format!("{{\"puzzle\":\"{SOLVED}\",\"cages\":[[1]]}}"), "variant"),
        (format!("\u{feff}{SOLVED}\0"), "UTF-16"),
        (format!("[\"{SOLVED}\"] more"), "JSON"),
        (format!("<opensudoku><game data=\"{SOLVED}\"/></opensudoku>x"), "outside"),
        (format!("[Jigsaw]\n{SOLVED}"), "unknown section"),
        (format!("id,level\n1,{SOLVED}"), "no column of puzzles"),
        (format!("puzzle,solution\n{SOLVED}"), "1 field found"),
    ] {
        let fault = read(&text).expect_err(&text);
        assert!(fault.fault.contains(words), "{text}: {fault}");
    }
}

#[test]
fn placed_numbers_are_not_clues() {
    let placed = SOLVED.replacen('5', "+5", 1);
    let found = read(&format!(":0100:1:{placed}::::")).expect("HoDoKu").remove(0);
    assert_eq!((found.cells[0], found.expected[0], found.clues().count()), (None, Some(4), 80));
    let cells: String =
        SOLVED.chars().enumerate().map(|(at, c)| format!("{c}|0|{}|", u8::from(at == 0))).collect();
    let text =
        format!("<opensudoku><folder name=\"f\"><game data=\"version: 1\n{cells}\"/></folder></opensudoku>");
    let found = read(&text).expect("OpenSudoku").remove(0);
    assert_eq!((found.cells[0], found.expected[0], found.clues().count()), (None, Some(4), 80));
}

/// Removes a random number of cells from one end of a puzzle. Returns the rest, the number, and `true` if
/// the end is removed.
fn cut(puzzle: &str, random: &mut ChaCha8Rng) -> (String, usize, bool) {
    let cells = random.random_range(1..=5);
    let at_end = random.random_bool(0.5);
    let rest = if at_end { &puzzle[..puzzle.len() - cells] } else { &puzzle[cells..] };
    (rest.to_owned(), cells, at_end)
}

#[test]
fn remarks_never_complete_a_puzzle() {
    let mut random = ChaCha8Rng::seed_from_u64(58);
    for _ in 0..5_000 {
        let (puzzle, solution) = random_pair(&mut random);
        let small = ".".repeat(16);
        let large = ".".repeat(256);
        let cells = [&puzzle, &solution, &small, &large][random.random_range(0..4)];
        let (rest, count, at_end) = cut(cells, &mut random);
        let remark: String = (0..count).map(|_| b"12340."[random.random_range(0..6)] as char).collect();
        let separators = [" ", "  ", "\t", "|", " | ", "│", ",", ";", ":", ", ", " ; "];
        let separator = separators[random.random_range(0..separators.len())];
        let quote = |word: &str, random: &mut ChaCha8Rng| {
            if random.random_bool(0.3) { format!("\"{word}\"") } else { word.to_owned() }
        };
        let (rest, remark) = (quote(&rest, &mut random), quote(&remark, &mut random));
        let line =
            if at_end { format!("{rest}{separator}{remark}") } else { format!("{remark}{separator}{rest}") };
        let plain = line.replace('"', "");
        for text in [
            line.clone(),
            format!("{line}\n{line}"),
            format!("| {line} |"),
            format!("puzzle\n{line}"),
            format!("{{\"puzzle\": \"{plain}\"}}"),
            format!("[\"{plain}\", \"{plain}\"]"),
        ] {
            assert!(read(&text).is_err(), "{text}\n{:?}", read(&text));
        }
    }
}

#[test]
fn rejects_groups_of_unequal_length() {
    let puzzle = format!("{}....", &SOLVED[..77]);
    let groups = |length: usize| {
        let groups: Vec<&str> = puzzle
            .as_bytes()
            .chunks(length)
            .map(|group| std::str::from_utf8(group).expect("a sign is a byte"))
            .collect();
        groups.join(" ")
    };
    for length in [1, 3, 9, 27, 81] {
        assert_eq!(line_of(&read(&groups(length)).expect("equal groups")[0]), puzzle);
        let json = format!("{{\"puzzle\": \"{}\"}}", groups(length));
        assert_eq!(line_of(&read(&json).expect("equal groups")[0]), puzzle);
    }
    let spaced = groups(1);
    let spaced = spaced.strip_suffix(" .").expect("an empty cell");
    let first = &puzzle[..80];
    for (text, column, words) in [
        (format!("{first} 3"), 82, "a group of 1 cell is next to one of 80 cells"),
        (format!("3 {first}"), 3, "an id or a rating may only be next to a whole puzzle"),
        (format!("{} 23", &puzzle[..79]), 81, "a group of 2 cells is next to one of 79 cells"),
        (format!("{} 7.1", &puzzle[..78]), 80, "a group of 3 cells is next to one of 78 cells"),
        (format!("\"{first}\" 6"), 2, "a quoted field of 80 cells is next to other cells"),
        (format!("{first}|3"), 82, "bars divide the line into 80 cells and 1 cell"),
        (format!("{spaced}|3"), 161, "bars divide the line into 80 cells and 1 cell"),
        (format!("{} 3", &".".repeat(15)), 17, "a group of 1 cell is next to one of 15 cells"),
        (format!("{} 3", &".".repeat(255)), 257, "a group of 1 cell is next to one of 255 cells"),
        (groups(7), 89, "a group of 4 cells is next to one of 7 cells"),
        (format!("{} \"\"", groups(9)), 92, "a quoted field of 0 cells"),
        ("01 ".repeat(128), 1, "a group of 2 cells is not a row"),
        ("1\t2\t\t3\t4\n".repeat(4), 1, "5 fields found"),
        (format!("{}\n12345678 3", rows(&puzzle)[..8].join("\n")), 10, "a blank is not a cell"),
        (format!("{{\"puzzle\": \"{first} 3\"}}"), 94, "a group of 1 cell is next to one of 80 cells"),
        (format!("[\"{first}|3\"]"), 84, "bars divide the line"),
    ] {
        let fault = read(&text).expect_err(&text);
        assert_eq!(fault.column, column, "{text}: {fault}");
        assert!(fault.fault.contains(words), "{text}: {fault}");
    }
}

#[test]
fn rejects_a_second_puzzle_of_any_size() {
    let puzzle = format!("{}....", &SOLVED[..77]);
    let small = "1.2.............";
    let spaced = |cells: &str| cells.replace("", " ").trim().to_owned();
    let hodoku = |candidates: &str, remark: &str| format!(":0100:{candidates}:{puzzle}::::{remark}");
    for text in [
        format!("{puzzle} {small}"),
        format!("{small} {puzzle}"),
        format!("{puzzle},{small},easy"),
        format!("{puzzle} {}", ".".repeat(16)),
        format!("{puzzle} 1234341221434321"),
        format!("{puzzle} 1.2. .... .... ...."),
        format!("{puzzle} {}", spaced(small)),
        format!("{puzzle} \"1.2. | .... | .... | ....\""),
        format!("{puzzle} \"{}\"", rows(&puzzle).join(" ")),
        format!("{puzzle} \"{}\"", spaced(&puzzle)),
        format!("{puzzle};\"{}\"", spaced(&puzzle).replace(' ', ",")),
        format!("{puzzle} {}", ".".repeat(256)),
        format!("{} {puzzle}", &puzzle[..20].replace('1', "..")),
        format!("{puzzle} 53..7...."),
        hodoku("1", &puzzle),
        hodoku("1", &format!("see {puzzle}")),
        hodoku(SOLVED, ""),
        format!("<opensudoku><name>{puzzle}</name><game data=\"{puzzle}\"/></opensudoku>"),
        format!("<opensudoku><game data=\"{puzzle}\" note=\"{puzzle}\"/></opensudoku>"),
    ] {
        assert!(read(&text).is_err(), "{text}");
    }
    for remark in
        ["7.1", "ED=7.1/1.2/1.2", "2021-02-03-10-12", "1234123412341234", "123456789012345678", "easy"]
    {
        for text in [format!("{puzzle} {remark}"), format!("{remark};{puzzle}"), hodoku("1", remark)] {
            let found = read(&text).expect(&text);
            assert_eq!((found.len(), line_of(&found[0])), (1, puzzle.clone()), "{text}");
        }
    }
}

#[test]
fn rejects_puzzles_in_unknown_columns() {
    let mut random = ChaCha8Rng::seed_from_u64(59);
    for _ in 0..100 {
        let (puzzle, solution) = random_pair(&mut random);
        let spaced = |cells: &str| cells.replace("", " ").trim().to_owned();
        for value in [
            puzzle.clone(),
            solution.clone(),
            puzzle.replace('.', "0"),
            puzzle[..80].replace('.', "0"),
            "1.2.............".to_owned(),
            ".".repeat(256),
            rows(&puzzle).join(" "),
            rows(&puzzle).join("/"),
            rows(&puzzle).join("\\n"),
            spaced(&puzzle),
            spaced(&puzzle).replace(' ', ","),
            format!("see {solution}"),
        ] {
            for name in ["extra", "soluton", "puzle", "id", "data", "solution 2"] {
                let text = format!("id0,puzzle,{name}\n7,{puzzle},\"{value}\"\n");
                let fault = read(&text).expect_err(&text);
                let is_named = fault.fault.contains(&format!("the column \"{name}\" has"));
                assert!(is_named && fault.line == 2 && fault.column == 86, "{text}: {fault}");
                assert!(fault.fault.contains("quizzes") && fault.fault.contains("answer"), "{fault}");
                let text = format!("{{\"{name}\": \"{value}\", \"puzzle\": \"{puzzle}\"}}");
                let fault = read(&text).expect_err(&text);
                assert!(fault.fault.contains(&format!("the key \"{name}\" has")), "{text}: {fault}");
            }
        }
    }
    let number = format!("{{\"puzzle\": \"{SOLVED}\", \"soluton\": {SOLVED}}}");
    assert!(read(&number).is_err_and(|fault| fault.fault.contains("soluton")));
    let small = "puzzle,soluton\n1...............,1111222233334444";
    assert!(read(small).is_err_and(|fault| fault.fault.contains("soluton")));
}

#[test]
fn skips_unknown_columns_and_keys() {
    let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    for value in [
        "",
        "7",
        "7.1",
        "easy",
        "2024-01-02",
        "2021-02-03-10-12",
        "1234123412341234",
        "340282366920938463463374607431768211455",
        "https://example.org/puzzles/17",
        "found by somebody, in a book",
        "12 3 45 6 7 8 9 10 11 12 13 14 15 16 17 18",
        digest,
    ] {
        for text in [
            format!("id,puzzle,source\n7,{SOLVED},\"{value}\"\n"),
            format!("{{\"puzzle\": \"{SOLVED}\", \"source\": \"{value}\"}}"),
        ] {
            let found = read(&text).expect(&text);
            assert_eq!((found.len(), line_of(&found[0]).as_str()), (1, SOLVED), "{text}");
        }
    }
}

#[test]
fn rejects_columns_and_keys_of_variants() {
    for (value, is_read) in
        [("1", false), ("true", false), ("\"aaabbbccc\"", false), ("0", true), ("false", true)]
    {
        for text in [
            format!("puzzle,regions\n{SOLVED},{value}"),
            format!("{{\"puzzle\": \"{SOLVED}\", \"Diagonal\": {value}}}"),
        ] {
            assert_eq!(read(&text).is_ok(), is_read, "{text}");
        }
    }
}

#[test]
fn rejects_cells_in_comments() {
    let row = ";5;3;;;7;;;;";
    let groups = format!("; {}", rows(SOLVED).join(" "));
    let fields = format!(";{}", SOLVED.replace("", ";"));
    for line in [row, &groups, &fields] {
        let text = format!("{SOLVED}\n{line}");
        assert!(
            read(&text).is_err_and(|fault| fault.line == 2 && fault.fault.contains("holds cells")),
            "{text}"
        );
    }
    for line in [";;;;;;;;;;;;", "; 3 puzzles; of somebody", "; 17", "# 5;3;;;7;;;;"] {
        assert_eq!(read(&format!("{line}\n{SOLVED}")).expect(line).len(), 1, "{line}");
    }
}
