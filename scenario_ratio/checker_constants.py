"""Accuracy targets, upper limits, seeds and latency limits, read from checker constants as a syntax tree.

The file is never run or imported. Its form is that of tools/submission/submission_checker/constants.py in
mlcommons/inference at 3fbc329939999c13d0a7b5e67fb2092287e06047: ``MODEL_CONFIG[round]["accuracy-target"][model]``
is ``(metric, reference * factor, ...)``, possibly a dict of such tuples by scenario, and
``LLM_LATENCY_LIMITS[model][scenario]`` is ``{"ttft": ns, "tpot": ns}``.
"""

from __future__ import annotations

import ast
import io
import operator
import tokenize
import warnings
from typing import NamedTuple

from scenario_ratio.files import BundleError, Problem, decode, raise_if_any, shown
from scenario_ratio.loadgen_log import Limits

NAMES = ("MODEL_CONFIG", "LLM_LATENCY_LIMITS")
OLDER_NAMES = {"Server": "conversational"}  # what constants of earlier rounds call the limits of a scenario
SIZE_LIMIT = 1_000_000  # bytes; the largest upstream file of this kind has about 140,000
DEPTH_LIMIT = 50  # the upstream file nests six deep
CHAIN_LIMIT = 500  # tokens between two commas; the longest expression upstream has about ten
LINE_LIMIT = 5_000  # characters; some tokenizers of Python 3.12 take quadratic time over a line
MAGNITUDE_LIMIT = 1e30  # above every seed, which has 64 bits

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_ALLOWED = "a literal, a tuple, a list, a dict, or + - * / on numbers"


class Constants(NamedTuple):
    """The checker's figures for one round. Targets and limits are (metric, value) tuples, or dicts of them by scenario."""

    name: str
    round: str
    targets: dict
    upper_limits: dict
    model_mapping: dict
    seeds: dict | None
    min_duration_ms: int | None
    latency_limits: dict


class _Refused(Exception):
    """Something that is not a literal or arithmetic on numbers, at a line."""


def parse(raw: bytes, name: str, round_name: str) -> Constants:
    """Return the figures for ``round_name`` in the constants ``raw``.

    Raises BundleError, with the line, on anything in the two assignments but literals, tuples, lists, dicts,
    + - * / and signs on numbers; if either name is assigned other than once; if the round is not there; and
    on a file of a megabyte or nesting too deep.
    """
    config, limits = (_values(raw, name)[wanted] for wanted in NAMES)
    found = config.get(round_name) if isinstance(config, dict) else None
    if not isinstance(found, dict):
        rounds = ", ".join(map(str, config)) if isinstance(config, dict) else "no rounds"
        raise BundleError(Problem(name, NAMES[0], found=rounds, expected=f"the round {round_name}"))
    parts = {key: found.get(key, {}) for key in ("accuracy-target", "accuracy-upper-limit", "model_mapping")}
    seeds, min_duration_ms = found.get("seeds"), found.get("test_duration_ms")
    place = f"{NAMES[0]}[{round_name!r}]"
    problems = [
        Problem(name, place, key, type(part).__name__, "a dict by model")
        for key, part in [*parts.items(), (NAMES[1], limits)]
        if not isinstance(part, dict)
    ]
    raise_if_any(problems)
    for key, part, kind in (("model_mapping", parts["model_mapping"], str), ("seeds", seeds or {}, int)):
        if not isinstance(part, dict) or any(type(value) is not kind for value in part.values()):
            problems.append(Problem(name, place, key, shown(part), f"a dict of {kind.__name__} by name"))
    if min_duration_ms is not None and type(min_duration_ms) is not int:
        found_text = shown(min_duration_ms)
        problems.append(Problem(name, place, "test_duration_ms", found_text, "an integer of milliseconds"))
    raise_if_any(problems)
    return Constants(name, round_name, *parts.values(), seeds, min_duration_ms, limits)


def rounds(raw: bytes, name: str) -> tuple[str, ...]:
    """Return the rounds that the constants ``raw`` have figures for; raises BundleError as parse does."""
    config = _values(raw, name)[NAMES[0]]
    return tuple(config) if isinstance(config, dict) else ()


def _values(raw: bytes, name: str) -> dict:
    """Return the values of the two assignments; the file's other statements are not looked into."""
    if len(raw) >= SIZE_LIMIT:
        raise BundleError(Problem(name, found=f"{len(raw)} bytes", expected=f"less than {SIZE_LIMIT} bytes"))
    tree = _tree(decode(raw, name), name)
    problems, values = [], {}
    for statement in tree.body:
        try:
            assigned = _assigned_name(statement)
            if assigned in values:
                raise _Refused(statement.lineno, f"a second assignment of {assigned}", "one assignment")
            if assigned:
                values[assigned] = _value(statement.value, 0)
        except _Refused as refusal:
            line, found, expected = refusal.args
            problems.append(Problem(name, f"line {line}", found=found, expected=expected))
    if not problems:
        problems += [
            Problem(name, field=wanted, found="no assignment", expected="one assignment")
            for wanted in NAMES
            if wanted not in values
        ]
    raise_if_any(problems)
    return values


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
    except ValueError:
        place, found = "", "a number too long to read"
    raise BundleError(Problem(name, place, found=found, expected=expected))


