"""Certificates and constructions."""

import numpy as np
import pytest

import ndqueens as nq

FOUR = [(0, 1), (1, 3), (2, 0), (3, 2)]


def test_a_certificate_is_verified_and_a_wrong_one_told_why():
    assert nq.verify(nq.Certificate("4^2", FOUR)) == 4
    for squares, words in [
        ([(0, 0), (2, 2)], r"squares 1 and 2 of the list, \(0, 0\) and \(2, 2\), attack each other"),
        ([(0, 0), (0, 0)], "is in the list twice"),
        ([(0, 4)], "is off the board 4\\^2"),
        ([(0, 0, 0)], "has 3 coordinates; on 4\\^2 a square has 2"),
    ]:
        with pytest.raises(nq.DoesNotHold, match=words):
            nq.verify(nq.Certificate("4^2", squares))


def test_squares_are_tuples_of_coordinates_and_nothing_else():
    for squares in ([0, 1], (0, 1, 2), np.array([0, 1, 2]), [np.int64(3)], [0.0, 1.0], range(3), "012", 5, [[(0, 1, 2)]], {1: 2}):
        with pytest.raises(nq.InputError, match="squares? (is a tuple|are tuples)"):
            nq.Certificate("5^3", squares)
    for squares in ([(0.0, 1.0, 2.0)], [(True, 0, 0)], np.zeros((1, 3), bool), [(0, 1, "2")], [(0, 1, None)], [(0, 1, 2), (0, 1)], [(0, 1, 2**64)]):
        with pytest.raises(nq.InputError, match="squares are tuples of integers"):
            nq.Certificate("5^3", squares)
    for squares in ([(0, 1)], [(0, 1, 2, 3)], np.zeros((2, 4), int)):
        with pytest.raises(nq.DoesNotHold, match=r"has \d coordinates?; on 5\^3 a square has 3"):
            nq.Certificate("5^3", squares)
    for squares in ([(0, 0, 5)], [(-1, 0, 0)]):
        with pytest.raises(nq.Error):
            nq.Certificate("5^3", squares).verify()
    with pytest.raises(nq.InputError, match="board.coordinates"):
        nq.Certificate("5^1", [0])
    assert nq.Certificate("5^3", [(np.int32(0), np.uint8(1), 2)]).verify() == 1
    board = nq.Board("5^3")
    assert nq.Certificate(board, board.coordinates[[7]]).squares.tolist() == [[0, 1, 2]]


def test_squares_may_be_arrays_and_are_kept_from_writing():
    given = np.array(FOUR, np.uint8)
    certificate = nq.Certificate(nq.Board("4^2"), given)
    given[0] = 3
    assert certificate.verify() == certificate.size == len(certificate) == 4
    assert certificate.squares.dtype == np.int64
    with pytest.raises(ValueError):
        certificate.squares[0, 0] = 3


def test_a_file_reads_back_as_written(tmp_path):
    file = tmp_path / "four.txt"
    nq.Certificate("4^2", FOUR, origin="by hand").write(file)
    read = nq.Certificate.read(file)
    assert read.squares.tolist() == [list(square) for square in FOUR]
    assert (read.board.name, read.problem, read.origin) == ("4^2", "independent set", "by hand")
    assert nq.verify(file) == 4


def test_a_wrong_certificate_is_neither_written_nor_drawn(tmp_path):
    wrong = nq.Certificate("4^2", [(0, 0), (1, 1)])
    for use in (lambda: wrong.write(tmp_path / "wrong.txt"), wrong._repr_html_, wrong.draw):
        with pytest.raises(nq.DoesNotHold):
            use()
    assert list(tmp_path.iterdir()) == []


def test_other_conventions_are_read(tmp_path):
    file = tmp_path / "heights.txt"
    file.write_text("2 4 1 3\n")
    read = nq.Certificate.read(file, "heights1", "4^2")
    assert read.verify() == 4
    with pytest.raises(nq.InputError, match='unknown convention "runes"; expected one of native'):
        nq.Certificate.read(file, "runes", "4^2")


def test_a_dominating_set_is_one():
    assert nq.Certificate("3^2", [(1, 1)], "dominating set").verify() == 1
    with pytest.raises(nq.DoesNotHold, match="neither in the set nor attacked"):
        nq.Certificate("4^2", [(1, 1)], "dominating set").verify()


def test_a_certificate_is_drawn():
    picture = nq.Certificate("4^2", FOUR)._repr_html_()
    assert picture.startswith("<svg") and "4 queens on 4^2" in picture


def test_no_square_is_a_certificate():
    empty = nq.Certificate("4^2", [])
    assert empty.squares.shape == (0, 2) and empty.verify() == 0


def test_constructions_are_verified_sets():
    attempts = nq.constructions("4^3")
    assert [attempt.method for attempt in attempts][:3] == ["regular", "planar", "cut"]
    for attempt in attempts:
        assert (attempt.certificate is None) != (attempt.reason is None)
    assert max(len(attempt.certificate) for attempt in attempts if attempt.certificate) == 7
    assert nq.construct("11^3", "regular").size == 121


def test_a_construction_includes_what_it_must():
    made = nq.construct("8^2", "greedy", include=[(3, 3)])
    assert [3, 3] in made.squares.tolist()


def test_a_time_limit_ends_constructions():
    with pytest.raises(nq.Unsettled):
        nq.construct("12^4", time_limit=0)
