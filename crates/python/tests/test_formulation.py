"""Formulations as matrices, and as files."""

import pickle

import numpy as np
import pytest
from scipy import io

import ndqueens as nq


def test_rows_are_those_of_the_definition():
    board = nq.Board("4^2")
    base = nq.formulation(board, "base")
    assert base.matrix.shape == (len(board.lines), 16) and set(base.senses) == {"<"}
    lines = sorted(sorted(line.tolist()) for line in board.lines)
    rows = np.split(base.matrix.indices, base.matrix.indptr[1:-1])
    assert sorted(sorted(row.tolist()) for row in rows) == lines
    assert (base.matrix.data == 1).all() and (base.rhs == 1).all() and (base.objective == 1).all()
    assert (base.sense, base.problem) == ("maximise", "independent set")
    assert base.title == "Lines: the base model" and base.remarks[0].startswith("board 4^2, formulation base: Lines")
    assert base.column_names[6] == "x_1_2" and base.row_names[0] == "line_0" and base.families[0] == "line"


@pytest.mark.parametrize("name", nq.formulations())
def test_every_formulation_has_arrays_that_fit(name):
    number = {"exactly": 3} if name == "partial" else {}
    include = [(0, 1)] if name == "completion" else []
    made = nq.formulation("torus:5^2" if name == "modular" else "5^2", name, include=include, **number)
    rows, columns = made.matrix.shape
    assert columns == 25 and made.matrix.dtype == np.float64
    for array in (made.senses, made.rhs, made.row_lower, made.row_upper):
        assert array.shape == (rows,)
    for array in (made.objective, made.lower, made.upper):
        assert array.shape == (columns,)
    assert (len(made.row_names), len(made.families), len(made.column_names)) == (rows, rows, columns)
    assert (made.row_lower <= made.row_upper).all() and (made.lower <= made.upper).all()


def test_a_number_of_queens_makes_a_feasibility_problem():
    made = nq.formulation("4^3", "cube", at_least=7, include=[(0, 0, 0)])
    assert made.sense == "feasibility" and not made.objective.any()
    assert (made.senses[-1], made.rhs[-1], made.row_names[-1]) == (">", 7, "size_0")
    assert made.row_lower[-1] == 7 and made.row_upper[-1] == np.inf
    assert made.lower[0] == 1 and made.lower.sum() == 1
    with pytest.raises(nq.InputError, match="a feasibility problem has no LP bound"):
        made.lp_bound()


def test_conditions_are_told():
    assert any("holds if alpha(" in condition for condition in nq.formulation("6^3", "all").conditions)
    assert nq.formulation("6^3", "cube").conditions == []


def test_lp_bounds_are_those_of_the_strength_of_formulations():
    base, cube = (nq.formulation("5^3", name).lp_bound() for name in ("base", "cube"))
    assert 13 <= cube < base < 25.001
    assert nq.formulation("4^2", "domination").lp_bound() == pytest.approx(1.5)
    assert nq.formulation("4^2", "full").sense == "feasibility"


def test_a_family_of_ones_own_tightens_the_bound():
    board = nq.Board("5^3")
    base = nq.formulation(board, "base")
    layers = [[board.square((layer, i, j)) for i in range(5) for j in range(5)] for layer in range(5)]
    mine = base.add("layer", ((layer, 2) for layer in layers))
    assert mine.matrix.shape[0] == base.matrix.shape[0] + 5
    assert (mine.row_names[-1], mine.families[-1], mine.name) == ("layer_4", "layer", "base + layer")
    assert mine.lp_bound() == pytest.approx(10)
    # Ten queens are fewer than fit, so that the inequality is not valid, and a solution says so.
    best = nq.construct(board, "stack")
    assert mine.violated(best).startswith("row layer_")
    assert base.violated(best) is None
    valid = base.add("layer", ((dict.fromkeys(layer, 2), 10) for layer in layers))
    assert valid.violated(best) is None
    with pytest.raises(nq.InputError, match="inequality 0: 125 is not the number of a square"):
        base.add("mine", [([125], 1)])
    with pytest.raises(nq.InputError, match="inequalities of one's own are not written"):
        mine.write("mine.lp")


