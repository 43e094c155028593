#!/usr/bin/env bash
# Make the virtual environment named by $1; Debian keeps the needed part of Python in a package of its own.
set -euo pipefail
venv=$1
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "jadoube needs Python 3.11 or later, and this is $(python3 --version). Debian 12 and Raspberry Pi OS of 2023 have it." >&2
    exit 1
}
[ -x "$venv/bin/pip" ] && exit 0
if ! python3 -c 'import ensurepip' 2>/dev/null; then
    echo "python3-venv is missing; installing it." >&2
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq && $as_root apt-get install -y -qq python3-venv >/dev/null || {
        echo "Could not install it. Next: sudo apt-get install python3-venv" >&2
        exit 1
    }
fi
rm -rf "$venv"
python3 -m venv "$venv"
