#!/usr/bin/env bash
# wheel_in_blank_machine.sh FOLDER_OF_THE_WHEEL: try_wheel.sh in a blank Debian that has nothing but python3-venv. .ci/run calls it with the wheel that
# ./dev test has made. Exits with 69 where no such machine can be made.
set -euo pipefail

project="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
wheel="$(ls "$1"/footfall-*manylinux*.whl)"
folder="$(mktemp -d -p /var/tmp)"
trap 'rm -rf --one-file-system "$folder"' EXIT

"$project/tools/fresh_machine" --keep "$folder/machine" \
  'apt-get -qq update && apt-get -qq install -y --no-install-recommends python3-venv >/dev/null'
cp "$wheel" "$folder/machine/root/"
"$project/tools/fresh_machine" --keep "$folder/machine" --keep-clone \
  "tests/packaging/try_wheel.sh /root/$(basename "$wheel")"
