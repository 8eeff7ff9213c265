"""Small plots as SVG, without any library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT = 340, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 12, 10, 44
_COLORS = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))  # viridis


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers between two."""
    if not high > low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(f * power for f in (1, 2, 5, 10) if f * power >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def color(share: float) -> str:
    """Of a number of [0, 1]."""
    place = min(max(share, 0.0), 1.0) * (len(_COLORS) - 1)
    k = min(int(place), len(_COLORS) - 2)
    mixed = (round(a + (place - k) * (b - a)) for a, b in zip(_COLORS[k], _COLORS[k + 1]))
    return "#" + "".join(f"{part:02x}" for part in mixed)


class Axis:
    """Numbers, or names in a row."""

    def __init__(self, label: str, values: Sequence[float | str]) -> None:
        self.label = label
        self.names = list(dict.fromkeys(v for v in values if isinstance(v, str)))
        numbers = [float(v) for v in values if not isinstance(v, str) and math.isfinite(v)]
        self.low, self.high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
        if self.names:
            self.low, self.high = -0.5, len(self.names) - 0.5
        elif self.low == self.high:
            margin = abs(self.low) * 0.1 or 0.5
            self.low, self.high = self.low - margin, self.high + margin

    def share(self, value: float | str) -> float:
        number = float(self.names.index(value)) if isinstance(value, str) else float(value)
        return (number - self.low) / (self.high - self.low)

    def marks(self) -> list[tuple[float, str]]:
        if self.names:
            return [(self.share(name), name) for name in self.names]
        return [(self.share(tick), f"{tick:.4g}") for tick in ticks(self.low, self.high)]


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


def _frame(x: Axis, y: Axis, inside: str) -> str:
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-label="{escape(y.label)} over {escape(x.label)}">'
    ]
    for share, text in x.marks():
        parts.append(f'<line class="g" x1="{_x(share):.1f}" x2="{_x(share):.1f}" y1="{_y(0):.1f}" y2="{_y(1):.1f}"/>')
        parts.append(f'<text x="{_x(share):.1f}" y="{_y(0) + 14:.1f}" text-anchor="middle">{escape(text)}</text>')
    for share, text in y.marks():
        parts.append(f'<line class="g" x1="{_x(0):.1f}" x2="{_x(1):.1f}" y1="{_y(share):.1f}" y2="{_y(share):.1f}"/>')
        parts.append(f'<text x="{_x(0) - 5:.1f}" y="{_y(share) + 4:.1f}" text-anchor="end">{escape(text)}</text>')
    parts.append(inside)
    parts.append(f'<text class="l" x="{_x(0.5):.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(x.label)}</text>')
    parts.append(
        f'<text class="l" transform="translate(12 {_y(0.5):.1f}) rotate(-90)" text-anchor="middle">'
        f"{escape(y.label)}</text></svg>"
    )
    return "".join(parts)


def scatter(x_label: str, y_label: str, points: Sequence[tuple[float | str, float]]) -> str:
    """One dot for each case; the means where several share a place on the axis."""
    x, y = Axis(x_label, [p[0] for p in points]), Axis(y_label, [p[1] for p in points])
    dots = "".join(f'<circle cx="{_x(x.share(a)):.1f}" cy="{_y(y.share(b)):.1f}" r="2.5"/>' for a, b in points)
    return _frame(x, y, f'<g class="d">{dots}</g>' + _means(x, y, points))


def _means(x: Axis, y: Axis, points: Sequence[tuple[float | str, float]]) -> str:
    groups: dict[float | str, list[float]] = {}
    for a, b in points:
        groups.setdefault(a, []).append(b)
    if not 2 <= len(groups) <= len(points) / 2:
        return ""
    places = sorted((x.share(a), y.share(sum(b) / len(b))) for a, b in groups.items())
    path = " ".join(f"{_x(a):.1f},{_y(b):.1f}" for a, b in places)
    marks = "".join(f'<circle cx="{_x(a):.1f}" cy="{_y(b):.1f}" r="3.5"/>' for a, b in places)
    return (f'<polyline class="m" points="{path}"/>' if not x.names else "") + f'<g class="k">{marks}</g>'


