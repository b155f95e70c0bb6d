//! Compares the boards that the model and crosscheck read from the same file, and their counts with brute
//! force.

use std::collections::{BTreeSet, HashSet};

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::count::{Count, count};
use ndqueens_crosscheck::symmetry::SymmetryGroup;
use ndqueens_crosscheck::verify::{Fault, verify};
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Reads the board of a file with the given text.
fn board(text: &str) -> BoardName {
    let read = |name| BoardName::parse_with(name, &|_| Ok(text.to_owned()));
    let unmarked = read("file:board");
    // The first line of a list of edges may be a header or an edge; the name `edges:` declares it an edge.
    unmarked.or_else(|_| read("edges:board")).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns a drawing of at most `most` cells, with all headers or none.
fn random_drawing(rng: &mut ChaCha8Rng, most: u32) -> String {
    let sides: Vec<u32> = loop {
        let sides: Vec<u32> = (0..rng.random_range(1..=4)).map(|_| rng.random_range(1..=5)).collect();
        if sides.iter().product::<u32>() <= most {
            break sides;
        }
    };
    let piece = ["queen", "rook", "bishop"][rng.random_range(0..3)];
    let vision = ["through", "blocked"][rng.random_range(0..2)];
    let mut text = "ndqueens board 1\n".to_owned();
    if sides.len() != 2 || rng.random() {
        let sides: Vec<String> = sides.iter().map(u32::to_string).collect();
        let sides = if sides.len() == 1 { format!("{}^1", sides[0]) } else { sides.join("x") };
        text += &format!("sides: {sides}\npiece: {piece}\nnote: by chance\nvision: {vision}\n");
    }
    let full = rng.random_range(0.5..=1.0);
    let cells = sides.iter().product::<u32>();
    let symmetric = rng.random_range(0..3) == 0;
    let mut signs: Vec<char> = (0..cells).map(|_| if rng.random_bool(full) { '#' } else { '.' }).collect();
    if symmetric {
        for cell in 0..signs.len() / 2 {
            signs[cells as usize - 1 - cell] = signs[cell];
        }
    }
    if !signs.contains(&'#') {
        signs[0] = '#';
    }
    for row in signs.chunks(*sides.last().expect("a side") as usize) {
        text.extend(row);
        text.push('\n');
    }
    text
}

/// Number of forms of [`random_graph`].
const FORMS: u32 = 7;

/// Returns a graph of at most `most` vertices in one of the forms.
fn random_graph(rng: &mut ChaCha8Rng, form: u32, most: u32) -> String {
    let vertices = rng.random_range(1..=most);
    let density = rng.random_range(0.0..1.0);
    let pairs = (0..vertices).flat_map(|b| (0..b).map(move |a| (a, b)));
    let mut edges: Vec<(u32, u32)> = pairs.filter(|_| rng.random_bool(density)).collect();
    for _ in 0..rng.random_range(0..3) {
        if !edges.is_empty() {
            let (a, b) = edges[rng.random_range(0..edges.len())];
            edges.push(if rng.random() { (a, b) } else { (b, a) });
        }
    }
    let lines = |lead: &str, end: &str, label: &dyn Fn(u32) -> u32| {
        edges.iter().map(|&(a, b)| format!("{lead}{} {}{end}", label(b), label(a))).collect::<String>()
    };
    let (count, from_1) = (edges.len(), |vertex: u32| vertex + 1);
    let (step, first) = (rng.random_range(1..5), rng.random_range(0..50));
    match form {
        0 => format!("# by chance\nn {vertices}\n{}", lines("", "\n", &|vertex| vertex)),
        1 => format!("p td {vertices} {count}\n{}", lines("", "\r\n", &from_1)),
        2 => format!(
            "%%MatrixMarket matrix coordinate pattern symmetric\n{vertices} {vertices} {count}\n{}",
            lines("", "\n", &from_1)
        ),
        3 => format!(
            "c an edge joins squares that do not attack each other:\nc cliques are independent sets\n\
             p col {vertices} {count} 1\n{}",
            lines("e ", "\n", &from_1)
        ),
        4 | 5 if count > 0 => lines("", " {}\n", &|vertex| first + step * vertex),
        _ => format!("c by chance\np edge {vertices} {}\nn 1 1\n{}", count / 2, lines("e ", "\n", &from_1)),
    }
}

/// Returns texts of `number` boards: drawings and graphs.
fn random_boards(seed: u64, number: usize, most: u32) -> impl Iterator<Item = String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..number).map(move |i| match i % 3 {
        0 | 1 => random_drawing(&mut rng, most),
        _ => {
            let form = rng.random_range(0..FORMS);
            random_graph(&mut rng, form, most)
        }
    })
}