def test_added_rows_are_proved_or_conditions():
    board = nq.Board("5^3")
    base = nq.formulation(board, "base")
    layer = [board.square((0, i, j)) for i in range(5) for j in range(5)]
    assert base.conditions == []
    # No more than five queens fit on a layer of 5^2, and five do.
    for row, side in [(layer, 5), (dict.fromkeys(layer, 0.5), 2.5), (dict.fromkeys(layer, -1), 0)]:
        assert base.add("layer", [(row, side)]).conditions == []
    for row, side, sense, fault in [
        (layer, 4, "<=", "row layer_0 does not hold for all independent sets: (0,"),
        ([0], 0, "<=", "row layer_0 does not hold for all independent sets: a single queen on (0,0,0) violates it"),
        ([0], 1, ">=", "row layer_0 does not hold for all independent sets: a board with no queen"),
        (dict.fromkeys(layer, 0.1), 0.5, "<=", "row layer_0 is not proved: its numbers are no fractions"),
    ]:
        added = base.add("layer", [(row, side)], sense)
        assert len(added.conditions) == 1 and added.conditions[0].startswith(fault), added.conditions
        assert pickle.loads(pickle.dumps(added)).conditions == added.conditions
    both = base.add("layer", [(layer, 5), (layer, 4)])
    assert [condition.split()[1] for condition in both.conditions] == ["layer_1"]
    dominating = nq.formulation("4^2", "domination").add("some", [([0, 1], 1)], ">=")
    assert "proofs are of independent sets" in dominating.conditions[0]


def test_inequalities_have_any_of_three_senses():
    base = nq.formulation("4^2", "base")
    row = list(range(4))
    for sense, stored, least, most in [("<=", "<", -np.inf, 1), (">=", ">", 1, np.inf), ("==", "=", 1, 1)]:
        for word in (sense, stored):
            own = base.add("row", [(row, 1)], word)
            assert (own.senses[-1], own.row_lower[-1], own.row_upper[-1]) == (stored, least, most)
    at_least = base.add("all", [({square: 1 for square in range(16)}, 5)], ">=")
    with pytest.raises(nq.DoesNotHold, match="infeasible"):
        at_least.lp_bound()
    four = nq.Certificate("4^2", [(0, 1), (1, 3), (2, 0), (3, 2)])
    assert at_least.violated(four) == "row all_0: 4 >= 5 does not hold"
    assert base.add("all", [(range(16), 4)], ">=").violated(four) is None
    for sense in ("=<", "", "!=", None, ["<="]):
        with pytest.raises(nq.InputError, match="a sense is"):
            base.add("row", [(row, 1)], sense)


def test_names_of_rows_stay_different():
    cube = nq.formulation("4^3", "cube")
    twice = cube.add("mine", [([0, 1], 1)]).add("mine", [([1, 2], 1), ([2, 3], 1)])
    assert twice.row_names[-3:] == ["mine_0", "mine_1", "mine_2"] and twice.name == "cube + mine"
    shipped = cube.add("cube", [([0, 1], 1)]).add("cube", [([0, 2], 1)]).add("mine", [([0, 1], 1)])
    assert len(set(shipped.row_names)) == len(shipped.row_names)
    assert shipped.name == "cube + cube + mine"
    for family in ("", "two words", " mine", "a\nb", 5):
        with pytest.raises(nq.InputError, match="a family"):
            cube.add(family, [([0], 1)])
    with pytest.raises(nq.InputError):
        cube.add("mine", [([True], 1)])


def test_a_point_is_a_certificate_once_it_is_verified():
    made = nq.formulation("4^2", "base")
    point = np.zeros(16)
    point[[1, 7, 8, 14]] = 0.999999
    assert made.certificate(point).squares.tolist() == [[0, 1], [1, 3], [2, 0], [3, 2]]
    point[0] = 1
    with pytest.raises(nq.DoesNotHold):
        made.certificate(point)
    with pytest.raises(nq.InputError, match="the point has 3 entries for 16 columns"):
        made.certificate([0, 0, 0])


def said(file):
    """What the comments of a Matrix Market file say: sense, columns, rows."""
    words = [line.split()[1:] for line in file.read_text().splitlines() if line.startswith("% ")]
    columns = [line for line in words if line[0] == "column"]
    rows = [line for line in words if line[0] == "row"]
    (sense,) = (line[1] for line in words if line[0] == "sense")
    return sense, columns, rows


