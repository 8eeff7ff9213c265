"""run_examples.py FILE: runs the Python programs that a text shows: the indented blocks that begin with an import."""

import sys
from pathlib import Path


def blocks(text):
    """Indented blocks, each as one text."""
    found, block = [], []
    for line in text.splitlines() + ["end"]:
        if line.startswith("    "):
            block.append(line[4:])
        elif block:
            found.append("\n".join(block))
            block = []
    return found


programs = [block for block in blocks(Path(sys.argv[1]).read_text()) if block.startswith("import ")]
assert programs, f"no program in {sys.argv[1]}"
for program in programs:
    print(program, flush=True)
    exec(compile(program, sys.argv[1], "exec"), {})
print(f"==== {len(programs)} programs of {Path(sys.argv[1]).name}")
