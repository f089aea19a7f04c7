#!/bin/sh
# Builds the pages of docs/ as a site into .site/html, in an environment of its own. Usage: build.sh PYTHON
set -eu
python=$1
cd "$(dirname "$0")/../.."
folder=.site
lock=requirements-site.lock
if ! cmp -s "$lock" "$folder/$lock"; then
    rm -rf "$folder/venv"
    "$python" -m venv "$folder/venv"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r "$lock"
    cp "$lock" "$folder/$lock"
fi
if [ ! -f "$folder/package/dist/mermaid.min.js" ] && command -v npm >/dev/null; then
    (cd "$folder" && npm pack --silent mermaid@11.12.0 >/dev/null && tar xzf mermaid-11.12.0.tgz package/dist/mermaid.min.js package/LICENSE && rm mermaid-11.12.0.tgz)
fi
"$folder/venv/bin/sphinx-build" -q -W --keep-going -c scripts/site docs "$folder/html"
echo "The site: $folder/html/index.html"
