//! The commands `ndq face` and `ndq facets`, and the dimensions that docs/formulations.md states.

use std::path::Path;

use serde_json::Value;

use crate::harness::Desk;

/// Returns the text of docs/formulations.md with single spaces.
fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formulations.md");
    let text = std::fs::read_to_string(path).expect("a page");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Face of an inequality as printed.
struct Face {
    squares: u64,
    rhs: i64,
    rows: u64,
    dimension: i64,
    is_facet: bool,
}

/// Returns the faces of the inequalities of a family on a board, one of each orbit.
fn faces(board: &str, family: &str) -> Vec<Face> {
    let face = |object: &Value| Face {
        squares: object["squares"].as_u64().expect("a number"),
        rhs: object["rhs"].as_i64().expect("a number"),
        rows: object["rows"].as_u64().expect("a number"),
        dimension: object["dimension"].as_i64().expect("a valid inequality"),
        is_facet: object["verdict"] == "facet",
    };
    Desk::new().json(0, &format!("face {board} --family {family}")).iter().map(face).collect()
}

/// Returns the range of the dimensions of those faces that satisfy a condition: `14 to 23`.
fn range(faces: &[Face], condition: impl Fn(&Face) -> bool) -> String {
    let dimensions = || faces.iter().filter(|face| condition(face)).map(|face| face.dimension);
    let (least, most) = (dimensions().min().expect("a face"), dimensions().max().expect("a face"));
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// Returns the number of inequalities that define facets and satisfy a condition.
fn facets(faces: &[Face], condition: impl Fn(&Face) -> bool) -> u64 {
    faces.iter().filter(|face| face.is_facet && condition(face)).map(|face| face.rows).sum()
}

#[track_caller]
fn assert_stated(claim: &str) {
    assert!(page().contains(claim), "docs/formulations.md does not state: {claim}");
}

#[test]
fn page_states_the_faces_of_edges_and_lines() {
    let edges = faces("3^3", "edge");
    assert_stated(&format!("The dimension is {} of 26 on 3^3.", range(&edges, |_| true)));
    let (three, four) = (faces("3^3", "line"), faces("4^3", "line"));
    assert_stated(&format!(
        "The dimensions are {} of 26 on 3^3; on 4^3 the {} lines of four squares define facets, the others have dimensions {} of 63.",
        range(&three, |_| true),
        facets(&four, |face| face.squares == 4),
        range(&four, |face| face.squares < 4),
    ));
    assert!(four.iter().all(|face| face.is_facet == (face.squares == 4)));
    let bishop = faces("bishop:3^3", "line");
    let short: u64 = bishop.iter().filter(|face| face.squares == 2).map(|face| face.rows).sum();
    assert_stated(&format!(
        "on bishop:3^3 the {} lines of three squares define facets, the {short} lines of two do not.",
        facets(&bishop, |_| true),
    ));
    assert!(bishop.iter().all(|face| face.is_facet == (face.squares == 3)));
    assert!(faces("rook:3^3", "line").iter().all(|face| face.is_facet));
}

#[test]
fn page_states_the_faces_of_cliques() {
    for (board, family) in [
        ("3^3", "cube"),
        ("4^3", "cube"),
        ("3^3", "star"),
        ("4^3", "star"),
        ("3^3", "maximal-clique"),
        ("4^3", "maximal-clique"),
    ] {
        assert!(faces(board, family).iter().all(|face| face.is_facet), "{family} on {board}");
    }
}

#[test]
fn page_states_the_faces_of_sub_boards() {
    let layers = faces("3^3", "layer");
    assert_stated(&format!(
        "| 3^3 | k = 2, outer; middle | {}; {} of 26 |",
        range(&layers, |face| face.rows == 6),
        range(&layers, |face| face.rows == 3),
    ));
    let cubes = faces("4^3", "subsolution");
    assert_stated(&format!("For m = 3 the dimension is {} of 63 on 4^3", range(&cubes, |face| face.rhs > 1)));
    let (three, four) = (faces("3^3", "cuboid"), faces("4^3", "cuboid"));
    for (shape, rhs, squares) in [("2x3x3", 3, 18), ("1x3x3", 2, 9)] {
        let of = |faces: &[Face], most: bool| {
            let found = faces.iter().filter(|face| face.squares == squares && face.rhs == rhs);
            let dimensions: Vec<i64> = found.map(|face| face.dimension).collect();
            let chosen = if most { dimensions.iter().max() } else { dimensions.iter().min() };
            *chosen.expect("a sub-box")
        };
        let here = match shape {
            "1x3x3" => format!("{} at a face, {} in the middle", of(&three, true), of(&three, false)),
            _ => of(&three, true).to_string(),
        };
        let inside = format!("{} at a face, {} inside", of(&four, true), of(&four, false));
        assert_stated(&format!("| {shape} | {rhs} | {here} | {inside} |"));
    }
    for (shape, rhs, squares) in [("3x3x3", 4, 27), ("3x3x4", 5, 36), ("3x4x4", 6, 48)] {
        let dimension = range(&four, |face| face.squares == squares);
        assert_stated(&format!("| {shape} | {rhs} | | {dimension} |"));
    }
    for face in &three {
        assert!(!face.is_facet || face.rhs == 1);
    }
}

#[test]
fn page_states_the_faces_of_class_counts() {
    let classes = faces("3^3", "class");
    assert!(classes.iter().filter(|face| face.is_facet && face.rhs == 3).count() == 1);
    let volume = faces("3^3", "volume");
    assert!(volume.iter().any(|face| face.is_facet && face.rhs == 3));
    let odd = faces("3^3", "odd-cycle");
    assert_stated(&format!(
        "For the sample of seed 0 the dimensions are {} (k = 5) and {} (k = 7) of 26 on 3^3",
        range(&odd, |face| face.rhs == 2),
        range(&odd, |face| face.rhs == 3).replace(" to ", " or "),
    ));
}

#[test]
fn page_states_the_faces_of_other_problems() {
    let desk = Desk::new();
    let full = desk.json(0, "face rook:3^3 --family equality");
    assert!(full.iter().all(|object| object["verdict"] == "whole polytope"));
    assert_stated(&format!("has dimension {} on rook:3^3, where the 12 full solutions", full[0]["of"]));
    assert!(faces("4^2", "domination").iter().all(|face| face.is_facet));
    let small = faces("3^2", "domination");
    assert!(small.iter().all(|face| face.is_facet == (face.squares < 9)));
    assert_stated("facets for all s on 4^2, and for all s except the centre on 3^2");
    let centre = desk.json(0, "face 3^2 --family domination");
    let centre = centre.iter().find(|object| object["squares"] == 9).expect("the row of the centre");
    assert_eq!(centre["reason"], "x_0_0 = 0 on it");
    let kept = |family: &str| desk.json(0, &format!("face 3^3 --family {family}"))[0].clone();
    let (symmetry, lex) = (kept("symmetry"), kept("lex"));
    assert!(symmetry["complete"] == true && lex["complete"] == true);
    assert_stated(&format!(
        "Of the {} independent sets on 3^3, {} satisfy `symmetry` and {} satisfy `lex`.",
        symmetry["sets"], symmetry["kept"], lex["kept"]
    ));
}

#[test]
fn an_invalid_inequality_has_a_witness() {
    let desk = Desk::new();
    let text = "row,sense,rhs,coefficient,square\n\
        wrong,<=,1,1,\"(0,0)\"\nwrong,<=,1,1,\"(1,2)\"\nright,<=,1,1,\"(0,0)\"\n";
    desk.write("rows.csv", text);
    let rows = desk.json(1, "face 3^2 rows.csv");
    assert_eq!(rows[0]["name"], "own_0, row wrong of rows.csv");
    assert_eq!(rows[0]["verdict"], "invalid");
    assert_eq!(rows[0]["violated_by"], serde_json::json!([[0, 0], [1, 2]]));
    assert_eq!(rows[1]["verdict"], "not a facet");
}

#[test]
fn a_pattern_of_a_formulation_has_a_face_in_each_orbit() {
    let desk = Desk::new();
    let head = "title = \"pyramids\"\nsource = \"own\"\nproblem = \"independent set\"\nfamilies = []\n";
    let pattern = "[[inequalities]]\nname = \"cross\"\nbox = [3, 3, 3]\nclasses = [0, 1, 2, 3]\nrhs = 3\n";
    desk.write("own.toml", format!("{head}{pattern}"));
    let rows = desk.json(0, "face 3^3 -f own.toml");
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (&rows[0]["name"], &rows[0]["verdict"]),
        (&"own_0, inequality 1 (cross)".into(), &"facet".into())
    );
    desk.write("own.toml", format!("{head}{}", pattern.replace("rhs = 3", "rhs = 2")));
    assert_eq!(desk.json(1, "face 3^3 -f own.toml")[0]["verdict"], "invalid");
}

