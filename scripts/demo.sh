#!/bin/sh
# Indexes the example company's documents and asks five questions: sh scripts/demo.sh BIN
# Removes what that made: sh scripts/demo.sh --clean
set -eu
here=$(pwd -P)
if [ "$(id -u)" -eq 0 ]; then
    # root's embedded server runs as another user, who may not be able to reach this folder
    data=/var/lib/kb-agent-demo/$(printf %s "$here" | cksum | cut -d' ' -f1)
else
    data=$here/.demo
fi
if [ "$1" = --clean ]; then
    rm -rf "$data"
    exit
fi

bin=$1
# the demo has its own database and the defaults, whatever is set for the real one
for name in $(env | sed -n 's/^\(KB_AGENT_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
export KB_AGENT_CONFIG=config/default.toml KB_AGENT_DATA_DIR="$data"

progress=$(mktemp)
trap 'rm -f "$progress"' EXIT

ask() {
    # 3: nothing found, which is the right reply to one of the questions
    "$bin/kb" ask "$1" 2>"$progress" || [ $? -eq 3 ] || { cat "$progress" >&2; return 1; }
}

echo "== kb index examples/knowledge-base"
"$bin/kb" index examples/knowledge-base
while IFS= read -r question; do
    printf '\n== kb ask "%s"\n' "$question"
    ask "$question"
done <examples/questions.txt
printf '\nAsk your own: KB_AGENT_DATA_DIR=%s %s/kb ask --interactive\n' "$data" "$bin"
