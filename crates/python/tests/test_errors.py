"""Bad input: exceptions with the words of ndq, and never a panic."""

import random
import subprocess
import sys

import numpy as np
import pytest

import ndqueens as nq

ALLOWED = (
    "a board is [PIECE:][torus:]BOX, moebius:BOX, klein:BOX, hex:N, three:N, sudoku:N, sudoku-x:N, cells:N, cells-x:N or "
    "[cliques:]FILE:PATH; a BOX is n^d such as 6^3 or sides such as 4x5x6, a PIECE is queen, rook, bishop, knight, king or "
    "superqueen, and FILE is file, edges or header"
)


def test_a_malformed_board_raises_the_sentence_of_ndq():
    with pytest.raises(nq.InputError) as fault:
        nq.Board("6^")
    assert str(fault.value).startswith('board "6^": ') and ALLOWED in str(fault.value)
    assert str(fault.value).endswith("\n    6^\n      ^")
    assert isinstance(fault.value, ValueError) and fault.value.exit_code == 2


@pytest.mark.parametrize("name", ["", "x", "0^3", "6^0", "three:7", "torus:2x3", "99999^9", "6^3 ", "sudoku:x", "\0", "file:", "é^2"])
def test_every_malformed_board_is_bad_input(name):
    with pytest.raises(nq.InputError):
        nq.Board(name)


def test_a_board_file_that_is_not_there_is_named():
    with pytest.raises(nq.InputError, match="cannot read the board file nowhere.txt: No such file"):
        nq.Board("file:nowhere.txt")


@pytest.mark.parametrize("name", [6, None, b"6^3", ["6^3"]])
def test_what_is_no_name_is_bad_input(name):
    with pytest.raises(nq.InputError):
        nq.Board(name)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda board: board.edges, "has 1728000000 squares, too many for its graph, which would take about"),
        (lambda board: board.lines, "too many for its lines"),
        (lambda board: board.coordinates, "too many for an array of coordinates"),
        (lambda board: board.symmetry, "too many for its symmetries"),
        (lambda board: nq.formulation(board), "formulation cube on 1200^3 would have 1728000000 columns"),
        (lambda board: nq.prove(board), "1200^3 has more than 4096 squares, the most that the exact engine takes"),
        (lambda board: nq.count(board), "1200^3 has more than 4096 squares, the most that the exact engine takes"),
        (lambda board: nq.count(board, 3), "1200^3 has more than 4096 squares, the most that the exact engine takes"),
        (lambda board: nq.count(board, method="bron-kerbosch"), "has more than 4096 squares, the limit of the checker"),
        (lambda board: board.draw(), "too many to be drawn"),
    ],
)
def test_huge_boards_are_refused(ask, words):
    with pytest.raises(nq.InputError) as fault:
        ask(nq.Board("1200^3"))
    assert words in str(fault.value)


def test_what_is_known_of_huge_boards_is_told():
    assert nq.known("1200^3").upper == 1200**2


def test_boards_too_large_for_constructions_are_refused():
    with pytest.raises(nq.InputError, match="too many for the constructions"):
        nq.construct("3^19")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: nq.formulation("4^3", "cubes"), 'unknown formulation "cubes"; expected one of base'),
        (lambda: nq.formulation("4^3", "none.toml"), "cannot read none.toml: No such file"),
        (lambda: nq.formulation("4^3", at_least=17), "17 queens do not fit on 4^3: the trivial upper bound is 16"),
        (lambda: nq.formulation("4^3", at_least=1, exactly=1), "one of at_least, at_most and exactly can be given"),
        (lambda: nq.formulation("4^3", at_least=-1), "at_least must be a whole number from 0"),
        (lambda: nq.formulation("4^3", at_least=1.5), "at_least must be a whole number from 0"),
        (lambda: nq.formulation("4^3", include=[(0, 0, 0), (1, 1, 1)]), "attack each other"),
        (lambda: nq.formulation("4^3", include=[(0, 0, 4)]), "(0,0,4) is not a square of 4^3"),
        (lambda: nq.formulation("4^3", include=[(0, 0)]), "(0,0) is not a square of 4^3"),
        (lambda: nq.formulation("4^3", include=[(0, 0, -1)]), "(0,0,-1) is not a square of 4^3"),
        (lambda: nq.formulation("4^3", rows="few"), 'unknown rows "few"'),
        (lambda: nq.formulation("5^2", "modular"), "it is for a torus"),
        (lambda: nq.construct("4^3", "magic"), '"magic" is not a construction; expected one of regular'),
        (lambda: nq.construct("rook:4^3", "planar"), "planar on rook:4^3: this construction is for"),
        (lambda: nq.construct("4^3", seed=-1), "seed must be a whole number"),
        (lambda: nq.prove("4^3", time_limit=-1), "a time limit is a number of seconds, 0 or more"),
        (lambda: nq.prove("4^3", time_limit=float("nan")), "a time limit is a number of seconds, 0 or more"),
        (lambda: nq.prove("4^3", threads=0), "threads must be a whole number from 1"),
        (lambda: nq.prove("4^3", "/nowhere/p.gz"), "cannot write /nowhere/p.gz: there is no folder /nowhere"),
        (lambda: nq.count("4^3", 0), "size must be a whole number from 1 to 64"),
        (lambda: nq.count("4^3", method="luck"), 'unknown method "luck"'),
        (lambda: nq.Board("4^3").draw([(9, 9, 9)]), "(9,9,9) is not a square of 4^3"),
        (lambda: nq.Board("4^3").square([0.5, 0, 0]), "squares are tuples of integers"),
        (lambda: nq.Board("4^3").draw([(0, 0), (0, 0, 0)]), "squares are tuples of integers"),
        (lambda: nq.Certificate("4^3", [(0, 1, 2)], "clique").verify(), 'unknown problem "clique"'),
        (lambda: nq.Certificate("4^3", [[0, 1, -2]]).verify(), 'a non-negative integer, not "-2"'),
        (lambda: nq.Certificate("4^3", np.zeros((2, 2, 3), int)), "an array of 2 axes, not of 3"),
        (lambda: nq.Certificate.read("none.txt"), "cannot read none.txt: No such file"),
        (lambda: nq.check_proof("none.gz"), "cannot read none.gz: No such file"),
        (lambda: nq.Package("nowhere"), "cannot read nowhere/datapackage.json: No such file"),
    ],
)
def test_bad_input_is_told_in_a_sentence(ask, words):
    with pytest.raises((nq.InputError, nq.FileError)) as fault:
        ask()
    assert words in str(fault.value)
    assert fault.value.exit_code == 2


