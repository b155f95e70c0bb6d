"""The Python sessions of the README and of docs/python.md, replayed; ``...`` stands for any text."""

import doctest
import re

import pytest


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_sessions_of_a_page_hold(page, clone, tmp_path, monkeypatch):
    for name in ("networkx", "pandas", "polars", "highspy", "pyscipopt", "ortools"):
        pytest.importorskip(name)
    for name in ("datapackage.json", "instances", "results"):
        (tmp_path / name).symlink_to(clone / name)
    monkeypatch.chdir(tmp_path)
    text = (clone / page).read_text()
    blocks = re.findall(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    told = []
    assert runner.run(session, out=told.append).failed == 0, "".join(told)
