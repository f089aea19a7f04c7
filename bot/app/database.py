"""Where the embedded database and caches lie, and how the database is reached, by the settings."""

import os
from pathlib import Path

from platformdirs import user_data_path

from config.settings import Settings
from storage.server.database import DatabaseOptions


def data_dir(settings: Settings) -> Path:
    """The folder for the embedded database, caches and logs."""
    if settings.storage.data_dir is not None:
        return settings.storage.data_dir
    # root's home is private, and root's embedded server runs as another user
    return Path("/var/lib/kb-agent") if os.geteuid() == 0 else user_data_path("kb-agent")


def database_options(
    settings: Settings, name: str | None = None, *, supervised: bool = False, application: str = "kb"
) -> DatabaseOptions:
    """Where the database is; `name` for another one on the same server. supervised, application: see
    DatabaseOptions."""
    storage = settings.storage
    return DatabaseOptions(
        url=storage.database_url.reveal() if storage.database_url else None,
        direct_url=storage.database_direct_url.reveal() if storage.database_direct_url else None,
        owner_url=storage.database_owner_url.reveal() if storage.database_owner_url else None,
        read_url=storage.database_read_url.reveal() if storage.database_read_url else None,
        read_lag=storage.database_read_lag,
        posting_cache=settings.search.posting_cache_mb * 2**20,
        data_dir=data_dir(settings),
        name=name,
        pool_size=storage.database_pool,
        connect_seconds=storage.database_connect_seconds,
        supervised=supervised,
        application=application,
    )
