#!/bin/sh
# Serves the example company's documents to Microsoft's Agents Playground, a Teams on this machine alone, until Ctrl-C:
# sh scripts/playground.sh BIN. PORT: of the bot, 3978; VIEW: of the Playground's page, 56150.
set -eu
. scripts/demo_env.sh
bin=$1 port=${PORT:-3978} view=${VIEW:-56150}
package=@microsoft/m365agentsplayground
version=$(sed -n "s|.*\"$package\": *\"\([0-9.]*\)\".*|\1|p" tests/counterparts/package.json)

programs=.counterparts/node_modules
if [ ! -x "$programs/.bin/agentsplayground" ]; then
    programs=.playground/node_modules
    if [ ! -x "$programs/.bin/agentsplayground" ]; then
        command -v npm >/dev/null || { echo "npm is not here: install Node.js 20 or later, then try again" >&2; exit 2; }
        npm install --prefix .playground --no-audit --no-fund --no-package-lock --loglevel=error "$package@$version"
    fi
fi
node=$programs/.bin/node
[ -x "$node" ] || node=node

"$bin/kb" index examples/knowledge-base
export KB_AGENT_TEAMS_INSECURE_DEV=true KB_AGENT_HTTP_PORT=$port KB_AGENT_OPS_PORT=0 KB_AGENT_EMAIL_DOMAINS=example.com
"$bin/kb" serve &
bot=$!
trap 'kill "$bot" 2>/dev/null || true; wait "$bot" || true' EXIT
trap 'exit 0' INT TERM
until "$bin/python" -c "import urllib.request as r; r.urlopen('http://127.0.0.1:$port/health')" 2>/dev/null; do
    kill -0 "$bot" 2>/dev/null || { echo "kb serve has ended; its words above say why. PORT=... takes another port" >&2; exit 2; }
    sleep 0.2
done
echo "The Playground: http://127.0.0.1:$view (Ctrl-C ends it)"
mkdir -p .playground
TEAMSAPPTESTER_BROWSER=none M365_AGENTS_PLAYGROUND_LOGFILE=.playground/log "$node" --require ./tests/counterparts/loopback.cjs "$programs/.bin/agentsplayground" \
    -e "http://127.0.0.1:$port/api/messages" -c msteams -p "$view" --disable-telemetry
