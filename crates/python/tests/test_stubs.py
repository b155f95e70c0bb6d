"""The stubs of the extension module are true."""

import ast
import inspect
from importlib import resources

from ndqueens import _native


def declared(body):
    """The functions and properties of a stub, with the names of their arguments."""
    return {
        node.name.replace("__new__", "__init__"): [argument.arg for argument in node.args.args if argument.arg not in ("self", "cls")]
        for node in body
        if isinstance(node, ast.FunctionDef)
    }


def there(thing):
    """The same of a module or a class."""
    names = {name: getattr(thing, name) for name in dir(thing) if not name.startswith("_")}
    return {
        name: [argument for argument in inspect.signature(value).parameters if argument != "self"] if callable(value) else []
        for name, value in names.items()
        if not inspect.isclass(value)
    }


def test_stubs_declare_what_is_there():
    package = resources.files("ndqueens")
    assert package.joinpath("py.typed").is_file()
    stub = ast.parse(package.joinpath("_native.pyi").read_text()).body
    assert declared(stub) == there(_native)
    classes = {node.name: declared(node.body) for node in stub if isinstance(node, ast.ClassDef)}
    assert classes.keys() == {name for name, value in vars(_native).items() if inspect.isclass(value)}
    for name, methods in classes.items():
        methods.pop("__init__", None)
        assert methods == there(getattr(_native, name)), name
