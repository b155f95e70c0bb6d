"""A second checker of VIPR files about boxes and tori.

It is written from the specification of the format and from docs/vipr.md and shares no code with the checker in Rust. It reads whole files,
finds lines by walking over squares, and adds fractions.

    checker.py FOLDER

checks each file in the folder and prints a line for each: its name, "accepted BOUND", "refused RULE" or "limit RULE".
"""

import itertools
import math
import re
import sys
from fractions import Fraction
from pathlib import Path


class Refused(Exception):
    """The file breaks a rule."""


class Limit(Exception):
    """The file is beyond a limit."""


def rule(holds, words):
    if not holds:
        raise Refused(words)


def natural(word):
    rule(re.fullmatch(r"0|[1-9][0-9]*", word), f"natural number {word[:20]}")
    if len(word) > 20 or int(word) >= 2**64:
        raise Limit("2^64")
    return int(word)


def rational(word):
    parts = re.fullmatch(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*)|\.([0-9]+))?", word)
    rule(parts, f"rational number {word[:20]}")
    sign, whole, below, decimals = parts.groups()
    above = whole + (decimals or "")
    if len(above) > 10_000 or len(below or "") > 10_000:
        raise Limit("10,000 digits")
    value = Fraction(int(above), int(below or 1) * 10 ** len(decimals or ""))
    return -value if sign else value


class Board:
    """Squares, lines and symmetries of a box or torus."""

    def __init__(self, name):
        rule(re.fullmatch(r"[a-z0-9:^]+", name) and not re.search(r"(?<![0-9])0[0-9]", name), "name of a board")
        self.piece, self.torus = "queen", False
        for word in name.split(":")[:-1]:
            rule(word in ("queen", "rook", "bishop", "torus"), "kind of board")
            if word == "torus":
                self.torus = True
            else:
                self.piece = word
        sides = name.split(":")[-1]
        if "^" in sides:
            side, axes = map(int, sides.split("^"))
            self.sides = [side] * axes
        else:
            rule(re.fullmatch(r"[0-9]+(x[0-9]+)*", sides), "sides")
            self.sides = [int(side) for side in sides.split("x")]
        if math.prod(self.sides) > 4096:
            raise Limit("4096 squares")
        self.squares = list(itertools.product(*map(range, self.sides)))
        self.number = {square: number for number, square in enumerate(self.squares)}

    def directions(self):
        for step in itertools.product((-1, 0, 1), repeat=len(self.sides)):
            moving = [axis for axis, part in enumerate(step) if part]
            if not moving or step[moving[0]] < 0 or any(self.sides[axis] == 1 for axis in moving):
                continue
            if self.torus and self.sides[0] == 2 and -1 in step:
                continue
            if self.piece == "rook" and len(moving) > 1 or self.piece == "bishop" and len(moving) == 1:
                continue
            yield step

    def lines(self):
        for step in self.directions():
            lead = next(axis for axis, part in enumerate(step) if part)
            for first in self.squares:
                if self.torus:
                    if first[lead]:
                        continue
                    length = self.sides[0]
                    line = [
                        self.number[tuple((x + times * part) % length for x, part in zip(first, step))]
                        for times in range(length)
                    ]
                else:
                    if tuple(x - part for x, part in zip(first, step)) in self.number:
                        continue
                    line, square = [], first
                    while square in self.number:
                        line.append(self.number[square])
                        square = tuple(x + part for x, part in zip(square, step))
                if len(line) > 1:
                    yield sorted(line)

    def orbit(self, square):
        """Returns a key that all images of a square under reflections and exchanges of equal axes share."""
        ends = {}
        for x, side in zip(self.squares[square], self.sides):
            ends.setdefault(side, []).append(min(x, side - 1 - x))
        return tuple((side, tuple(sorted(values))) for side, values in sorted(ends.items()))


PROBLEMS = {"dominating set": (False, True), "independent dominating set": (True, True)}


