"""Boards as arrays and graphs."""

import pickle

import numpy as np
import pytest

import ndqueens as nq

BOARDS = ["6^3", "3x4x5", "torus:5^2", "rook:3^3", "bishop:4^2", "hex:3", "three:4", "sudoku:2", "3^4", "knight:5^2",
          "king:torus:4^2", "superqueen:4x5", "moebius:4x5", "klein:5x4"]


def attack(a, b):
    """Whether queens on a plain box attack each other, from the definition."""
    distances = {abs(int(x) - int(y)) for x, y in zip(a, b)} - {0}
    return len(distances) == 1


@pytest.mark.parametrize("name", ["6^3", "3x4x5", "3^4"])
def test_edges_are_the_attacks_of_the_definition(name):
    board = nq.Board(name)
    squares = board.coordinates
    expected = {(a, b) for b in range(len(squares)) for a in range(b) if attack(squares[a], squares[b])}
    assert {tuple(edge) for edge in board.edges.tolist()} == expected


@pytest.mark.parametrize("name", BOARDS)
def test_lines_and_edges_tell_the_same_graph(name):
    board = nq.Board(name)
    lines = board.line_matrix.astype(np.int32)
    together = (lines.T @ lines).tocoo()
    pairs = {(int(a), int(b)) for a, b in zip(*together.coords) if a < b}
    assert pairs == {tuple(edge) for edge in board.edges.tolist()}
    rows = np.split(lines.indices, lines.indptr[1:-1])
    assert [sorted(line) for line in board.lines] == [sorted(row) for row in rows]


@pytest.mark.parametrize("name", BOARDS)
def test_symmetries_are_automorphisms_and_orbits_are_theirs(name):
    board = nq.Board(name)
    edges = {tuple(edge) for edge in board.edges.tolist()}
    for image in board.symmetry.generators:
        assert sorted(image) == list(range(board.size))
        assert {tuple(sorted(edge)) for edge in image[board.edges].tolist()} == edges
        assert (board.symmetry.orbits[image] == board.symmetry.orbits).all()


def test_the_group_of_a_cube_has_48_elements():
    symmetry = nq.Board("6^3").symmetry
    assert (symmetry.order, symmetry.is_whole) == (48, True)
    assert len(set(symmetry.orbits.tolist())) == 10


def test_coordinates_and_numbers_are_inverse():
    board = nq.Board("4x5x6")
    assert board.coordinates.dtype == np.int32 and board.coordinates.shape == (120, 3)
    assert [board.square(square) for square in board.coordinates] == list(range(120))


def test_arrays_cannot_be_written_to():
    with pytest.raises(ValueError):
        nq.Board("3^2").coordinates[0, 0] = 7


def test_the_graph_has_the_squares_as_nodes():
    networkx = pytest.importorskip("networkx")
    graph = nq.Board("8^2").graph()
    assert isinstance(graph, networkx.Graph)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (64, 728)
    assert graph.nodes[9]["square"] == (1, 1)


def test_a_board_file_is_a_board(tmp_path):
    file = tmp_path / "path.col"
    file.write_text("p edge 3 2\ne 1 2\ne 2 3\n")
    board = nq.Board(f"file:{file}")
    assert board.edges.tolist() == [[0, 1], [1, 2]]
    assert board.symmetry.generators.shape == (0, 3) and board.symmetry.order is None


def test_boards_are_drawn_and_those_too_large_are_named():
    assert nq.Board("hex:4")._repr_html_().startswith("<svg")
    assert nq.Board("30^3")._repr_html_() == "<p>30^3: 27000 squares are too many to be drawn; up to 20000 are</p>"


@pytest.mark.parametrize("name", ["1^3", "bishop:1x3"])
def test_a_board_without_attacks_has_no_lines(name):
    board = nq.Board(name)
    assert board.lines == () and board.edges.shape == (0, 2) and board.line_matrix.shape == (0, board.size)


def test_a_board_is_its_name():
    board = nq.Board("5x5x5")
    assert board == nq.Board("5^3") and hash(board) == hash(nq.Board("5^3"))
    assert repr(board) == "Board('5^3')" and len(board) == 125
    assert pickle.loads(pickle.dumps(board)) == board


def test_a_board_of_a_file_is_that_of_the_text_it_was_made_from(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text("ndqueens board 1\n####\n####\n####\n####\n")
    board, name = nq.Board(f"file:{path}"), f"file:{path}"
    kept = pickle.dumps(board)
    queens = nq.Certificate(board, [(0, 1), (1, 3), (2, 0), (3, 2)])
    diagonal = nq.Certificate(board, [(0, 0), (1, 1), (2, 2), (3, 3)])
    path.write_text("ndqueens board 1\npiece: rook\n####\n####\n####\n####\n####\n")
    assert board != nq.Board(name) and hash(board) != hash(nq.Board(name))
    assert queens.verify() == 4
    with pytest.raises(nq.DoesNotHold):
        diagonal.verify()
    for ask in (lambda: nq.prove(board), lambda: nq.count(board), lambda: queens.write(tmp_path / "c.txt"), lambda: pickle.loads(kept)):
        with pytest.raises(nq.InputError, match="has changed"):
            ask()
    assert not (tmp_path / "c.txt").exists()
    path.unlink()
    with pytest.raises(nq.InputError):
        nq.prove(board)


def test_what_is_too_large_for_a_graph_is_refused_at_once():
    for name in ("2^16", "1200^3"):
        with pytest.raises(nq.InputError, match="too many for its graph"):
            _ = nq.Board(name).edges


def test_what_is_no_text_and_no_square_is_refused_in_a_sentence():
    board = nq.Board("3^3")
    for ask in (
        lambda: nq.Board("\ud800"),
        lambda: board.square(np.array([[1, 2, 0]])),
        lambda: board.draw([[(0, 0, 0)]]),
        lambda: board.draw(None),
        lambda: nq.Certificate(board, [(0, 0, 0)], problem=None),
        lambda: nq.Certificate(board, [(0, 0, 0)], origin="\ud800"),
        lambda: nq.prove(board, time_limit="1"),
        lambda: nq.prove(board, time_limit=10**400),
        lambda: nq.check_proof(3),
    ):
        with pytest.raises(nq.InputError):
            ask()
