"""The notebooks run from the first cell to the last, and show what they are said to show."""

import pytest

NOTEBOOKS = {"first-theorem": "alpha(5^3) = 13: proved", "compare-formulations": "cube", "your-own-inequality": "base + "}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs(name, clone, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.read(clone / "docs" / "notebooks" / f"{name}.ipynb", 4)
    # Frames and pictures are written anew at each run: what is stored is the text of the cells alone.
    assert all(not cell.get("outputs") for cell in book.cells)
    nbclient.NotebookClient(book, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert NOTEBOOKS[name] in str(outputs)
