#!/bin/sh
# Indexes the example company's documents and asks five questions: sh scripts/demo.sh BIN
# Removes what that made: sh scripts/demo.sh --clean
set -eu
. scripts/demo_env.sh
if [ "$1" = --clean ]; then
    rm -rf "$data"
    exit
fi

bin=$1
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
printf 'In a browser:  KB_AGENT_DATA_DIR=%s %s/kb try\n' "$data" "$bin"
