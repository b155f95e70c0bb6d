"""Tables as frames of pandas and polars."""

import json

import pytest

import ndqueens as nq


def test_every_table_of_the_clone_is_read_by_both(clone):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    package = nq.Package(clone)
    assert len(package) > 40
    for table in package:
        one, other = table.pandas(), table.polars()
        assert isinstance(one, pandas.DataFrame) and isinstance(other, polars.DataFrame)
        assert one.shape == other.shape and list(one.columns) == other.columns == [column.name for column in table.columns]
        assert one.attrs["units"].keys() == one.attrs["meanings"].keys() == set(one.columns)
        assert all(one.attrs["meanings"].values()), table.name
        nulls = {name: int(one[name].isna().sum()) for name in one.columns}
        assert nulls == {name: other[name].null_count() for name in other.columns}


def test_values_have_types_and_units(clone):
    pytest.importorskip("pandas")
    ledger = nq.Package(clone)["results-archive-ledger"].pandas()
    assert str(ledger["value"].dtype) == "Int64" and str(ledger["board"].dtype).startswith("str")
    assert ledger.attrs["units"]["value"] == "queens" and ledger.attrs["title"]
    best = ledger[(ledger.board == "6^3") & (ledger.side == "upper")]
    assert best.value.tolist() == [21]


def test_a_table_is_found_by_its_path_too(clone):
    package = nq.Package(clone)
    assert package["results/archive/ledger.csv"] is package["results-archive-ledger"]
    with pytest.raises(nq.InputError, match="no table results; there are instances-full-counts, instances-known-counts, instances-known-values"):
        package["results"]


def write(folder, fields, text):
    schema = {"fields": [{"name": n, "type": t, "unit": "u", "description": "d"} for n, t in fields]}
    resource = {"name": "t", "title": "T", "path": "t.csv", "schema": schema}
    (folder / "datapackage.json").write_text(json.dumps({"resources": [resource]}))
    (folder / "t.csv").write_text(text)
    return nq.Package(folder)["t"]


def test_numbers_beyond_64_bits_are_exact(tmp_path):
    pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = write(tmp_path, [("n", "number"), ("x", "number"), ("b", "boolean")], f"n,x,b\n{10**30},1.5,true\n1,,false\n")
    frame = table.pandas()
    assert frame["n"].tolist() == [10**30, 1] and frame["b"].tolist() == [True, False]
    assert str(frame["x"].dtype) == "Float64" and frame["x"].isna().tolist() == [False, True]
    assert table.polars()["n"].to_list() == [str(10**30), "1"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("m\n1\n", "has other columns than its package says: m"),
        ("n\n1,2\n", "rows with more or fewer cells than columns"),
        ("n\nx\n", '"x" in column n is not a number'),
        ("", "cannot read"),
    ],
)
def test_a_table_that_is_not_what_its_package_says_is_refused(text, words, tmp_path):
    pytest.importorskip("pandas")
    with pytest.raises((nq.InputError, nq.FileError), match=words):
        write(tmp_path, [("n", "number")], text).pandas()


def test_a_package_that_is_none_is_refused(tmp_path):
    for text in ("{}", "[", '{"resources": [{"name": "t"}]}'):
        (tmp_path / "datapackage.json").write_text(text)
        with pytest.raises(nq.InputError, match="is not a Data Package of tables"):
            nq.Package(tmp_path)