#[test]
fn both_readers_agree_on_squares_and_attacks() {
    for text in random_boards(1, 400, 60) {
        let name = board(&text);
        let (model, definition) = (Board::new(&name), definition(&name));
        let squares: Vec<Vec<u32>> = definition.squares().collect();
        assert!(model.squares().map(|s| model.coordinates(s)).eq(squares.iter().cloned()), "{text}");
        for a in model.squares() {
            let attacks = |b: &u32| definition.attacks(&squares[a as usize], &squares[*b as usize]);
            let attacked: Vec<u32> = model.squares().filter(attacks).collect();
            assert_eq!(model.neighbours(a), attacked, "{text}{a}");
            let found: Vec<u32> = model.squares().filter(|&b| model.attacks(a, b)).collect();
            assert_eq!(found, attacked, "{text}{a}");
            assert_eq!(model.square(&squares[a as usize]), Some(a), "{text}");
        }
        let mut pairs = BTreeSet::new();
        let (mut rows, mut nonzeros) = (0, 0);
        for line in model.lines() {
            (rows, nonzeros) = (rows + 1, nonzeros + line.len() as u128);
            for (j, &b) in line.iter().enumerate() {
                assert!(
                    line[..j].iter().all(|&a| pairs.insert((a.min(b), a.max(b)))),
                    "{text}: a pair on two lines"
                );
            }
        }
        assert!(pairs.iter().all(|&(a, b)| model.attacks(a, b)), "{text}");
        assert_eq!(
            pairs.len() * 2,
            model.squares().map(|s| model.neighbours(s).len()).sum::<usize>(),
            "{text}"
        );
        assert_eq!((model.lines_extent().rows, model.lines_extent().nonzeros), (rows, nonzeros), "{text}");
    }
}

#[test]
fn both_readers_agree_on_symmetry() {
    for text in random_boards(2, 300, 40) {
        let name = board(&text);
        let (model, definition) = (Board::new(&name), definition(&name));
        for generator in model.generators() {
            let images: HashSet<u32> = model.squares().map(&generator).collect();
            assert_eq!(images.len(), model.size(), "{text}");
            for (a, b) in model.squares().flat_map(|b| (0..b).map(move |a| (a, b))) {
                assert_eq!(model.attacks(a, b), model.attacks(generator(a), generator(b)), "{text}");
            }
        }
        let squares: Vec<Vec<u32>> = definition.squares().collect();
        match SymmetryGroup::new(&*definition, &squares) {
            Some(group) => {
                let mut elements: HashSet<Vec<u32>> = HashSet::from([model.squares().collect()]);
                let mut new: Vec<Vec<u32>> = elements.iter().cloned().collect();
                while let Some(element) = new.pop() {
                    for generator in model.generators() {
                        let product: Vec<u32> = element.iter().map(|&s| generator(s)).collect();
                        if elements.insert(product.clone()) {
                            new.push(product);
                        }
                    }
                }
                assert_eq!(elements.len(), group.order(), "{text}");
                assert!(model.generators().len() <= 8, "{text}: redundant generators");
            }
            None => assert!(model.generators().is_empty(), "{text}"),
        }
    }
}

