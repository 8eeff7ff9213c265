#!/usr/bin/env bash
# wheel_in_blank_machine.sh FOLDER_OF_THE_WHEEL [ROOT]: installs a wheel as a newcomer would, in a blank Debian that has nothing but
# python3-venv, and uses it: demo, studio, Python. Prints how long each takes. ROOT is where the Debian is made, and stays there to be used
# again (default: a temporary folder). Exits with 77 where a blank machine cannot be made.
set -euo pipefail

skip() { echo "not tried in a blank machine: $1"; exit 77; }
[[ "$(id -u)" == 0 ]] || skip "that needs root"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"

wheel="$(ls "$1"/footfall-*manylinux*.whl)"
root="${2:-$(mktemp -d)/blank}"
finish() {
  local place
  for place in dev proc; do ! mountpoint -q "$root/$place" || umount -l "$root/$place"; done
  [[ "$root" != /tmp/*/blank ]] || rm -rf --one-file-system "${root%/blank}"
}
trap finish EXIT

if [[ ! -d "$root/etc" ]]; then
  options=()
  for file in /etc/apt/apt.conf.d/*; do ! grep -q '^Acquire' "$file" || options+=(--aptopt="$file"); done
  sources=/etc/apt/sources.list.d/debian.sources
  [[ -f "$sources" ]] || sources=/etc/apt/sources.list
  mmdebstrap --quiet --mode=root --variant=minbase --include=python3-venv,ca-certificates "${options[@]}" \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" "$sources" || skip "no mirror of Debian can be reached"
fi
# How this machine reaches its registries, and nothing else of it.
for file in /etc/pip.conf /etc/resolv.conf /etc/hosts; do [[ ! -f "$file" ]] || cp -L "$file" "$root$file"; done
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/certificates-of-the-host.crt"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"

rm -rf "$root/root/try" && mkdir -p "$root/root/try"
cp "$wheel" "$root/root/try/"
cat >"$root/root/try/try.sh" <<'END'
set -euo pipefail
cd /root/try
python3 -m venv venv
begin=$SECONDS
venv/bin/pip install --quiet footfall-*.whl
echo "==== pip install: $((SECONDS - begin)) s"
venv/bin/footfall demo --duration 2
echo "==== demo: $((SECONDS - begin)) s"

# The studio serves its page to whoever knows its address.
venv/bin/footfall view --no-browser --port 0 >view.txt &
studio=$!
venv/bin/python - <<'PYTHON'
import re, time, urllib.request
address = None
while address is None:
    time.sleep(0.1)
    address = re.search(r"http://\S+", open("view.txt").read())
page = urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(address[0]).read().decode()
assert "three.js" in page and len(page) > 300_000, f"this is no page: {page[:300]}"
print("the studio's page:", len(page) // 1024, "KiB")
PYTHON
kill -INT "$studio"
wait "$studio" || true
echo "==== install, demo and view: $((SECONDS - begin)) s"

venv/bin/python -c 'import footfall'  # writes the compiled files
venv/bin/python -c '
import time
begin = time.perf_counter()
import footfall
print(f"==== import footfall: {time.perf_counter() - begin:.2f} s")
simulation = footfall.Simulation(footfall.data_dir() / "scenes" / "falling_box.yaml")
simulation.run(0.2)'
END
variables=(HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=dumb
  PIP_CERT=/etc/certificates-of-the-host.crt SSL_CERT_FILE=/etc/certificates-of-the-host.crt)
while IFS= read -r line; do variables+=("$line"); done < <(
  env | grep -E '^(PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|PIP_DEFAULT_TIMEOUT|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)=' || true)
chroot "$root" env -i "${variables[@]}" bash /root/try/try.sh </dev/null
