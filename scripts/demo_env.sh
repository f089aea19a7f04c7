# Sourced: sets `data`, the folder of the demo's own database, and the defaults, whatever is set for the real one.
here=$(pwd -P)
if [ "$(id -u)" -eq 0 ]; then
    # root's embedded server runs as another user, who may not be able to reach this folder
    data=/var/lib/kb-agent-demo/$(printf %s "$here" | cksum | cut -d' ' -f1)
else
    data=$here/.demo
fi
for name in $(env | sed -n 's/^\(KB_AGENT_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
export KB_AGENT_CONFIG=config/default.toml KB_AGENT_DATA_DIR="$data"