#[test]
fn misplaced_inequalities_are_refused() {
    let desk = Desk::new();
    let head = "title = \"own\"\nsource = \"own\"\nproblem = \"independent set\"\nfamilies = [\"line\"]\n";
    for (entry, words) in [
        ("squares = [[0, 0, 3]]\nrhs = 1\n", "(0,0,3) is not a square of the board"),
        ("box = [4]\nsquares = [[0], [3]]\nrhs = 1\n", "does not fit"),
        ("box = [3, 3, 3]\nclasses = [0, 1, 2, 3]\nrhs = 3\ntouching = [0]\n", "touching"),
    ] {
        desk.write("own.toml", format!("{head}[[inequalities]]\n{entry}"));
        for command in ["face 3^3 -f", "model 3^3 -o m.lp -f"] {
            let failed = desk.ndq(&format!("{command} own.toml")).code(2);
            let error = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
            assert!(error.contains(words), "{command} {entry}: {error}");
        }
    }
}

#[test]
fn an_inequality_is_shown_in_the_form_that_is_given() {
    let desk = Desk::new();
    let text = "row,sense,rhs,coefficient,square\n\
        least,>=,-2,-1,\"(0,0)\"\nleast,>=,-2,-2,\"(0,1)\"\n\
        twice,>=,-2,-2,\"(0,0)\"\ntwice,>=,-2,-2,\"(0,1)\"\nonce,<=,1,1,\"(0,0)\"\nonce,<=,1,1,\"(0,1)\"\n";
    desk.write("rows.csv", text);
    let rows = desk.json(0, "face 1x2 rows.csv --certificates c.txt");
    assert_eq!((rows.len(), &rows[1]["rows"]), (2, &Value::from(2)));
    assert_eq!(
        (&rows[0]["inequality"], &rows[0]["rhs"]),
        (&"-x_0_0 - 2 x_0_1 >= -2".into(), &Value::from(-2))
    );
    assert_eq!(rows[0]["reason"], "x_0_0 = 0 on it; valid with -2 x_0_0 in place of -1 x_0_0");
    assert_eq!(desk.json(0, "check c.txt")[0]["facets"], 1);
}