def program(board, problem, included, symmetry, limit):
    """Returns the lines of the program, and its constraints as (terms, sense, right)."""
    n = len(board.squares)
    independent, dominating = PROBLEMS.get(problem, (True, False))
    lines = list(board.lines())
    around = [{v} for v in range(n)]
    for line in lines:
        for v in line:
            around[v].update(line)
    rows = [(f"l{v}", "G", 0, [(v, 1)]) for v in range(n)]
    rows += [(f"u{v}", "L", 1, [(v, 1)]) for v in range(n)]
    if independent:
        rows += [(f"r{number}", "L", 1, [(v, 1) for v in line]) for number, line in enumerate(lines)]
    if dominating:
        rows += [(f"c{v}", "G", 1, [(u, 1) for u in sorted(around[v])]) for v in range(n)]
    rule(all(square < n for square in included), "included square of the board")
    rule(sorted(set(included)) == included, "increasing included squares")
    pairs = itertools.combinations(included, 2)
    rule(not independent or all(u not in around[v] for u, v in pairs), "independent included squares")
    rows += [(f"i{square}", "G", 1, [(square, 1)]) for square in included]
    rule(not symmetry or not board.torus, "symmetry of a box")
    rule(not symmetry or not included, "symmetry without included squares")
    rule(all(square < n for square in symmetry), "square of the board")
    rule(len({board.orbit(square) for square in symmetry}) == len(symmetry), "different orbits")
    for place, square in enumerate(symmetry):
        for other in range(n):
            if other != square and board.orbit(other) == board.orbit(square):
                rows.append((f"s{other}", "L", 0, [(other, 1)] + [(v, -1) for v in symmetry[: place + 1]]))
    everything = [(v, 1) for v in range(n)]
    if limit is not None:
        rows.append(("k", "L" if dominating else "G", limit, everything))

    def sparse(terms):
        return " ".join([str(len(terms))] + [f"{v} {a}" for v, a in terms])

    text = [
        f"VAR {n}",
        " ".join(f"x{v}" for v in range(n)),
        f"INT {n}",
        " ".join(map(str, range(n))),
        "OBJ min" if dominating else "OBJ max",
        sparse(everything),
        f"CON {len(rows)} {2 * n}",
    ]
    for name, sense, right, terms in rows:
        text.append(f"{name} {sense} {right} " + ("OBJ" if name == "k" else sparse(terms)))
    constraints = [(dict((v, Fraction(a)) for v, a in terms), sense, Fraction(right)) for _, sense, right, terms in rows]
    return text, constraints


def absurd(constraint):
    terms, sense, right = constraint
    return not terms and (right < 0 if sense == "L" else right > 0 if sense == "G" else right != 0)


def dominates(one, other):
    if absurd(one):
        return True
    if one[0] != other[0]:
        return False
    if other[1] == "E":
        return one[1] == "E" and one[2] == other[2]
    if one[1] not in ("E", other[1]):
        return False
    return one[2] <= other[2] if other[1] == "L" else one[2] >= other[2]


def half_space(constraint):
    """Returns the constraint with a positive first coefficient, as a key."""
    terms, sense, right = constraint
    first = min(terms, default=None)
    if first is not None and terms[first] < 0:
        terms, right = {variable: -value for variable, value in terms.items()}, -right
        sense = {"L": "G", "G": "L", "E": "E"}[sense]
    return tuple(sorted(terms.items())), sense, right


class Line:
    """Words of a line, read one after the other."""

    def __init__(self, words):
        self.words = words
        self.place = 0

    def next(self):
        rule(self.place < len(self.words), "a word more")
        self.place += 1
        word = self.words[self.place - 1]
        if len(word) > 20_002:
            raise Limit("long word")
        return word

    def end(self):
        rule(self.place == len(self.words), "a word fewer")

    def is_next(self, word):
        return self.place < len(self.words) and self.words[self.place] == word


class Text(Line):
    """Words of a text. Ends of lines are words too, which are skipped."""

    def __init__(self, text):
        super().__init__([word for line in text.replace("\r", " ").split("\n") for word in [*line.split(), "\n"]])

    def next(self):
        while super().is_next("\n"):
            self.place += 1
        return super().next()

    def is_next(self, word):
        while super().is_next("\n"):
            self.place += 1
        return super().is_next(word)

    def end(self):
        pass

    def lines(self):
        """Returns the lines after this one."""
        rule(super().is_next("\n"), "end of the line")
        return " ".join(self.words[self.place + 1 :]).encode().split(b"\n")[:-1]