def line(x_label: str, y_label: str, points: Sequence[tuple[float, float]]) -> str:
    x, y = Axis(x_label, [p[0] for p in points]), Axis(y_label, [p[1] for p in points])
    path = " ".join(f"{_x(x.share(a)):.1f},{_y(y.share(b)):.1f}" for a, b in points)
    return _frame(x, y, f'<polyline class="m" points="{path}"/>')


def histogram(label: str, values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    bins = max(1, min(30, round(math.sqrt(len(values))))) if high > low else 1
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / (high - low) * bins), bins - 1) if high > low else 0] += 1
    x, y = Axis(label, [low, high]), Axis("cases", [0.0, float(max(counts))])
    bars = []
    for k, count in enumerate(counts):
        left, right = (_x(x.share(low + (high - low) * place / bins)) for place in (k, k + 1))
        if bins == 1:
            left, right = _x(0.4), _x(0.6)
        top = _y(y.share(float(count)))
        bars.append(
            f'<rect x="{left + 0.5:.1f}" width="{max(right - left - 1, 1):.1f}" '
            f'y="{top:.1f}" height="{_y(0) - top:.1f}"/>'
        )
    return _frame(x, y, f'<g class="b">{"".join(bars)}</g>')


def heat_map(x_label: str, y_label: str, points: Sequence[tuple[float | str, float | str, float]]) -> str:
    """A cell for each pair, with the mean of its cases as colour and as words."""
    columns = sorted({p[0] for p in points}, key=_order)
    rows = sorted({p[1] for p in points}, key=_order)
    cells: dict[tuple[float | str, float | str], list[float]] = {}
    for a, b, value in points:
        cells.setdefault((a, b), []).append(value)
    means = {place: sum(values) / len(values) for place, values in cells.items()}
    low, high = min(means.values()), max(means.values())
    x, y = Axis(x_label, [_name(c) for c in columns]), Axis(y_label, [_name(r) for r in rows])
    width, height = (_x(1) - _x(0)) / len(columns), (_y(0) - _y(1)) / len(rows)
    drawn = []
    for (a, b), mean in means.items():
        left, top = _x(0) + columns.index(a) * width, _y(0) - (rows.index(b) + 1) * height
        share = (mean - low) / (high - low) if high > low else 0.5
        words = escape(f"{x_label} {_name(a)}, {y_label} {_name(b)}: {mean:.4g}")
        drawn.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width + 0.3:.1f}" height="{height + 0.3:.1f}" '
            f'fill="{color(share)}"><title>{words}</title></rect>'
        )
    return _frame(_thinned(x), _thinned(y), "".join(drawn)) + _scale(low, high)


def _name(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.4g}"


def _order(value: float | str) -> tuple[int, float, str]:
    return (1, 0.0, value) if isinstance(value, str) else (0, float(value), "")


class _ThinAxis(Axis):
    def __init__(self, axis: Axis) -> None:
        self.__dict__.update(axis.__dict__)

    def marks(self) -> list[tuple[float, str]]:
        marks = super().marks()
        return marks[:: max(1, -(-len(marks) // 8))]


def _thinned(axis: Axis) -> Axis:
    """Not more names than have room."""
    return _ThinAxis(axis)


def _scale(low: float, high: float) -> str:
    """What colours mean."""
    steps = "".join(f'<rect x="{60 + 4 * k}" y="2" width="4.3" height="10" fill="{color(k / 49)}"/>' for k in range(50))
    texts = f'<text x="55" y="11" text-anchor="end">{low:.4g}</text><text x="265" y="11">{high:.4g}</text>'
    return f'<svg viewBox="0 0 {_WIDTH} 16" width="{_WIDTH}" height="16">{steps}{texts}</svg>'
