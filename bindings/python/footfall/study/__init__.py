"""Studies: one scene, many cases.

    from footfall.study import sweep

    if __name__ == "__main__":
        results = sweep("push.yaml", jobs=4)
        print(results.table.columns, results.table.rows)

The same as `footfall sweep push.yaml`; docs/studies.md describes the file.
"""

from ._errors import CannotWrite, StudyError
from ._study import Study, read_study
from ._sweep import Results, sweep
from ._table import Table

__all__ = ["CannotWrite", "Results", "Study", "StudyError", "Table", "read_study", "sweep"]