class Checker:
    def __init__(self, data):
        rule(data.endswith(b"\n"), "line feed at the end")
        self.lines = data[:-1].split(b"\n")
        self.at = 0
        self.text = None
        self.pairs = set()

    def comment(self):
        rule(self.at < len(self.lines), "end of the file")
        self.at += 1
        try:
            text = self.lines[self.at - 1].decode()
        except UnicodeDecodeError:
            raise Refused("UTF-8") from None
        if self.reordered:
            text = text.rstrip(" \r")
        rule(text.isprintable(), "control character")
        return text

    def line(self):
        if self.text:
            return self.text
        rule(self.at < len(self.lines), "end of the file")
        text = self.lines[self.at]
        self.at += 1
        rule(all(0x20 <= byte <= 0x7E for byte in text), "printable ASCII")
        return Line([word for word in text.decode().split(" ") if word])

    def check(self):
        self.reordered = self.lines[0] == b"% ndqueens vipr 2"
        rule(self.reordered or self.comment() == "% ndqueens vipr 1", "header")
        self.at = 1
        text = self.comment()
        rule(text.startswith("% board "), "board")
        self.board = Board(text[len("% board ") :])
        problem, included, symmetry, limit = None, [], [], None
        text = self.comment()
        if text.startswith("% problem "):
            problem = text[len("% problem ") :]
            rule(problem in PROBLEMS, "problem")
            text = self.comment()
        if text.startswith("% include "):
            included = [natural(word) for word in text[len("% include ") :].split(" ")]
            text = self.comment()
        if text.startswith("% symmetry "):
            symmetry = [natural(word) for word in text[len("% symmetry ") :].split(" ")]
            text = self.comment()
        self.maximises = problem is None
        comment = "% at least " if self.maximises else "% at most "
        if text.startswith(comment):
            limit = natural(text[len(comment) :])
            rule(limit > 0 if self.maximises else limit < 2**64 - 1, "limit")
            text = self.comment()
        rule(text in ("VER 1.0", "VER 1.1"), "version")
        head, self.constraints = program(self.board, problem, included, symmetry, limit)
        self.variables = len(self.board.squares)
        self.better = 1 if self.maximises else -1
        self.factor = 1
        if self.reordered:
            self.other_program(problem != "dominating set", included, limit)
        else:
            for expected in head:
                rule(self.at < len(self.lines) and self.lines[self.at] == expected.encode(), "program")
                self.at += 1
            self.objective = {v: Fraction(1) for v in range(self.variables)}
        bound, attained = self.statement(limit)
        best = self.solutions()
        rule(best is None or bound is not None, "infeasible with a solution")
        if bound is not None:
            rule(attained is None or (best is not None and self.better * (best - attained) >= 0), "bound attained")
            rule(best is None or self.better * (best - bound) <= 0, "solution beyond the bound")
        first = len(self.constraints)
        assumptions = self.derivations(best)
        free = [constraint for constraint, rests in zip(self.constraints[first:], assumptions[first:]) if not rests]
        if not self.reordered:
            rule(not assumptions[-1], "assumptions left")
            free = free[-1:]
        if bound is None:
            rule(any(map(absurd, free)), "absurdity")
            return limit - self.better
        target = self.on_squares("L" if self.maximises else "G", bound)
        rule(any(dominates(constraint, target) for constraint in free), "bound derived")
        return math.floor(bound) if self.maximises else math.ceil(bound)

    def on_squares(self, sense, squares):
        """Returns a limit on the number of squares as a constraint on the objective."""
        if self.factor < 0:
            sense, squares = "L" if sense == "G" else "G", -squares
        return self.objective, sense, Fraction(squares)

    def is_clique(self, key):
        """Returns True if a constraint allows one of several squares that lie pairwise on common lines."""
        terms, sense, right = key
        if (sense, right) != ("L", 1) or len(terms) < 2 or any(value != 1 for _, value in terms):
            return False
        if not self.pairs:
            for line in self.board.lines():
                self.pairs.update(map(frozenset, itertools.combinations(line, 2)))
        return all(frozenset((a, b)) in self.pairs for (a, _), (b, _) in itertools.combinations(terms, 2))

    def other_program(self, independent, included, limit):
        """Reads the program of the board with variables and constraints in any order, and replaces it."""
        rest = b"\n".join(self.lines[self.at :])
        rule(all(0x20 <= byte <= 0x7E or byte in b"\r\n" for byte in rest), "printable ASCII")
        self.text = line = Text(rest.decode())
        n = self.variables
        rule(line.next() == "VAR" and natural(line.next()) == n, "variables")
        names = [line.next() for _ in range(n)]
        plain = [name[2:] if name.startswith("t_") else name for name in names]
        expected = ["x_" + "_".join(map(str, square)) for square in self.board.squares]
        rule(sorted(plain) == sorted(expected), "names of variables")
        square_of = [expected.index(name) for name in plain]
        rule(line.next() == "INT" and natural(line.next()) == n, "integer variables")
        rule(sorted(natural(line.next()) for _ in range(n)) == list(range(n)), "all variables are integers")
        rule(line.next() == "OBJ", "objective")
        direction = line.next()
        rule(direction in ("min", "max"), "direction")
        self.factor = 1 if (direction == "max") == self.maximises else -1
        self.objective = self.terms(line)
        if limit is not None and not self.objective:
            self.factor = 0
        else:
            rule(self.objective == {v: Fraction(self.factor) for v in range(n)}, "objective of the program")
        rule(line.next() == "CON", "constraints")
        number = natural(line.next())
        natural(line.next())
        own = {half_space(constraint) for constraint in self.constraints}
        missing = own - {half_space(({v: Fraction(1)}, "G", Fraction(0))) for v in included}
        self.constraints = []
        for _ in range(number):
            self.name(line)
            sense = line.next()
            rule(sense in ("E", "L", "G"), "sense")
            right = rational(line.next())
            constraint = (self.left(line), sense, right)
            terms, sense, right = constraint
            key = half_space(({square_of[v]: value for v, value in terms.items()}, sense, right))
            rule(key in own or (independent and self.is_clique(key)), "constraint of the program")
            missing.discard(key)
            self.constraints.append(constraint)
        rule(not missing, "all constraints of the program")

    def statement(self, limit):
        """Returns the bound that is proved, and the bound that a solution attains."""
        line = self.line()
        rule(line.next() == "RTP", "RTP")
        kind = line.next()
        rule(kind == ("range" if limit is None else "infeas"), "statement")
        bound = attained = None
        if kind == "range":
            word = line.next()
            lower = None if word == "-inf" else rational(word)
            word = line.next()
            upper = None if word == "inf" else rational(word)
            rule(lower is None or upper is None or lower <= upper, "range")
            if self.factor < 0:
                lower, upper = (None if value is None else -value for value in (upper, lower))
            bound, attained = (upper, lower) if self.maximises else (lower, upper)
            rule(bound is not None, "a bound")
            rounded = math.floor(bound) if self.maximises else math.ceil(bound)
            rule(0 <= rounded < 2**64, "bound of 64 bits")
        line.end()
        return bound, attained

    def terms(self, line):
        word = line.next()
        number = natural(word)
        rule(number <= self.variables, "number of variables")
        terms = {}
        for _ in range(number):
            variable = natural(line.next())
            rule(variable < self.variables and variable not in terms, "variable")
            terms[variable] = rational(line.next())
        return {variable: value for variable, value in terms.items() if value}

    def left(self, line):
        if line.is_next("OBJ"):
            line.next()
            return self.objective
        return self.terms(line)

    def name(self, line):
        rule(not line.next().startswith("%"), "comment")

    def solutions(self):
        line = self.line()
        rule(line.next() == "SOL", "SOL")
        number = natural(line.next())
        line.end()
        best = None
        for _ in range(number):
            line = self.line()
            self.name(line)
            values = self.terms(line)
            line.end()
            rule(all(value == 1 for value in values.values()), "0 or 1")
            for terms, sense, right in self.constraints:
                left = sum(value for variable, value in terms.items() if variable in values)
                rule(left <= right if sense == "L" else left >= right, "constraint satisfied")
            if best is None or self.better * (len(values) - best) > 0:
                best = len(values)
        return best

    def derivations(self, best):
        line = self.line()
        rule(line.next() == "DER", "DER")
        number = natural(line.next())
        rule(number > 0, "derivations")
        line.end()
        if self.text:
            self.lines, self.at, self.text = self.text.lines(), 0, None
        first = len(self.constraints)
        assumptions = [frozenset()] * first
        last_uses = [None] * first

        def used(line, now):
            index = natural(line.next())
            rule(index < now, "earlier constraint")
            rule(last_uses[index] is None or now <= last_uses[index], "last use")
            return index

        for now in range(first, first + number):
            line = self.line()
            self.name(line)
            sense = line.next()
            rule(sense in ("E", "L", "G"), "sense")
            right = rational(line.next())
            claim = (self.left(line), sense, right)
            rule(line.next() == "{", "brace")
            reason = line.next()
            if reason == "asm":
                rests = frozenset([now])
            elif reason in ("lin", "rnd"):
                rests = self.combination(line, reason, claim, now, used, assumptions)
            elif reason == "uns":
                one, side, other, opposite = (used(line, now) for _ in range(4))
                rule(dominates(self.constraints[one], claim) and dominates(self.constraints[other], claim), "branches")
                below, above = sorted((self.constraints[side], self.constraints[opposite]), key=lambda c: c[1] != "L")
                rule((below[1], above[1]) == ("L", "G") and below[0] == above[0], "sides")
                rule(all(value.denominator == 1 for value in below[0].values()), "integer coefficients")
                rule(below[2].denominator == 1 and below[2] + 1 == above[2], "integer sides")
                rests = (assumptions[one] - {side}) | (assumptions[other] - {opposite})
            elif reason == "sol":
                rule(best is not None, "solution")
                sense = "G" if self.maximises else "L"
                rule(dominates(self.on_squares(sense, best + self.better), claim), "cutoff")
                rests = frozenset()
            else:
                raise Refused("reason")
            rule(line.next() == "}", "brace")
            word = line.next()
            last_use = None if word == "-1" else natural(word)
            rule(last_use is None or last_use < first + number, "index of the last use")
            if self.reordered and line.is_next("global"):
                line.next()
            line.end()
            self.constraints.append(claim)
            assumptions.append(rests)
            last_uses.append(last_use)
        rule(self.at == len(self.lines), "end of the file")
        return assumptions

    def combination(self, line, reason, claim, now, used, assumptions):
        word = line.next()
        if word in ("weak", "incomplete"):
            raise Limit("extension")
        number = natural(word)
        rule(number <= now, "number of constraints")
        terms, right, directions, seen, rests = {}, Fraction(0), set(), set(), frozenset()
        for _ in range(number):
            index = used(line, now)
            rule(index not in seen, "distinct constraints")
            seen.add(index)
            times = rational(line.next())
            row, sense, bound = self.constraints[index]
            directions.add({"E": 0, "L": -1, "G": 1}[sense] * ((times > 0) - (times < 0)))
            for variable, value in row.items():
                terms[variable] = terms.get(variable, 0) + times * value
            right += times * bound
            rests |= assumptions[index]
        directions.discard(0)
        rule(len(directions) < 2, "one direction")
        sense = {0: "E", -1: "L", 1: "G"}[directions.pop() if directions else 0]
        terms = {variable: value for variable, value in terms.items() if value}
        if reason == "rnd":
            rule(sense != "E" and all(value.denominator == 1 for value in terms.values()), "rounding")
            right = Fraction(math.floor(right) if sense == "L" else math.ceil(right))
        rule(dominates((terms, sense, right), claim), "domination")
        return rests


def verdict(data):
    try:
        return f"accepted {Checker(data).check()}"
    except Refused as fault:
        return f"refused {fault}"
    except Limit as fault:
        return f"limit {fault}"


def main():
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    for path in sorted(Path(sys.argv[1]).iterdir()):
        print(path.name, verdict(path.read_bytes()))


if __name__ == "__main__":
    main()
