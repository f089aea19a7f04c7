"""How the embedded server runs."""

OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": "128MB",
    "max_connections": "60",
    "max_wal_size": "1GB",
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
