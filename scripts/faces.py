#!/usr/bin/env python3
"""faces.py BOARD FORMULATION...: the dimension of the face of every inequality of a formulation, by enumeration.

`ndq model BOARD -f FORMULATION` writes the inequalities. The program lists all independent sets of the board (all dominating
sets for `domination`) from the definition of an attack, checks each inequality against each of them, and computes the affine
rank of those that satisfy it with equality, in whole numbers. One inequality of each orbit under the symmetries of the box is
examined. It prints a row for each family, right-hand side, number of squares and dimension. For `full` the sets are those of as
many squares as the board has lines along its first axis. For `symmetry` and `lex`, which cut off solutions, it prints how many
sets satisfy all rows of the family, and whether every set has an image among them.

Boards: n^d and AxBxC of at most about 100 squares, with the prefix `rook:` or `bishop:`, and tori.
"""

import itertools
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter


class Board:
    """The squares of a box or a torus, and which of them attack each other."""

    def __init__(self, name):
        *kinds, size = name.split(":")
        if "^" in size:
            side, d = map(int, size.split("^"))
            self.sides = (side,) * d
        else:
            self.sides = tuple(map(int, size.split("x")))
        self.torus = "torus" in kinds
        self.piece = next((kind for kind in kinds if kind != "torus"), "queen")
        self.squares = list(itertools.product(*map(range, self.sides)))
        self.number = {square: i for i, square in enumerate(self.squares)}
        directions = [e for e in itertools.product((-1, 0, 1), repeat=len(self.sides)) if self.moves_along(e)]
        self.attacked = [self.reached(square, directions) for square in self.squares]

    def moves_along(self, e):
        """Returns True if the piece moves along the direction e."""
        nonzero = sum(map(abs, e))
        return nonzero > 0 and (self.piece == "queen" or (nonzero == 1) == (self.piece == "rook"))

    def reached(self, square, directions):
        """Returns the set of the numbers of the squares that a piece on the square attacks, as bits."""
        found = 0
        for e in directions:
            for step in range(1, math.lcm(*self.sides) if self.torus else max(self.sides)):
                other = tuple(s + step * x for s, x in zip(square, e))
                if self.torus:
                    other = tuple(s % n for s, n in zip(other, self.sides))
                if other in self.number and other != square:
                    found |= 1 << self.number[other]
        return found

    def independent_sets(self):
        """Returns all independent sets, as lists of square numbers."""
        sets = []

        def extend(chosen, free):
            sets.append(chosen)
            while free:
                s = free.bit_length() - 1
                free ^= 1 << s
                extend([*chosen, s], free & ~self.attacked[s])

        extend([], (1 << len(self.squares)) - 1)
        return sets

    def dominating_sets(self):
        """Returns all sets of squares that hold or attack every square."""
        n = len(self.squares)
        closed = [self.attacked[s] | 1 << s for s in range(n)]
        sets = []

        def extend(s, chosen, missing):
            if s == n:
                if not missing:
                    sets.append(chosen)
                return
            extend(s + 1, [*chosen, s], missing & ~closed[s])
            extend(s + 1, chosen, missing)

        extend(0, [], (1 << n) - 1)
        return sets

    def symmetries(self):
        """Returns the symmetries of the box that permute and reverse its axes, as lists of square numbers."""
        d = len(self.sides)
        maps = []
        for axes in itertools.permutations(range(d)):
            if tuple(self.sides[a] for a in axes) != self.sides:
                continue
            for reversed_axes in itertools.product((False, True), repeat=d):
                image = []
                for square in self.squares:
                    moved = tuple(square[a] for a in axes)
                    moved = tuple(n - 1 - s if r else s for s, r, n in zip(moved, reversed_axes, self.sides))
                    image.append(self.number[moved])
                maps.append(image)
        return maps


def refuse(why):
    """Ends the program with a sentence and exit code 2."""
    print(f"faces.py: {why}", file=sys.stderr)
    sys.exit(2)