def _assigned_name(statement: ast.stmt) -> str | None:
    """Return which of the two names a top-level statement assigns, or None if it does not touch them.

    A statement that touches one in any other way (an update, a second target, a deletion) is refused: what it
    does cannot be known without running it. Bodies of functions and classes are not run by an import's reader.
    """
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and statement.name not in NAMES:
        return None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        if statement.targets[0].id in NAMES:
            return statement.targets[0].id
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        if statement.target.id in NAMES:
            return statement.target.id
    for node in ast.walk(statement):
        for part in ("id", "name", "asname"):  # a name; a function, class or import; an import under that name
            if getattr(node, part, None) in NAMES:
                line = getattr(node, "lineno", statement.lineno)
                raise _Refused(line, f"a use of {getattr(node, part)}", "one plain assignment")
    return None


def _value(node: ast.expr, depth: int) -> object:
    if depth > DEPTH_LIMIT:
        raise _Refused(node.lineno, f"more than {DEPTH_LIMIT} levels of nesting", "the checker's flat tables")
    if isinstance(node, ast.Constant):
        return _constant(node)
    if isinstance(node, (ast.Tuple, ast.List)):
        return tuple(_value(member, depth + 1) for member in node.elts)
    if isinstance(node, ast.Dict):
        return _dict(node, depth + 1)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand, depth + 1)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _arithmetic(node, depth + 1)
    raise _Refused(node.lineno, _kind(node), _ALLOWED)


def _kind(node: ast.expr) -> str:
    """Return how a refused expression is called in a message: 'a call', 'the operator Pow', 'a name'."""
    operation = getattr(node, "op", None)
    if operation is not None:
        return f"the operator {type(operation).__name__}"
    words = {"Call": "a call", "Name": f"the name {getattr(node, 'id', '')}", "Attribute": "an attribute"}
    return words.get(type(node).__name__, f"an expression of kind {type(node).__name__}")


def _constant(node: ast.Constant) -> object:
    value = node.value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _bounded(value, node)
    if value is None or isinstance(value, (str, bool)):
        return value
    raise _Refused(node.lineno, f"a {type(value).__name__} literal", _ALLOWED)


def _bounded(value: int | float, node: ast.expr) -> int | float:
    if not -MAGNITUDE_LIMIT < value < MAGNITUDE_LIMIT:
        raise _Refused(node.lineno, "a number out of range", f"a number below {MAGNITUDE_LIMIT:g}")
    return value


def _number(node: ast.expr, depth: int) -> int | float:
    value = _value(node, depth)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise _Refused(node.lineno, shown(value), "a number")


def _arithmetic(node: ast.BinOp, depth: int) -> int | float:
    left, right = _number(node.left, depth), _number(node.right, depth)
    if isinstance(node.op, ast.Div) and right == 0:
        raise _Refused(node.lineno, "a division by zero", "a number")
    return _bounded(_OPERATORS[type(node.op)](left, right), node)


def _dict(node: ast.Dict, depth: int) -> dict:
    value: dict = {}
    for key_node, member in zip(node.keys, node.values):
        if not (isinstance(key_node, ast.Constant) and isinstance(key_node.value, str)):
            raise _Refused(member.lineno, "a key that is not a string literal", "a string literal")
        if key_node.value in value:
            raise _Refused(key_node.lineno, f"the key {shown(key_node.value)} twice", "each key once")
        value[key_node.value] = _value(member, depth)
    return value


def official_model(constants: Constants, label: str) -> str:
    """Return the checker's name of a model label: llama3_1-8b is llama3.1-8b; most labels are their own name."""
    return constants.model_mapping.get(label, label)


def metric_values(constants: Constants, table: str, label: str, scenario: str) -> dict[str, float] | None:
    """Return metric -> value of ``table`` ('targets' or 'upper_limits') for a model label, None if it has no entry.

    Raises BundleError if the entry is not (metric, number, metric, number, ...), or a dict of that by scenario.
    """
    model = official_model(constants, label)
    entry = getattr(constants, table).get(model)
    if isinstance(entry, dict):
        entry = entry.get(scenario)
    if entry is None:
        return None
    metrics, values = (entry[::2], entry[1::2]) if isinstance(entry, tuple) else ((), (entry,))
    typed = all(isinstance(metric, str) for metric in metrics) and all(type(value) in (int, float) for value in values)
    if not typed or len(metrics) != len(values) or len(set(metrics)) != len(metrics):
        raise BundleError(Problem(constants.name, table, model, shown(entry), "(metric, number, metric, number, ...)"))
    return dict(zip(metrics, values))


def log_limits(constants: Constants, label: str, scenario: str = "Server") -> Limits:
    """Return what a log of a model label must keep to; TTFT and TPOT limits are in ns, None if the model has none."""
    limits = constants.latency_limits.get(official_model(constants, label), {})
    limits = limits if isinstance(limits, dict) else {}
    limits = limits.get(scenario, limits.get(OLDER_NAMES.get(scenario), {}))
    limits = limits if isinstance(limits, dict) else {}
    problems = [
        Problem(constants.name, NAMES[1], f"{label} {scenario} {key}", shown(value), "an integer of nanoseconds")
        for key, value in limits.items()
        if type(value) is not int
    ]
    raise_if_any(problems)
    return Limits(limits.get("ttft"), limits.get("tpot"), constants.seeds, constants.min_duration_ms)