#[test]
fn counts_and_trivial_bound_agree_with_brute_force() {
    for text in random_boards(3, 300, 16) {
        let name = board(&text);
        let definition = definition(&name);
        let squares: Vec<Vec<u32>> = definition.squares().collect();
        let attacked: Vec<u32> = squares
            .iter()
            .map(|a| {
                (0..)
                    .zip(&squares)
                    .filter(|(_, b)| definition.attacks(a, b))
                    .fold(0, |set, (j, _)| set | 1 << j)
            })
            .collect();
        let independent = |set: u32| (0..squares.len()).all(|i| set >> i & 1 == 0 || attacked[i] & set == 0);
        let mut sets: Vec<u32> = (0..1u32 << squares.len()).filter(|&set| independent(set)).collect();
        let largest = sets.iter().map(|set| set.count_ones()).max().expect("the empty set");
        sets.retain(|set| set.count_ones() == largest);
        let model = Board::new(&name);
        let orbits = SymmetryGroup::new(&*definition, &squares).map(|_| {
            let mut left: HashSet<u32> = sets.iter().copied().collect();
            let mut orbits = 0;
            while let Some(&set) = left.iter().next() {
                orbits += 1;
                let mut orbit = vec![set];
                left.remove(&set);
                while let Some(set) = orbit.pop() {
                    for generator in model.generators() {
                        let members = model.squares().filter(|&s| set >> s & 1 == 1);
                        let image = members.fold(0, |image, s| image | 1 << generator(s));
                        orbit.extend(left.take(&image));
                    }
                }
            }
            orbits
        });
        let Count { independence_number, mut example, maximum_sets, orbits: counted } =
            count(&name, &|| false).expect("not stopped");
        let counted = (independence_number, maximum_sets, counted);
        assert_eq!(counted, (largest as usize, sets.len() as u64, orbits), "{text}");
        example.sort();
        let is_example = |set: &u32| {
            let members = model.squares().filter(|&s| set >> s & 1 == 1).map(|s| model.coordinates(s));
            members.eq(example.iter().cloned())
        };
        assert!(sets.iter().any(is_example), "{text}: {example:?}");
        assert!(u64::from(largest) <= model.trivial_bound(), "{text}");
        let solution =
            model.squares().filter(|&s| sets[0] >> s & 1 == 1).map(|s| model.coordinates(s)).collect();
        let certificate = Certificate::independent(name.clone(), solution, "brute force");
        assert!(verify(&certificate).is_ok(), "{text}");
        assert_eq!(Certificate::parse_with(&certificate.to_string(), &name.file_opener()), Ok(certificate));
    }
}

#[test]
fn full_drawing_is_the_box() {
    for (sides, width, rows) in [("4^3", 4, 16), ("3x4x5", 5, 12), ("5^2", 5, 5), ("2^5", 2, 16)] {
        let plain: BoardName = sides.parse().expect(sides);
        let rows = format!("{}\n", "#".repeat(width)).repeat(rows);
        let drawn = board(&format!("ndqueens board 1\nsides: {sides}\n{rows}"));
        let (plain, drawn) = (Board::new(&plain), Board::new(&drawn));
        assert!(plain.squares().eq(drawn.squares()), "{sides}");
        assert!(plain.squares().all(|s| plain.neighbours(s) == drawn.neighbours(s)), "{sides}");
        assert_eq!(plain.lines_extent(), drawn.lines_extent(), "{sides}");
        assert_eq!(plain.orbits().sizes(), drawn.orbits().sizes(), "{sides}");
        assert!(drawn.trivial_bound() <= plain.trivial_bound(), "{sides}");
    }
}

