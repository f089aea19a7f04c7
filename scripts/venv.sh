#!/bin/sh
# Makes a virtual environment: sh scripts/venv.sh PYTHON FOLDER
# Debian keeps the venv module's installer in a package of its own; root installs it, others are told.
set -eu
python=$1
folder=$2
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        echo "Installing $package"
        apt-get update -qq && apt-get install -y -qq "$package" >/dev/null
    else
        echo "Python lacks its venv module. Install it first: sudo apt-get install $package" >&2
        exit 2
    fi
fi
"$python" -m venv "$folder"
