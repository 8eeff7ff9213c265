#!/usr/bin/env bash
# wheel_in_blank_machine.sh FOLDER_OF_THE_WHEEL: try_wheel.sh in a blank Debian that has nothing but python3-venv. Exits with 77 where no such
# machine can be made, and inside of one.
set -euo pipefail
[[ ! -e /etc/footfall-machine ]] || exit 77

project="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
wheel="$(ls "$1"/footfall-*manylinux*.whl)"
folder="$(mktemp -d -p /var/tmp)"
trap 'rm -rf --one-file-system "$folder"' EXIT

status=0
"$project/tools/fresh_machine" --keep "$folder/machine" \
  'apt-get -qq update && apt-get -qq install -y --no-install-recommends python3-venv >/dev/null' || status=$?
((status != 69)) || exit 77
((status == 0)) || exit "$status"
cp "$wheel" "$folder/machine/root/"
"$project/tools/fresh_machine" --keep "$folder/machine" --keep-clone \
  "tests/packaging/try_wheel.sh /root/$(basename "$wheel")"