#[test]
fn faults_of_certificates_have_the_square() {
    let heart = board("ndqueens board 1\n##.##\n#####\n.###.\n");
    let fault = |name: &BoardName, squares: &[&[u32]]| {
        let squares = squares.iter().map(|square| square.to_vec()).collect();
        verify(&Certificate::independent(name.clone(), squares, "by hand")).expect_err("wrong")
    };
    let attack =
        |a: &[u32], b: &[u32]| Fault::Attack { squares: (a.to_vec(), b.to_vec()), positions: (1, 2) };
    assert_eq!(fault(&heart, &[&[0, 1], &[0, 3]]), attack(&[0, 1], &[0, 3]));
    let blocked = board("ndqueens board 1\nvision: blocked\n##.##\n#####\n.###.\n");
    assert!(verify(&Certificate::independent(blocked, vec![vec![0, 1], vec![0, 3]], "by hand")).is_ok());
    let path = board("0 1\n1 2\n");
    let cycle = board("p edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n");
    let gaps = board("7 12\n12 40\n");
    for (name, square) in [(&heart, &[0, 2][..]), (&path, &[3]), (&cycle, &[0]), (&gaps, &[8])] {
        let fault = fault(name, &[square]);
        assert!(
            matches!(&fault, Fault::OffBoard { square: found, position: 1, .. } if found == square),
            "{fault}"
        );
    }
    assert_eq!(fault(&gaps, &[&[12], &[40]]), attack(&[12], &[40]));
    assert_eq!(fault(&path, &[&[1], &[2]]), attack(&[1], &[2]));
}

/// Returns a text with one random change.
fn mutate(rng: &mut ChaCha8Rng, text: &str) -> String {
    const INSERTED: [&str; 42] = [
        "#",
        ".",
        ":",
        "x",
        "^",
        "0",
        "1",
        "2",
        "9",
        "+",
        "-",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\u{b}",
        "\u{feff}",
        "\u{a0}",
        "é",
        "queen:",
        "rook:",
        "torus:",
        "file:",
        "sides: 3x3\n",
        "note: a: b\n",
        "piece: rook\n",
        "vision: blocked\n",
        "e 1 2\n",
        "n 3\n",
        "3 2\n",
        "9 9\n",
        "17,4\n",
        ",",
        ";",
        "%",
        "#",
        " {}",
        "n 1 1\n",
        "x 1\n",
        "p col 9 9\n",
        "p vc 5 5\n",
    ];
    let mut places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
    places.push(text.len());
    let from = rng.random_range(0..places.len());
    let to = (from + [0, 0, 1, 1, 2, 6][rng.random_range(0..6)]).min(places.len() - 1);
    let inserted = if rng.random_bool(0.8) { INSERTED[rng.random_range(0..INSERTED.len())] } else { "" };
    [&text[..places[from]], inserted, &text[places[to]..]].concat()
}

/// Reads a text under a random form of name. Returns `false` if the text is rejected, and panics if the model
/// and crosscheck read different boards.
fn is_read_the_same(rng: &mut ChaCha8Rng, text: &str) -> bool {
    let form = match rng.random_range(0..12) {
        0 => "edges:",
        1 => "header:",
        2 | 3 => "cliques:file:",
        _ => "file:",
    };
    let Ok(name) = BoardName::parse_with(&format!("{form}board"), &|_| Ok(text.to_owned())) else {
        return false;
    };
    let model = Board::new(&name);
    if model.size() > 100 {
        return true;
    }
    let definition = definition(&name);
    let squares: Vec<Vec<u32>> = definition.squares().collect();
    assert!(model.squares().map(|s| model.coordinates(s)).eq(squares.iter().cloned()), "{text:?}");
    for a in model.squares() {
        let attacks = |b: &u32| definition.attacks(&squares[a as usize], &squares[*b as usize]);
        assert_eq!(model.neighbours(a), model.squares().filter(attacks).collect::<Vec<_>>(), "{text:?}");
    }
    true
}

#[test]
fn readers_agree_on_mutated_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut accepted, mut refused) = (0, 0);
    for text in random_boards(3, 600, 16) {
        for _ in 0..25 {
            let text = mutate(&mut rng, &text);
            match is_read_the_same(&mut rng, &text) {
                true => accepted += 1,
                false => refused += 1,
            }
        }
    }
    assert!(accepted > 2000 && refused > 2000, "{accepted} accepted, {refused} refused");
}