def test_nothing_is_left_of_a_proof_that_is_not_finished(tmp_path):
    with pytest.raises(nq.Unsettled):
        nq.prove("12^3", tmp_path / "p.gz", time_limit=0.2)
    assert list(tmp_path.iterdir()) == []


def damaged(text, seed):
    """A file with a few bytes of it changed, left out or doubled."""
    chance = random.Random(seed)
    text = bytearray(text)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(text))
        match chance.randrange(4):
            case 0:
                text[place] = chance.randrange(256)
            case 1:
                del text[place]
            case 2:
                text[place:place] = text[place : place + chance.randint(1, 40)]
            case _:
                text[place] = chance.choice(b"0123456789 \n-,")
    return bytes(text)


@pytest.mark.parametrize("board", ["3^3", "4^3", "torus:5^2", "hex:3"])
def test_damaged_proofs_raise_what_is_wrong_and_never_a_panic(board, tmp_path):
    whole, file = tmp_path / "whole.proof", tmp_path / "damaged.proof"
    value = nq.prove(board, whole).value
    text, refused = whole.read_bytes(), 0
    for seed in range(300):
        file.write_bytes(damaged(text, seed))
        try:
            shown = nq.check_proof(file)
        except (nq.DoesNotHold, nq.InputError):
            refused += 1
        else:
            # Some edits leave a true proof, of this board or of another one.
            assert shown.board != nq.Board(board) or shown.at_most is None or shown.at_most >= value
    assert refused > 200


def test_damaged_bounds_and_packed_proofs_raise_what_is_wrong(tmp_path):
    bound = b"ndqueens bound 1\nboard 2^2\nclique 1 0,0 0,1 1,0 1,1\nat most 1\nend\n"
    file = tmp_path / "a.bound"
    file.write_bytes(bound)
    assert str(nq.check_proof(file)) == "at most 1 queen fits on 2^2 (1 inequality that adds up to 1)"
    packed = tmp_path / "p.gz"
    nq.prove("3^3", packed)
    for seed in range(200):
        for text in (bound, packed.read_bytes()):
            file.write_bytes(damaged(text, seed))
            try:
                nq.check_proof(file)
            except (nq.DoesNotHold, nq.InputError):
                pass


def test_damaged_certificates_raise_what_is_wrong(tmp_path):
    file = tmp_path / "c.txt"
    nq.construct("4^3", "cut").write(file)
    text, refused = file.read_bytes(), 0
    for seed in range(300):
        file.write_bytes(damaged(text, seed))
        try:
            assert nq.verify(file) <= nq.Certificate.read(file).board.size
        except (nq.DoesNotHold, nq.InputError, nq.FileError):
            refused += 1
    assert refused > 150


def test_nothing_is_written_to_standard_error_by_a_refused_file(tmp_path):
    file = tmp_path / "p.proof"
    file.write_text("ndqueens proof 2\nboard 3^3\nbox 3x3x3 99999999999999999999 lines\n")
    code = f"import ndqueens as nq\ntry: nq.check_proof({str(file)!r})\nexcept nq.DoesNotHold as fault: print(fault)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr == "" and run.stdout.startswith("line 3 of the proof, column ")
