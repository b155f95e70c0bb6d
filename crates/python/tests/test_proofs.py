"""Maxima, counts and checks: right, stopped in time, and without Python's lock."""

import signal
import threading
import time

import numpy as np
import pytest

import ndqueens as nq


@pytest.mark.parametrize(("board", "value"), [("4^3", 7), ("5^3", 13), ("3^4", 6), ("3x4x5", 6), ("torus:5^2", 5), ("hex:3", 3)])
def test_maxima_are_proved_and_the_proof_is_checked_from_its_file(board, value, tmp_path):
    file = tmp_path / "p.proof.gz"
    theorem = nq.prove(board, file)
    known = nq.known(board)
    assert known.lower <= theorem.value <= known.upper
    assert nq.verify(theorem.certificate) == theorem.value
    shown = nq.check_proof(file)
    assert (shown.board, shown.at_most, shown.kind, shown.count) == (nq.Board(board), theorem.value, "proof tree", None)
    assert theorem.path == str(file)
    if board != "3x4x5":
        assert theorem.value == value


def test_a_theorem_says_what_it_rests_on():
    theorem = nq.prove("3^3")
    assert str(theorem).splitlines()[0] == "alpha(3^3) = 4: proved"
    assert "checked in integers" in theorem.kind and theorem.path is None
    assert "<svg" in theorem._repr_html_()


def test_neither_value_nor_proof_depends_on_threads(tmp_path):
    files = [tmp_path / "one.proof", tmp_path / "two.proof"]
    values = [nq.prove("6^3", file, threads=threads).value for threads, file in enumerate(files, 1)]
    assert values == [21, 21]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_time_limit_gives_the_bounds_so_far():
    with pytest.raises(nq.Unsettled) as stopped:
        nq.prove("12^3", time_limit=0.3)
    bounds = stopped.value
    assert bounds.certificate.verify() == bounds.certificate.size <= 133 <= bounds.upper
    words = f"alpha(12^3): not settled in this run, stopped (time limit); {bounds.certificate.size} <= alpha <= {bounds.upper}"
    assert str(bounds) == words and isinstance(bounds, TimeoutError)
    for ask in (lambda: nq.count("9^3", 60, time_limit=0.2), lambda: nq.count("6^3", method="bron-kerbosch", time_limit=0.2)):
        with pytest.raises(nq.Unsettled, match="the count was stopped \\(time limit\\) before it was done"):
            ask()


def test_progress_is_told_and_what_it_raises_stops_the_work():
    told = []

    def progress(seconds, nodes, last):
        told.append((seconds, nodes, last))
        if len(told) == 3:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        nq.prove("9^3", progress=progress)
    assert len(told) == 3 and told == sorted(told, key=lambda step: step[:2])
    assert told[-1][1] > 0 and "x" in told[-1][2] or "^" in told[-1][2]


def interrupting():
    """A callback that has this process sent SIGINT a moment later, as Ctrl-C does."""
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])

    def progress(seconds, nodes, last):
        if timer.ident is None:
            timer.start()

    return progress


@pytest.mark.parametrize(
    "work",
    [
        lambda: nq.prove("10^3", progress=interrupting()),
        lambda: nq.count("9^3", 60, progress=interrupting()),
        lambda: nq.count("6^3", method="bron-kerbosch", progress=interrupting()),
    ],
    ids=["prove", "count", "bron-kerbosch"],
)
def test_ctrl_c_stops_the_work(work):
    with pytest.raises(KeyboardInterrupt):
        work()


def test_other_threads_run_while_a_proof_is_searched():
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    try:
        with pytest.raises(nq.Unsettled):
            nq.prove("12^3", time_limit=1)
    finally:
        end = time.monotonic()
        done.set()
        thread.join()
    assert sum(begin < at < end for at in ticks) >= 5


@pytest.mark.parametrize(
    ("board", "size", "solutions", "up_to_symmetry"),
    [("3^3", 4, 16, 1), ("4^3", 7, 1344, 30), ("8^2", 8, 92, 12), ("torus:5^2", 5, 10, 1)],
)
@pytest.mark.parametrize("method", ["exact", "bron-kerbosch"])
def test_maximum_solutions_are_counted(board, size, solutions, up_to_symmetry, method):
    counted = nq.count(board, method=method)
    assert (counted.size, counted.solutions, counted.up_to_symmetry) == (size, solutions, up_to_symmetry)
    assert counted.is_maximum and counted.method == method


def test_solutions_are_kept_up_to_symmetry():
    counted = nq.count("8^2", keep=100, threads=2)
    assert counted.kept.shape == (12, 8) and counted.kept.dtype == np.int32
    board = nq.Board("8^2")
    images = set()
    for solution in counted.kept:
        nq.verify(nq.Certificate(board, board.coordinates[solution]))
        orbit, new = {frozenset(solution.tolist())}, {frozenset(solution.tolist())}
        while new:
            new = {frozenset(g[list(s)].tolist()) for s in new for g in board.symmetry.generators} - orbit
            orbit |= new
        images |= orbit
    assert len(images) == 92


def test_solutions_of_a_given_size_are_counted():
    counted = nq.count("4^2", 2)
    pairs = 16 * 15 // 2 - len(nq.Board("4^2").edges)
    assert (counted.solutions, counted.size, counted.is_maximum) == (pairs, 2, False)


def test_archived_proofs_and_bounds_hold(clone):
    assert str(nq.check_proof(clone / "results/archive/ledger/3^3.proof.gz")).startswith("at most 4 queens fit on 3^3 (")
    bound = nq.check_proof(clone / "results/archive/ledger/8^4.bound")
    assert (bound.kind, bound.at_most) == ("orbit LP", 245) and "that adds up to" in bound.how or "that add up to" in bound.how


def test_a_check_can_be_stopped(tmp_path):
    file = tmp_path / "p.gz"
    nq.prove("5^3", file)
    with pytest.raises(nq.Unsettled, match="the check was stopped"):
        nq.check_proof(file, time_limit=0)


@pytest.mark.parametrize(("board", "lower", "upper"), [("6^3", 21, 21), ("9^4", 386, 394), ("14^3", 172, 193), ("torus:7^2", 7, 7)])
def test_what_is_known_is_told_with_what_it_rests_on(board, lower, upper):
    known = nq.known(board)
    if board != "torus:7^2":
        assert (known.lower, known.upper) == (lower, upper)
    assert known.lower_by and known.upper_by and known.lower <= known.upper <= nq.Board(board).trivial_bound
    assert str(known).splitlines()[0] == f"board          {board}"
    assert {row.side for row in nq.known("14^3").published} == {"lower", "upper"}