def inequalities(board, name, formulation):
    """Returns the rows that ndq writes, as (family, {square: coefficient}, relation, right-hand side)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.lp")
        command = [os.environ.get("NDQ", "ndq"), "model", name, "-f", formulation, "-o", path]
        if formulation == "full":
            command += ["--exactly", str(len(board.squares) // board.sides[0])]
        try:
            written = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as fault:
            refuse(f"{command[0]} cannot be run: {fault.strerror}")
        if written.returncode:
            said = written.stderr.strip().splitlines()
            refuse(said[0].removeprefix("error: ") if said else f"{command[0]} model failed")
        with open(path, encoding="utf-8") as file:
            text = file.read()
    body = re.split(r"(?m)^Subject To\s*$", text, flags=re.IGNORECASE)[1]
    body = re.split(r"(?m)^(?:Binary|Binaries|Bin|Bounds|General|End)\b", body, flags=re.IGNORECASE)[0]
    rows = []
    for label, row in re.findall(r"(\w+):\s*([^:]*?)(?=\s*\w+:|\s*\Z)", body, flags=re.DOTALL):
        left, relation, right = re.fullmatch(r"(.*?)\s*(<=|>=|=)\s*(-?\d+)\s*", row, flags=re.DOTALL).groups()
        terms = {}
        for sign, factor, square in re.findall(r"([+-]?)\s*(\d*)\s*x_([\d_]+)", left):
            key = board.number[tuple(map(int, square.split("_")))]
            terms[key] = int(sign + (factor or "1"))
        rows.append((re.sub(r"_\d+$", "", label).replace("_", "-"), terms, relation, int(right)))
    return rows


def affine_rank(points, size):
    """Returns the affine dimension of 0/1 vectors that are given by the positions of their ones; -1 of none.

    Keeps whole-number vectors that span the orthogonal complement of the vectors (1, point) so far. Each position has the
    entries of all of them packed into one whole number, so that a point costs one addition for each of its ones.
    """
    width = 160
    rows = [[int(i == j) for j in range(size + 1)] for i in range(size + 1)]

    def packed():
        largest = max((abs(x) for row in rows for x in row), default=0)
        if largest * (size + 1) >= 1 << (width - 1):
            raise OverflowError("entries too large")
        return [sum(row[j] << (width * k) for k, row in enumerate(rows)) for j in range(size + 1)]

    columns = packed()
    for point in points:
        if columns[size] + sum(columns[s] for s in point) == 0:
            continue
        products = [row[size] + sum(row[s] for s in point) for row in rows]
        pivot = min((k for k, p in enumerate(products) if p), key=lambda k: abs(products[k]))
        rest = []
        for k, row in enumerate(rows):
            if k == pivot:
                continue
            if products[k]:
                row = [products[pivot] * a - products[k] * b for a, b in zip(row, rows[pivot])]
                factor = math.gcd(*row)
                row = [a // factor for a in row]
            rest.append(row)
        rows = rest
        if not rows:
            break
        columns = packed()
    return size - len(rows)


def print_kept_sets(formulation, rows, sets, symmetries):
    """Prints how many sets satisfy all rows that break symmetry, and whether every set has an image that does."""
    rows = [(terms, right) for family, terms, _, right in rows if family == formulation]
    kept = {
        frozenset(chosen)
        for chosen in sets
        if all(sum(terms.get(s, 0) for s in chosen) >= right for terms, right in rows)
    }
    complete = all(any(frozenset(image[s] for s in chosen) in kept for image in symmetries) for chosen in sets)
    print(f"{formulation}: {len(kept)} of {len(sets)} sets satisfy it; every set has an image that does: {complete}")


def main():
    if len(sys.argv) < 3:
        refuse("a board and one or more formulations are needed, such as 3^3 cube")
    name, formulations = sys.argv[1], sys.argv[2:]
    board = Board(name)
    size = len(board.squares)
    symmetries = board.symmetries()
    sets = board.dominating_sets() if "domination" in formulations else board.independent_sets()
    if "full" in formulations:
        sets = [chosen for chosen in sets if len(chosen) == size // board.sides[0]]
    print(f"{name}: {size} squares, {len(sets)} sets, dimension {affine_rank(sets, size)}")
    for formulation in formulations:
        rows = inequalities(board, name, formulation)
        if formulation in ("symmetry", "lex"):
            print_kept_sets(formulation, rows, sets, symmetries)
            continue
        orbits = Counter()
        for family, terms, relation, right in rows:
            images = (tuple(sorted((image[s], c) for s, c in terms.items())) for image in symmetries)
            orbits[family, min(images), relation, right] += 1
        found = Counter()
        for (family, terms, relation, right), number in orbits.items():
            weights = [0] * size
            for s, c in terms:
                weights[s] = c
            values = [sum(weights[s] for s in point) for point in sets]
            valid = {"<=": max(values) <= right, ">=": min(values) >= right, "=": set(values) == {right}}[relation]
            if not valid:
                sys.exit(f"{family}: not valid: {terms} {relation} {right}")
            tight = [point for point, value in zip(sets, values) if value == right]
            found[family, right, len(terms), affine_rank(tight, size)] += number
        print(f"{formulation}: {len(rows)} inequalities, all valid")
        for (family, right, squares, dimension), number in sorted(found.items()):
            facet = "  facet" if dimension == size - 1 else ""
            print(f"  {family:15} rhs {right:2}  {squares:3} squares  dimension {dimension:2}  {number:4} of them{facet}")


main()
