"""Python source that assigns literals, read as a syntax tree and never run."""

from __future__ import annotations

import ast
import io
import operator
import tokenize
import warnings

from scenario_ratio import wording
from scenario_ratio.files import decode
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.shape import NUMBER_LIMIT

SIZE_LIMIT = 1_000_000  # bytes; the largest upstream file of this kind has about 140,000
DEPTH_LIMIT = 50  # the upstream file nests six deep
CHAIN_LIMIT = 500  # tokens between two commas; the longest expression upstream has about ten
LINE_LIMIT = 5_000  # characters; some tokenizers of Python 3.12 take quadratic time over a line

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_ALLOWED = "a literal, a tuple, a list, a dict, or + - * / on numbers"


class _Refused(Exception):
    """Something that is not a literal or arithmetic on numbers, at a line."""


def assignments(raw: bytes, name: str, names: tuple[str, ...]) -> dict:
    """Return the values that the Python source ``raw`` assigns to ``names``, in that order.

    The source is never run; its other statements are not looked into. Raises BundleError, with the line, on anything in
    these assignments but literals, tuples, lists, dicts, + - * / and unary minus on numbers; if a name is not assigned
    exactly once, or is touched in any other way; and on a file of a megabyte or nesting too deep.
    """
    if len(raw) >= SIZE_LIMIT:
        raise BundleError(
            Problem(name, found=wording.numbered(len(raw), "byte/bytes"), expected=f"less than {SIZE_LIMIT} bytes")
        )
    tree = _tree(decode(raw, name), name)
    problems, values = [], {}
    for statement in tree.body:
        try:
            assigned = _assigned_name(statement, names)
            if assigned in values:
                raise _Refused(statement.lineno, f"a second assignment of {assigned}", "one assignment")
            if assigned:
                values[assigned] = _value(statement.value, 0)
        except _Refused as refusal:
            line, found, expected = refusal.args
            problems.append(Problem(name, f"line {line}", found=found, expected=expected))
    absent = [Problem(name, "", one, "no assignment", "one assignment") for one in names if one not in values]
    raise_if_any(problems or absent)
    return {wanted: values[wanted] for wanted in names}


def _refuse_chains(text: str) -> None:
    """Raise _Refused on an expression chained too long: Python 3.9 to 3.12 can crash on a tree that deep.

    Tokens are counted per bracket level since the last comma or end of statement, since 1+1+... and a.a.a...
    grow a tree as deep as they are long without any nesting that the parser itself would refuse. A lambda grows it
    across commas, and before Python 3.12 a formatted string is one token with a tree inside.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_LIMIT:
            raise _Refused(number, f"a line of {len(line)} characters", f"at most {LINE_LIMIT} characters")
    chains, lambdas = [0], 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.string in (",", ";") or token.type == tokenize.NEWLINE:
            chains[-1] = 0
        elif token.type == tokenize.OP and token.string in "([{":
            chains[-1] += 1
            chains.append(0)
        elif token.type == tokenize.OP and token.string in ")]}":
            chains[-2:] = chains[-2:-1] or [0]
        elif token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.OP, tokenize.STRING):
            chains[-1] += 1
        lambdas = 0 if token.type == tokenize.NEWLINE else lambdas + (token.string == "lambda")
        formatted = token.type == tokenize.STRING and token.string.lower().startswith(("f", "rf"))
        long = chains[-1] > CHAIN_LIMIT or (formatted and len(token.string) > CHAIN_LIMIT)
        if long or max(len(chains), lambdas) > DEPTH_LIMIT:
            raise _Refused(token.start[0], "nesting too deep to read", "the checker's flat tables")


def _tree(text: str, name: str) -> ast.Module:
    expected = "Python literals and arithmetic"
    try:
        _refuse_chains(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except _Refused as refusal:
        line, found, expected = refusal.args
        place = f"line {line}"
    except tokenize.TokenError as error:
        place, found = f"line {error.args[1][0]}", "an unfinished statement"
    except SyntaxError as error:
        place, found = f"line {error.lineno or 0}", "no Python syntax"
    except (RecursionError, MemoryError):
        place, found = "", "nesting too deep to read"
    raise BundleError(Problem(name, place, found=found, expected=expected))


def _assigned_name(statement: ast.stmt, names: tuple[str, ...]) -> str | None:
    """Return which of ``names`` a top-level statement assigns, or None if it does not touch them.

    A statement that touches one in any other way (an update, a second target, a deletion) is refused: what it
    does cannot be known without running it. Bodies of functions and classes are not run by an import's reader.
    """
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and statement.name not in names:
        return None
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign) and statement.value:
        targets = [statement.target]
    if len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id in names:
        return targets[0].id
    for node in ast.walk(statement):
        for part in ("id", "name", "asname"):  # a name; a function, class or import; an import under that name
            if getattr(node, part, None) in names:
                line = getattr(node, "lineno", statement.lineno)
                raise _Refused(line, f"a use of {getattr(node, part)}", "one plain assignment")
    return None


def _value(node: ast.expr, depth: int) -> object:
    if depth > DEPTH_LIMIT:
        raise _Refused(node.lineno, f"more than {DEPTH_LIMIT} levels of nesting", "the checker's flat tables")
    if isinstance(node, ast.Constant):
        return _constant(node.value, node)
    if isinstance(node, (ast.Tuple, ast.List)):
        return tuple(_value(member, depth + 1) for member in node.elts)
    if isinstance(node, ast.Dict):
        return _dict(node, depth + 1)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand, depth + 1)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _number(node.left, depth + 1), _number(node.right, depth + 1)
        if isinstance(node.op, ast.Div) and right == 0:
            raise _Refused(node.lineno, "a division by zero", "a number")
        return _constant(_OPERATORS[type(node.op)](left, right), node)
    kind = type(getattr(node, "op", node)).__name__
    raise _Refused(node.lineno, f"an expression of kind {kind}", _ALLOWED)


def _constant(value: object, node: ast.expr) -> object:
    """Return a value that stands in the source or was computed from it; raises _Refused on one that may not."""
    if type(value) in (int, float) and not -NUMBER_LIMIT < value < NUMBER_LIMIT:
        raise _Refused(node.lineno, "a number out of range", f"a number below {NUMBER_LIMIT:g}")
    if value is not None and type(value) not in (str, bool, int, float):
        raise _Refused(node.lineno, f"a {type(value).__name__} literal", _ALLOWED)
    return value


def _number(node: ast.expr, depth: int) -> int | float:
    value = _value(node, depth)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise _Refused(node.lineno, shown(value), "a number")


def _dict(node: ast.Dict, depth: int) -> dict:
    value: dict = {}
    for key_node, member in zip(node.keys, node.values):
        if not (isinstance(key_node, ast.Constant) and isinstance(key_node.value, str)):
            raise _Refused(member.lineno, "a key that is not a string literal", "a string literal")
        if key_node.value in value:
            raise _Refused(key_node.lineno, f"the key {shown(key_node.value)} twice", "each key once")
        value[key_node.value] = _value(member, depth)
    return value
