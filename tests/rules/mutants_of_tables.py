"""Mutants of what mutmut passes over in the rules: a module's tables and constants, the fields of its
values, properties. Run as a module from the checkout's root; prints the mutants that no test kills.

The changes are mutmut's own, and in tables also: an entry left out, an entry with its neighbour's value.
Arguments are names of modules, for example `calls transitions`; without any all are taken.
"""

import difflib
import multiprocessing
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, cast

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, ParentNodeProvider
from mutmut.mutation.mutators import mutation_operators

RULES = Path("firmware/rules")
COPIED = ("firmware", "tests", "calibration", "pyproject.toml")
QUICK = ("tests/rules/test_rules_tables.py", "tests/rules/test_rules_setup.py")
"""Tests that find most mutants, tried before all."""
TYPES = ("Literal", "Mapping", "tuple")
TIMEOUT_S = 300
"""So long may the tests take with a mutant; one that hangs them is killed."""


class Mutant(NamedTuple):
    module: Path
    source: str
    line: str
    """What was changed, as a line of a diff shows it."""


def mutants_of(module: Path) -> Iterator[Mutant]:
    """Every mutant of a module's file that mutmut does not make."""
    source = module.read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source))
    parents = wrapper.resolve(ParentNodeProvider)
    seen = {source}
    for node in _walk(wrapper.module):
        if not _is_passed_over(node, parents):
            continue
        for changed in (*_changed(node), *_entries(node)):
            mutated = cast(cst.Module, wrapper.module.deep_replace(node, changed)).code
            if mutated not in seen:
                seen.add(mutated)
                yield Mutant(module, mutated, _difference(source, mutated))


def _walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _walk(child)


def _is_passed_over(node: cst.CSTNode, parents: "dict[cst.CSTNode, cst.CSTNode]") -> bool:
    """A value outside the functions that mutmut changes, and not one that only type checkers read."""
    above: cst.CSTNode | None = node
    while above is not None:
        if isinstance(above, cst.Annotation | cst.Import | cst.ImportFrom | cst.Decorator):
            return False
        if isinstance(above, cst.Subscript) and getattr(above.value, "value", "") in TYPES:
            return False
        if isinstance(above, cst.Assign) and not isinstance(above.value, cst.Call | cst.BaseNumber):
            return False  # the name of a type, or what a package offers
        if isinstance(above, cst.FunctionDef) and not above.decorators:
            return False
        above = parents.get(above)
    return True


def _changed(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            # Of a string's mutants one is enough: another name is another name.
            yield from islice(operator(node), 1 if isinstance(node, cst.SimpleString) else None)


def _entries(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A table without one of its entries, or with the next entry's value in its place."""
    if not isinstance(node, cst.Dict | cst.Set | cst.Tuple | cst.List):
        return
    entries = cast("Sequence[cst.DictElement]", node.elements)
    for n, entry in enumerate(entries):
        fewer = [*entries[:n], *entries[n + 1 :]]
        empty_set = isinstance(node, cst.Set) and not fewer
        yield cst.Call(cst.Name("set")) if empty_set else node.with_changes(elements=fewer)
        following = entries[(n + 1) % len(entries)]
        if isinstance(entry, cst.DictElement) and isinstance(following, cst.DictElement):
            swapped = entry.with_changes(value=following.value)
            yield node.with_changes(elements=[*entries[:n], swapped, *entries[n + 1 :]])


def _difference(source: str, mutated: str) -> str:
    lines = difflib.unified_diff(source.splitlines(), mutated.splitlines(), lineterm="", n=0)
    return " ".join(line.strip() for line in lines if line[:3] not in ("---", "+++") and line[:2] != "@@")


def survives(mutant: Mutant, where: Path, tests: Sequence[str]) -> bool:
    """Whether all tests pass with the mutant in the copy of the checkout that lies in `where`."""
    path = where / mutant.module
    source = path.read_text(encoding="utf-8")
    path.write_text(mutant.source, encoding="utf-8")
    try:
        return _passes(where, QUICK) and _passes(where, tests)
    finally:
        path.write_text(source, encoding="utf-8")


def _passes(where: Path, tests: Sequence[str], *, write_bytecode: bool = False) -> bool:
    """Whether the tests pass, in a process of their own that has pytest imported and nothing of ours."""
    run = multiprocessing.get_context("fork").Process(target=_run, args=(where, tests, write_bytecode))
    run.start()
    run.join(TIMEOUT_S)
    if run.is_alive():
        run.kill()
        run.join()
    return run.exitcode == 0


def _run(where: Path, tests: Sequence[str], write_bytecode: bool) -> None:
    # Of a mutant none is written: one of the same size and second would be taken for the one before.
    sys.dont_write_bytecode = not write_bytecode
    os.chdir(where)
    sys.path.insert(0, str(where))
    for name in [name for name in sys.modules if name.partition(".")[0] in COPIED]:
        del sys.modules[name]
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests]))


def main(names: Sequence[str]) -> int:
    settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    tests = settings["tool"]["mutmut"]["pytest_add_cli_args_test_selection"]
    modules = [RULES / f"{name}.py" for name in names] or sorted(RULES.glob("*.py"))
    survivors = 0
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch)
        for name in COPIED:
            copy = shutil.copytree if Path(name).is_dir() else shutil.copy
            copy(name, where / name)
        if not _passes(where, tests, write_bytecode=True):
            raise SystemExit("the tests fail without any mutant: mend them first")
        for module in modules:
            mutants = list(mutants_of(module))
            alive = [mutant for mutant in mutants if survives(mutant, where, tests)]
            survivors += len(alive)
            print(f"{module}: {len(mutants)} mutants, {len(alive)} survive", flush=True)
            for mutant in alive:
                print(f"    {mutant.line}", flush=True)
    return min(survivors, 1)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
