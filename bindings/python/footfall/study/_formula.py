"""Formulas of outcomes and of scene keys.

They are parsed by Python's own parser, and every part that is no arithmetic is refused: nothing of a study file is ever
executed. The formulas of libfootfall (footfall/base/expression.hpp) know numbers only; outcomes are about signals.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._errors import StudyError, nearest
from ._functions import FUNCTIONS, PLAIN_FUNCTIONS

Environment = Mapping[str, Any]
_Part = Callable[[Environment], Any]

_LONGEST = 2000  # letters of a formula
_DEEPEST = 100  # brackets in each other

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
    ast.Mod: np.mod,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}


def name_of(node: ast.AST) -> str | None:
    """`l_sole[0].force.z` as a text; None for what is no name."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = name_of(node.value)
        return None if before is None else f"{before}.{node.attr}"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
        before = name_of(node.value)
        return None if before is None else f"{before}[{node.slice.value}]"
    return None


def _with_python_powers(text: str) -> str:
    """`x^2` as `x**2`: Python's own ^ means something else. Names in quotes stay."""
    parts = re.split(r"('[^']*'|\"[^\"]*\")", text)
    return "".join(part if k % 2 else part.replace("^", "**") for k, part in enumerate(parts))


class Formula:
    """`max(norm(base.velocity)) / 2`, ready to be evaluated; `names` are those that it uses."""

    def __init__(self, text: str, where: str, *, over_time: bool) -> None:
        self.text, self.where = text, where
        self.names: list[str] = []
        self._functions = FUNCTIONS if over_time else PLAIN_FUNCTIONS
        if len(text) > _LONGEST:
            raise StudyError(where, f"the formula has {len(text)} letters, expected {_LONGEST} at most")
        try:
            tree = ast.parse(_with_python_powers(text.strip()), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            reason = problem.msg if isinstance(problem, SyntaxError) else str(problem)
            raise StudyError(
                where, f"'{text}' is no formula: {reason}", "names with unusual letters need 'quotes'"
            ) from None
        self._evaluate = self._compiled(tree.body, 0)

    def evaluate(self, environment: Environment) -> Any:
        with np.errstate(all="ignore"):
            return self._evaluate(environment)

    def _refuse(self, what: str, hint: str = "") -> StudyError:
        return StudyError(self.where, f"'{self.text}': {what}", hint)

    def _compiled(self, node: ast.expr, depth: int) -> _Part:
        if depth > _DEEPEST:
            raise self._refuse(f"more than {_DEEPEST} parts lie in each other")
        name = name_of(node)
        if name is not None:
            return self._name(name)
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return self._number(node.value)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return self._joined(_BINARY[type(node.op)], node.left, node.right, depth)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node, depth)
        if isinstance(node, ast.BoolOp):
            joins = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
            parts = [self._compiled(value, depth + 1) for value in node.values]
            return lambda e: _reduce(joins, [part(e) for part in parts])
        if isinstance(node, ast.Compare):
            return self._comparison(node, depth)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        raise self._refuse(
            f"{ast.unparse(node)} is not allowed in a formula",
            "numbers, names, + - * / ^, < > == and or not, functions",
        )

    def _number(self, value: int | float) -> _Part:
        try:
            number: bool | float = value if isinstance(value, bool) else float(value)
        except OverflowError:
            raise self._refuse("a number in it is too large") from None
        return lambda _: number

    def _name(self, name: str) -> _Part:
        if name == "pi":
            return lambda _: np.pi
        if name not in self.names:
            self.names.append(name)
        return lambda e: e[name]

    def _joined(self, operation: Callable[[Any, Any], Any], left: ast.expr, right: ast.expr, depth: int) -> _Part:
        a, b = self._compiled(left, depth + 1), self._compiled(right, depth + 1)
        return lambda e: operation(_number(a(e)), _number(b(e)))

    def _unary(self, node: ast.UnaryOp, depth: int) -> _Part:
        part = self._compiled(node.operand, depth + 1)
        if isinstance(node.op, ast.Not):
            return lambda e: np.logical_not(part(e))
        if isinstance(node.op, ast.USub):
            return lambda e: np.negative(_number(part(e)))
        if isinstance(node.op, ast.UAdd):
            return part
        raise self._refuse(f"{ast.unparse(node)} is not allowed in a formula")

    def _comparison(self, node: ast.Compare, depth: int) -> _Part:
        if any(type(operator) not in _COMPARISONS for operator in node.ops):
            raise self._refuse(f"{ast.unparse(node)} is not allowed in a formula", "comparisons are < <= == != >= >")
        compares = [_COMPARISONS[type(operator)] for operator in node.ops]
        parts = [self._compiled(part, depth + 1) for part in (node.left, *node.comparators)]

        def evaluate(e: Environment) -> Any:
            values = [part(e) for part in parts]
            return _reduce(np.logical_and, [compare(a, b) for compare, a, b in zip(compares, values, values[1:])])

        return evaluate

    def _call(self, node: ast.Call, depth: int) -> _Part:
        called = name_of(node.func)
        if called is None or called not in self._functions:
            raise self._refuse(
                f"there is no function '{ast.unparse(node.func)}'", nearest(called or "", self._functions)
            )
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self._refuse(f"{called}() takes plain values only")
        function = self._functions[called]
        if len(node.args) not in function.arguments:
            expected = " or ".join(str(count) for count in function.arguments)
            raise self._refuse(f"{called}() has {len(node.args)} values, expected {expected}")
        parts = [self._compiled(argument, depth + 1) for argument in node.args]
        return lambda e: function.call(e, *[part(e) for part in parts])


def _reduce(joins: Callable[[Any, Any], Any], values: list[Any]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = joins(result, value)
    return result


def _number(value: Any) -> Any:
    """Arithmetic with conditions counts them: true is 1."""
    return value.astype(float) if isinstance(value, np.ndarray) and value.dtype == bool else value
