#!/bin/sh
# Writes who may log on, and runs PgBouncer. PGPASSWORD: of the application's role. Usage: start.sh SETTINGS
# Not as root: PgBouncer refuses that.
set -eu
umask 077
users=$(sed -n 's/^auth_file *= *//p' "$1")
printf '"kb_app" "%s"\n' "$(printf '%s' "$PGPASSWORD" | sed 's/"/""/g')" >"$users"
exec pgbouncer "$1"