@pytest.mark.parametrize("asked", [{}, {"exactly": 4}, {"name": "domination"}, {"name": "all", "include": [(0, 0, 0)]}])
def test_matrix_market_files_are_read_by_scipy_as_the_same_matrix(asked, tmp_path):
    made, file = nq.formulation("3^3", **asked), tmp_path / "model.mtx"
    words = made.write(file)
    matrix = io.mmread(file).tocsr()
    assert (matrix != made.matrix).nnz == 0 and matrix.shape == made.matrix.shape
    assert words == f"{matrix.shape[0]} rows, 27 columns, {matrix.nnz} nonzeros"
    sense, columns, rows = said(file)
    assert sense == made.sense
    assert [row[2] for row in rows] == made.row_names
    assert [row[3][0] for row in rows] == made.senses.tolist()
    assert [float(row[4]) for row in rows] == made.rhs.tolist()
    assert [column[2] for column in columns] == made.column_names
    assert [float(column[4]) for column in columns] == made.objective.tolist()
    assert [[float(column[6]), float(column[8])] for column in columns] == np.column_stack([made.lower, made.upper]).tolist()


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    made = nq.formulation("3^3")
    for name, words in [
        ("x.txt", "must end in .lp, .mps, .opb, .cnf, .mtx"),
        ("x.col", "is to hold the graph of the board"),
        ("x.cnf", "CNF asks a yes/no question"),
    ]:
        with pytest.raises((nq.InputError, nq.FileError), match=words):
            made.write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_formulation_may_be_a_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "lines"\nsource = "a test"\nproblem = "independent set"\nfamilies = ["line"]\n')
    assert nq.formulation("4^2", str(file)).matrix.shape == nq.formulation("4^2", "base").matrix.shape
    file.write_text("title = 7\n")
    with pytest.raises(nq.InputError, match="line 1, column 9"):
        nq.formulation("4^2", str(file))


def test_rows_of_ones_own_are_compared_up_to_rounding_and_must_be_finite():
    made = nq.formulation("4^3", "cube")
    solution = nq.prove("4^3").certificate
    squares = [made.board.square(square) for square in solution.squares]
    tenths = made.add("w", [({square: 0.1 for square in squares[:3]}, 0.3)])
    assert tenths.violated(solution) is None
    assert made.add("w", [(squares[:3], 2)]).violated(solution) == "row w_0: 3 <= 2 does not hold"
    refused = [[(squares, float("nan"))], [({squares[0]: float("inf")}, 1)], [([0.9], 0)], [([0, 0], 1)], 5, [(5, 1)], [(["a"], 1)]]
    for rows in refused:
        with pytest.raises(nq.InputError):
            made.add("w", rows)


def test_a_point_must_satisfy_the_programme():
    made = nq.formulation("4^3", at_least=7)
    with pytest.raises(nq.DoesNotHold):
        made.certificate([0] * 64)
    with pytest.raises(nq.InputError, match="finite"):
        made.certificate([float("nan")] * 64)


def test_arrays_cannot_be_written_to():
    made = nq.formulation("4^3", "cube")
    own = made.add("w", [([0], 1)])
    for array in (made.matrix.data, own.matrix.data, made.rhs, made.objective, made.board.line_matrix.data):
        with pytest.raises(ValueError):
            array[0] = 9


def test_a_formulation_is_pickled_with_its_own_rows():
    own = nq.formulation("3^3", "cube", include=[(0, 0, 0)]).add("w", [([0, 1], 1)])
    again = pickle.loads(pickle.dumps(own))
    assert (again.matrix != own.matrix).nnz == 0 and again.row_names == own.row_names and again.problem == own.problem


def test_the_time_limit_of_the_relaxation_leaves_it_unsettled():
    with pytest.raises(nq.Unsettled):
        nq.formulation("12^3", "cube").lp_bound(time_limit=0.01)
    for limit in (-1, float("nan"), "1"):
        with pytest.raises(nq.InputError, match="time limit"):
            nq.formulation("3^3").lp_bound(time_limit=limit)
