"""How the embedded server runs."""

import os

_MACHINE_MB = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20

OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": "128MB",
    "max_connections": "60",
    "max_wal_size": "1GB",
    "maintenance_work_mem": f"{_MACHINE_MB // 8}MB",  # HNSW takes what it needs of it, see storage.index.vectors
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
