#!/usr/bin/env python3
"""zero_half.py N D [ROWS]: how far zero-half cuts lower the LP of lines, 2^D cubes and sub-boxes of N^D, in floats. Needs numpy and scipy.

The LP is solved on the orbits of squares. Of its tight rows (all images, at most ROWS of them, drawn at random) some may add up to a row that is even on
all squares of the optimum and has an odd right-hand side. Halved and rounded down it is a zero-half cut, violated by 1/2; Gaussian elimination modulo 2
finds such sums, or shows that there are none. Five cuts at a time are averaged over the symmetries and join the LP.
"""
import argparse
import itertools
import random
import time
from collections import Counter

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, vstack

# The most queens on K^D, for sub-boxes: maxima, and 148 as a bound.
KNOWN = {4: {3: 6, 4: 16, 5: 38, 6: 80, 7: 148}, 5: {3: 11, 4: 32}}


def rows_of(n, d):
    """Squares of each row and its right-hand side."""
    def inside(x):
        return all(0 <= c < n for c in x)

    for v in itertools.product((-1, 0, 1), repeat=d):
        if next((c for c in v if c), -1) < 0:
            continue
        for x in itertools.product(range(n), repeat=d):
            if inside([a - b for a, b in zip(x, v)]):
                continue
            line = list(itertools.takewhile(inside, (tuple(a + k * b for a, b in zip(x, v)) for k in itertools.count())))
            if len(line) > 1:
                yield line, 1
    for k in range(1, n):
        for x in itertools.product(range(n - k), repeat=d):
            cube = [tuple(a + k * b for a, b in zip(x, e)) for e in itertools.product((0, 1), repeat=d)]
            yield cube + [tuple(a + k // 2 for a in x)] * (k % 2 == 0), 1
    for k, most in KNOWN.get(d, {}).items():
        for x in itertools.product(range(n - k + 1), repeat=d) if k < n else ():
            yield list(itertools.product(*[range(a, a + k) for a in x])), most


def odd_sums(rows, bit):
    """Up to five sets of rows whose sum is even on the squares with a bit, with an odd right-hand side."""
    pivots, found = {}, []
    for number, (squares, most) in enumerate(rows):
        row, used, odd = 0, 1 << number, most & 1
        for square in squares:
            row ^= bit[square]
        while row and (pivot := pivots.get(row.bit_length())):
            row, used, odd = row ^ pivot[0], used ^ pivot[1], odd ^ pivot[2]
        if row:
            pivots[row.bit_length()] = (row, used, odd)
        elif odd:
            found.append([k for k in range(number + 1) if used >> k & 1])
            if len(found) == 5:
                break
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", type=int, choices=range(2, 20))
    parser.add_argument("d", type=int, choices=range(2, 10))
    parser.add_argument("rows", type=int, nargs="?", default=60000)
    options = parser.parse_args()
    n, d, drawn = options.n, options.d, max(options.rows, 1)
    orbit_of = {x: tuple(sorted(min(c, n - 1 - c) for c in x)) for x in itertools.product(range(n), repeat=d)}
    sizes = Counter(orbit_of.values())
    number = {orbit: k for k, orbit in enumerate(sorted(sizes))}
    images = {}
    for squares, most in rows_of(n, d):
        images.setdefault((tuple(sorted(Counter(number[orbit_of[x]] for x in squares).items())), most), []).append(squares)
    entries = [(k, orbit, count) for k, (row, _) in enumerate(images) for orbit, count in row]
    k, orbits, counts = zip(*entries)
    matrix, most = csr_matrix((counts, (k, orbits)), dtype=float), np.array([most for _, most in images], dtype=float)
    weights = np.array([sizes[orbit] for orbit in sorted(sizes)], dtype=float)
    cuts, begin = [], time.time()
    for turn in itertools.count():
        all_rows = vstack([matrix] + [csr_matrix(cut) for cut, _ in cuts])
        x = linprog(-weights, A_ub=all_rows, b_ub=np.concatenate([most, [b for _, b in cuts]]), bounds=(0, 1)).x
        slack = most - matrix @ x
        tight = [(squares, b) for ((_, b), all_), s in zip(images.items(), slack) if s < 1e-7 for squares in all_]
        random.seed(turn)
        random.shuffle(tight)
        support = [square for square, orbit in orbit_of.items() if x[number[orbit]] > 1e-9]
        bit = dict.fromkeys(orbit_of, 0) | {square: 1 << k for k, square in enumerate(support)}
        found = odd_sums(tight[:drawn], bit)
        print(f"{n}^{d}: LP {weights @ x:.4f} with {len(cuts)} cuts, {len(tight)} tight rows, {sum(b > 1 for _, b in tight)} of them boxes; "
              f"{len(found)} more cuts, {time.time() - begin:.0f} s", flush=True)
        if not found:
            return
        for chosen in found:
            total = Counter(square for k in chosen for square in tight[k][0])
            cut = np.zeros(len(sizes))
            for square, count in total.items():
                cut[number[orbit_of[square]]] += count // 2
            cuts.append((cut, sum(tight[k][1] for k in chosen) // 2))


if __name__ == "__main__":
    main()
