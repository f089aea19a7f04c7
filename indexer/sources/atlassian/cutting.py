"""Requests that another thread can end: a time limit of a socket begins anew with every byte, and so never ends an
answer that comes byte by byte."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, TypeVar

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

T = TypeVar("T")


class Cutting:
    """Ends the answers that are read within one call of `run`, at any time and from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._is_cut = False

    def run(self, work: Callable[[], T]) -> T:
        """What `work` gives, all its requests in this thread by sessions with a CuttableAdapter."""
        token = _CURRENT.set(self)
        try:
            return work()
        finally:
            _CURRENT.reset(token)
            with self._lock:
                self._sockets.clear()

    def cut(self) -> None:
        """Ends the reading of answers, those that are still to come included; nothing once `run` is over."""
        with self._lock:
            self._is_cut = True
            for each in self._sockets:
                _shut(each)

    def reads_from(self, connected: socket.socket) -> None:
        """Notes where an answer comes from."""
        with self._lock:
            self._sockets.append(connected)
            if self._is_cut:
                _shut(connected)


_CURRENT: ContextVar[Cutting | None] = ContextVar("_CURRENT", default=None)
"""Of the thread."""


def _shut(connected: socket.socket) -> None:
    with suppress(OSError):  # it is closed already
        # not the method of an SSL socket, which takes from the other thread what it reads with
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def _note(connected: object) -> None:
    current = _CURRENT.get()
    if current and isinstance(connected, socket.socket):
        current.reads_from(connected)


class _Plain(HTTPConnection):
    def getresponse(self) -> Any:
        _note(self.sock)
        return super().getresponse()


class _Secure(HTTPSConnection):
    def getresponse(self) -> Any:
        _note(self.sock)
        return super().getresponse()


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _Secure


class CuttableAdapter(HTTPAdapter):
    """Makes the connections of a session, directly or through a proxy, such that `Cutting` can end their answers."""

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """As HTTPAdapter."""
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        """As HTTPAdapter."""
        manager = super().proxy_manager_for(proxy, **options)
        if not proxy.lower().startswith("socks"):  # whose connections are of another kind
            manager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}
        return manager