#[test]
fn facets_are_read_back_and_certified() {
    let desk = Desk::new();
    let facets = &desk.json(0, "facets 2x3x3 -o facets.csv --certificates c.txt")[0];
    assert_eq!((&facets["facets"], &facets["complete"]), (&Value::from(66), &Value::from(true)));
    assert_eq!(facets["orbits"].as_array().map(Vec::len), Some(13));
    let rows = desk.json(0, "face 2x3x3 facets.csv --certificates d.txt");
    assert!(rows.len() == 13 && rows.iter().all(|row| row["verdict"] == "facet"));
    for file in ["c.txt", "d.txt"] {
        assert_eq!(desk.json(0, &format!("check {file}"))[0]["facets"], 13);
    }
    desk.write("forged.txt", desk.read("c.txt").replacen("at most 1:", "at most 2:", 1));
    assert_eq!(desk.json(1, "check forged.txt")[0]["verdict"], "does not hold");
    desk.write("cut.txt", desk.read("c.txt").replacen("facets: 13", "facets: 12", 1));
    desk.ndq("check cut.txt").code(2);
}

#[test]
fn rows_of_an_lp_file_are_those_of_the_formulation() {
    let desk = Desk::new();
    desk.ndq("model 3^3 -f cube-faces -o m.lp").success();
    let strip = |objects: Vec<Value>| -> Vec<[Value; 3]> {
        let fields = |object: &Value| ["inequality", "rows", "dimension"].map(|key| object[key].clone());
        objects.iter().map(fields).collect()
    };
    assert_eq!(strip(desk.json(0, "face 3^3 m.lp")), strip(desk.json(0, "face 3^3 -f cube-faces")));
}

#[test]
fn limits_are_stated() {
    let desk = Desk::new();
    let stopped = &desk.json(3, "facets 3^3 --time-limit 1")[0];
    assert_eq!(stopped["complete"], false);
    for (arguments, words) in [
        ("facets 8^3", "more than 20000 independent sets"),
        ("face 50^2 --family star", "at most 2048"),
        ("face 4^2 --family stars", "did you mean"),
        ("face 4^2 rows.csv", "rows.csv"),
        ("face 4^2 rows.toml", "-f rows.toml"),
        ("face 4^2", "required"),
        ("face 4^2 -f no-three-in-line", "not for"),
        ("face 5^2 -f full --certificates f.txt", "--certificates"),
    ] {
        let failed = desk.ndq(arguments).code(2);
        let error = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
        assert!(error.contains(words), "{arguments}: {error}");
    }
}

mod soak {
    use super::*;

    #[test]
    #[ignore = "takes minutes: scripts/soak runs it"]
    fn page_states_the_faces_on_larger_boards() {
        let layers = faces("3^4", "layer");
        let of =
            |squares: u64, rows: u64| range(&layers, |face| face.squares == squares && face.rows == rows);
        assert_stated(&format!("| 3^4 | k = 3, outer; middle | {}; {} of 80 |", of(27, 8), of(27, 4)));
        let two = layers.iter().filter(|face| face.squares == 9 && face.rows == 24);
        let mut two: Vec<i64> = two.map(|face| face.dimension).collect();
        two.sort_unstable();
        let [one, none] = two[..] else { panic!("two orbits of 24 layers") };
        assert_stated(&format!(
            "| 3^4 | k = 2, with none; one; both of the fixed coordinates in the middle | {none}; {one}; {} of 80 |",
            of(9, 6)
        ));
        let odd = faces("4^3", "odd-cycle");
        assert_stated(&format!(
            "and {} and {} of 63 on 4^3",
            range(&odd, |face| face.rhs == 2),
            range(&odd, |face| face.rhs == 3)
        ));
        let volume = faces("3^4", "volume");
        assert_stated(&format!(
            "On proper sub-boxes the dimension is lower: {} of 80 on 3^4.",
            range(&volume, |face| face.dimension < 80)
        ));
        let class = faces("3^4", "class");
        let whole = |face: &Face| face.squares >= 32 && face.rows == 1;
        let below = range(&class, |face| whole(face) && !face.is_facet);
        assert_stated(&format!("except (0,1,0,1,4) ≤ 4, which has dimension {below} of 80."));
    }
}
