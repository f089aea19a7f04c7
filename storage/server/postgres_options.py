"""How the embedded server runs."""

import os
from contextlib import suppress
from pathlib import Path

_LIMIT = Path("/sys/fs/cgroup/memory.max")
"""Of a container, in bytes; `max` for none."""


def machine_mb(limit: Path = _LIMIT) -> int:
    """Megabytes of memory of this machine, or of this container where that has less."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):
        memory = min(memory, int(limit.read_text()))
    return memory >> 20


OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": "128MB",
    "max_connections": "60",
    "max_wal_size": "1GB",
    "maintenance_work_mem": f"{max(64, machine_mb() // 8)}MB",  # HNSW takes what it needs of it
    "autovacuum_work_mem": "64MB",  # otherwise as much, for each of its workers
    "jit": "off",  # compiling costs more than our short queries take
    "log_min_messages": "warning",
    # what the log says of a statement must not hold what documents or questions hold
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_min_duration_sample": "-1",
    "log_duration": "off",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",  # without DETAIL and CONTEXT, which quote rows
}