#[test]
fn readers_agree_on_mutated_graphs_of_every_form() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    for form in 0..FORMS {
        let mut accepted = 0;
        for _ in 0..1000 {
            let text = random_graph(&mut rng, form, 9);
            for _ in 0..10 {
                let text = mutate(&mut rng, &text);
                accepted += usize::from(is_read_the_same(&mut rng, &text));
            }
        }
        assert!((500..9500).contains(&accepted), "form {form}: {accepted} of 10000 accepted");
    }
}

#[test]
fn readers_agree_on_lists_with_a_header() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..3000 {
        let number = rng.random_range(1..9u32);
        let (step, first) = (rng.random_range(1..3), rng.random_range(0..3));
        let pairs = (0..number).flat_map(|b| (0..b).map(move |a| (a, b)));
        let edges: Vec<(u32, u32)> = pairs.filter(|_| rng.random_bool(0.4)).collect();
        let lines = edges.iter().map(|(a, b)| format!("{} {}\n", first + step * a, first + step * b));
        let text = format!("{number} {}\n{}", edges.len(), lines.collect::<String>());
        let unmarked = BoardName::parse_with("file:board", &|_| Ok(text.clone()));
        assert!(unmarked.is_err(), "a header may be an edge: {text}");
        let Ok(name) = BoardName::parse_with("header:board", &|_| Ok(text.clone())) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        let (model, definition) = (Board::new(&name), definition(&name));
        let squares: Vec<Vec<u32>> = definition.squares().collect();
        assert_eq!(squares.len(), number as usize, "{text}");
        assert!(model.squares().map(|s| model.coordinates(s)).eq(squares.iter().cloned()), "{text}");
        let attacks = |a: u32, b: u32| definition.attacks(&squares[a as usize], &squares[b as usize]);
        let pairs: Vec<(u32, u32)> =
            model.squares().flat_map(|a| model.squares().map(move |b| (a, b))).collect();
        assert!(pairs.iter().all(|&(a, b)| model.attacks(a, b) == attacks(a, b)), "{text}");
        assert_eq!(pairs.iter().filter(|&&(a, b)| attacks(a, b)).count(), 2 * edges.len(), "{text}");
    }
    assert!(accepted > 1000 && refused > 300, "{accepted} accepted, {refused} refused");
}

#[test]
fn first_line_determines_the_form() {
    for (text, squares, lines) in [
        ("\n ndqueens board 1 \n#.#\r\n###  \n\n", 5, 6),
        ("ndqueens board 1\nsides: 2x1x2\n##\n\n.#\n", 3, 3),
        ("ndqueens board 1\npiece: rook\nsides: 3^1\nvision: blocked\nnote: a: b\n#.#\n", 2, 0),
        ("c a remark\np edge 3 2\ne 1 2\nc another\ne 3 2\n", 3, 2),
        ("p col 4 0", 4, 0),
        ("# a remark\n0 1\n\n2 1\n", 3, 2),
        ("n 4\n1 3", 4, 1),
        ("n 1", 1, 0),
        ("1 2\n2 3\n3 4\n4 1", 4, 4),
        ("7,4000000000\r\n7,9\r\n", 3, 2),
        ("3\t5 {}\n5 3\n", 2, 1),
        ("p td 4 2\n1 2\n% a remark\n4 3\n", 4, 2),
        ("p edges 4 9 0.5\nn 1 1\ne 1 2\nx 1 2\ne 2 1\n", 4, 1),
        ("%%MatrixMarket matrix coordinate pattern symmetric\n% a remark\n3 3 1\n2 1\n", 3, 1),
    ] {
        let name = BoardName::parse_with("file:a", &|_| Ok(text.to_owned())).expect(text);
        let board = Board::new(&name);
        assert_eq!((board.size(), board.lines().count()), (squares, lines), "{text}");
    }
}
