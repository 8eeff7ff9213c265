"""What a search is after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ._case import Record
from ._study import Study


def goal_of(study: Study, records: Sequence[Record]) -> float | None:
    """Of a point: the mean over its repeats; None: one of them failed, or has no number."""
    assert study.search is not None
    place = [outcome.name for outcome in study.outcomes].index(study.search.outcome)
    values = [None if record.failed else record.outcomes[place] for record in records]
    numbers = [float(value) for value in values if value is not None]
    return sum(numbers) / len(numbers) if len(numbers) == len(values) else None


def goals(study: Study, records: Mapping[int, Record]) -> dict[int, float]:
    """Of all points that are done, by the number of their first case."""
    found = {}
    for first in range(0, study.case_count, study.repeat):
        numbers = range(first, first + study.repeat)
        if all(number in records for number in numbers):
            goal = goal_of(study, [records[number] for number in numbers])
            if goal is not None:
                found[first] = goal
    return found


def best_case(study: Study, records: Mapping[int, Record]) -> int | None:
    """The first case of the best point that a search has found until now."""
    assert study.search is not None
    found = goals(study, records)
    sign = -1.0 if study.search.maximize else 1.0
    return min(found, key=lambda case: (sign * found[case], case)) if found else None
