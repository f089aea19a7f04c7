"""The database as a server: the embedded one, pools, poolers, locks, migrations at start, schema check."""
