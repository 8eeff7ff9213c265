"""The verb `sweep` of the footfall command: python -m footfall.study STUDY.yaml"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from .. import __version__, _core
from ._errors import CannotWrite, StudyError, split_error
from ._goal import best_case
from ._progress import tell
from ._study import Study, read_study
from ._sweep import Options, Results, Sweep, folder_named

_SUCCESS, _CASES_FAILED, _BAD_INPUT, _CANNOT_WRITE, _INTERRUPTED = 0, 1, 2, 3, 130

_EPILOG = """
The study says what is varied and what is kept (docs/studies.md):

  scene: scenes/quadruped.yaml
  parameters:
    ground.friction: {from: 0.2, to: 0.8, count: 4}
    pushes.0.force.1: [40 N, 80 N, 120 N]
  outcomes:
    lowest: min(base.position.z)
    stands: final(base.position.z) > 0.2

Results lie in STUDY.results/: results.csv, results.parquet, report.html, and journal.jsonl, from which a sweep that was
interrupted or killed goes on: call it again.

Exit codes:
    0  every case was run
    1  some cases failed; the table says which and why
    2  bad input: command line, study or scene
    3  cannot write; what was done until then is kept
  130  interrupted (Ctrl-C, SIGTERM, a closed terminal); what was done until then is kept
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="footfall sweep",
        description="Run a scene with many values of its keys, and keep what came out.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("study", metavar="STUDY", type=Path, help="study file (YAML)")
    parser.add_argument(
        "--jobs", "-j", metavar="N", type=int, help="processes on this machine; default: one for each core"
    )
    parser.add_argument(
        "--on",
        metavar="WHERE",
        default="local",
        help="local (default), ray: the cluster of this machine, or ray://HOST:PORT",
    )
    parser.add_argument(
        "--output", "-o", metavar="FOLDER", help="where results lie; default: STUDY.results beside the study"
    )
    parser.add_argument("--restart", action="store_true", help="throw away what is done, and begin again")
    parser.add_argument("--list", action="store_true", help="print the cases and run none")
    parser.add_argument("--quiet", "-q", action="store_true", help="print nothing but errors")
    parser.add_argument("--version", action="version", version=f"footfall {__version__}")
    return parser


def _print_error(what: str, hint: str = "") -> None:
    tell(f"error: {what}\n" + (f"  hint: {hint}\n" if hint else ""))


class _NobodyReads(CannotWrite):
    """Who reads standard output has closed it: `footfall sweep --list | head`."""


def _say(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        sys.stdout = None
        raise _NobodyReads("standard output is closed") from None
    except OSError as problem:
        sys.stdout = None  # or Python tries it once more at the end
        raise CannotWrite(f"standard output cannot be written: {problem.strerror}") from None


def _list_cases(study: Study) -> None:
    if study.search:
        raise StudyError(study.search.where, "a search chooses its cases as it goes: there is no list")
    _say(",".join(["case", "seed", *(parameter.label for parameter in study.parameters)]))
    for number in range(study.case_count):
        case = study.case(number)
        _say(",".join([str(number), str(case.seed), *(str(setting) for setting in case.settings)]))


def _print_results(results: Results) -> None:
    table, study = results.table, results.study
    new = len(table.rows) - results.resumed
    _say(f"  {'study':<10} {study.title}: {len(table.rows):,} of {study.case_count:,} cases")
    if new:
        _say(f"  {'time':<10} {results.seconds:.2f} s, {1e3 * results.seconds / new:.3g} ms a case")
    if table.failures:
        row = table.failures[0]
        _say(f"  {'failed':<10} {len(table.failures):,}; the first is case {row[0]}: {row[-1]}")
    if study.search and (line := _best(results)):
        _say(f"  {'best':<10} {line}")
    for k, path in enumerate(results.files):
        _say(f"  {'results' if k == 0 else '':<10} {path}")
    if not results.has_parquet:
        _say(f"  {'':<10} no Parquet: the package pyarrow is not installed (pip install 'footfall[study]')")


def _best(results: Results) -> str:
    study = results.study
    assert study.search is not None
    rows = {row[0]: row for row in results.table.rows}
    best = best_case(study, results.table.records)
    if best is None:
        return ""
    shown = [*(parameter.label for parameter in study.parameters), study.search.outcome]
    values = [f"{name} = {rows[best][results.table.columns.index(name)]}" for name in shown]
    return f"case {best}: " + ", ".join(values)


def _finish(running: Sweep, quiet: bool) -> None:
    """Results of a sweep that something has ended early."""
    try:
        results = running.results()
    except CannotWrite as problem:
        _print_error(str(problem))
        return
    if not quiet:
        _print_results(results)
    left = results.study.case_count - len(results.table.rows)
    tell(f"{left:,} cases are left; the same command goes on with them\n" if left else "all cases are done\n")


def _run(running: Sweep, quiet: bool) -> int:
    study = running.study
    if not quiet and running.done_before:
        tell(f"goes on: {running.done_before:,} of {study.case_count:,} cases are done\n")
    try:
        results = running.run()
    except KeyboardInterrupt:
        _print_error("interrupted")
        _finish(running, quiet)
        return _INTERRUPTED
    except CannotWrite as problem:
        _print_error(str(problem), "what was done until then is kept: make room, and call it again")
        return _CANNOT_WRITE
    except StudyError:
        _finish(running, quiet)
        raise
    if not quiet:
        _print_results(results)
    return _CASES_FAILED if results.table.failures else _SUCCESS


def _end_as_ctrl_c_does() -> None:
    """SIGTERM and a terminal that is closed, unless `nohup` has said that it does not matter."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if threading.current_thread() is threading.main_thread():
        _end_as_ctrl_c_does()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of the processes: cases run beside each other
    try:
        if options.list:
            try:
                _list_cases(read_study(options.study))
            except _NobodyReads:
                pass  # has seen enough
            return _SUCCESS
        folder = folder_named(options.output)
        running = Sweep(options.study, Options(folder, options.jobs, options.on, options.restart, options.quiet))
        try:
            return _run(running, options.quiet)
        finally:
            running.close()
    except (StudyError, _core.Error) as problem:
        _print_error(*split_error(problem))
        return _BAD_INPUT
    except CannotWrite as problem:
        _print_error(str(problem))
        return _CANNOT_WRITE


if __name__ == "__main__":
    sys.exit(main())
