#!/usr/bin/env bash
# try_wheel.sh WHEEL: installs a wheel into an environment of its own as a newcomer would, and uses it: demo, studio, Python, then each of its other parts
# and the examples of docs/python.md. Says how long each took.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
wheel="$(readlink -f "$1")"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv

begin=$SECONDS
venv/bin/pip install --quiet --disable-pip-version-check "$wheel"
echo "==== pip install: $((SECONDS - begin)) s"
venv/bin/footfall demo
echo "==== and demo: $((SECONDS - begin)) s"

# The studio serves its page to whoever knows its address.
venv/bin/footfall view --no-browser --port 0 >view.txt &
studio=$!
venv/bin/python - <<'END'
import re, time, urllib.request
address = None
while address is None:
    time.sleep(0.1)
    address = re.search(r"http://\S+", open("view.txt").read())
page = urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(address[0]).read().decode()
assert "three.js" in page and len(page) > 300_000, f"this is no page: {page[:300]}"
print("the studio's page:", len(page) // 1024, "KiB")
END
kill -INT "$studio"
wait "$studio" || true
echo "==== and view: $((SECONDS - begin)) s"

venv/bin/python -c 'import footfall'  # Python compiles its files at the first import
venv/bin/python -c '
import time
begin, busy = time.perf_counter(), time.process_time()
import footfall
print(f"==== import footfall: {time.perf_counter() - begin:.2f} s, {time.process_time() - busy:.2f} s of them work")
simulation = footfall.Simulation(footfall.data_dir() / "scenes" / "falling_box.yaml")
simulation.run(0.2)'

data="$(venv/bin/python -c 'import footfall; print(footfall.data_dir())')"
begin=$SECONDS
venv/bin/footfall run "$data/scenes/falling_box.yaml" --duration 0.5 --log box.mcap --quiet
venv/bin/footfall convert box.mcap box.mat
venv/bin/footfall plot box.mcap base.position -o box.png
venv/bin/footfall plot box.mcap base.position -o box.svg
venv/bin/footfall report box.mcap -o box.html
venv/bin/footfall export fmu "$data/scenes/falling_box.yaml" -o box.fmu
venv/bin/footfall --licenses >licenses.txt
for file in box.mat box.png box.svg box.html box.fmu licenses.txt; do
  [[ -s "$file" ]] || { echo "$file was not written" >&2 && exit 1; }
done
echo "==== log, .mat, plots, report, FMU, licences: $((SECONDS - begin)) s"

venv/bin/pip install --quiet --disable-pip-version-check "$wheel[gym,pandas]"
venv/bin/python "$here/run_examples.py" "$here/../../docs/python.md"
