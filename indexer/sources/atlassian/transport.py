"""Single requests, blocking: sessions of the Atlassian library, one for each thread."""

import io
import logging
import re
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import requests
import urllib3
from atlassian.rest_client import AtlassianRestAPI
from requests import Response, Session

from domain.errors import Misconfigured, Refused
from indexer.sources.atlassian.cutting import CuttableAdapter
from indexer.sources.atlassian.paging import Params
from indexer.sources.atlassian.responses import check, read
from indexer.sources.atlassian.retry import RequestFailure
from indexer.sources.atlassian.site import AtlassianSite

T = TypeVar("T")
MAX_REDIRECTS = 5
MAX_JSON_BYTES = 100_000_000
"""No listing comes near; a page's body is 5 MB at most in Confluence."""
_LOGIN = re.compile(r"/(?:login|signin|sso)(?:\.\w+)?/?$", re.IGNORECASE)
_HEADERS = {"Accept": "application/json", "Content-Type": "application/json", "X-Atlassian-Token": "no-check"}
_LATE = (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)
_BROKEN = (requests.RequestException, urllib3.exceptions.HTTPError, OSError)


class Transport:
    """Makes requests of one site, from any thread; `Cutting` can end them. timeout: seconds for a connection, and for
    each piece of an answer. Its methods raise RequestFailure for what may be repeated, Misconfigured and Refused."""

    def __init__(self, site: AtlassianSite, *, timeout: float) -> None:
        # at its debug level the library writes every answer into the log, texts of restricted pages included
        logging.getLogger("atlassian").setLevel(logging.INFO)
        self._site = site
        self._timeout = timeout
        self._own = threading.local()
        self._sessions: list[Session] = []

    def close(self) -> None:
        """Ends the sessions."""
        for each in self._sessions:
            each.close()

    def ask(self, method: str, path: str, params: Params | None, body: object) -> Any:
        """The JSON of an answer."""
        given: dict[str, Any] = {"params": dict(params) if isinstance(params, Mapping) else list(params or ())}
        given |= {"json": body, "headers": _HEADERS, "advanced_mode": True, "allow_redirects": False}
        return _unbroken(lambda: read(self._site, path, self._api().request(method, path, **given)))

    def _api(self) -> AtlassianRestAPI:
        """This thread's session with the credentials."""
        if not hasattr(self._own, "api"):
            session = self._session()
            session.hooks["response"].append(self._read_bounded)
            site = self._site
            basic = site.flavour == "cloud"
            # its own repetitions are off: they would sleep in the thread, without a limit of ours
            self._own.api = AtlassianRestAPI(
                site.base,
                username=site.email if basic else None,
                password=site.token if basic else None,
                token=None if basic else site.token,
                session=session,
                cloud=False,
                retry_with_header=False,
            )
            self._own.api.timeout = self._timeout  # the constructor cuts it to whole seconds
        api: AtlassianRestAPI = self._own.api
        return api

    def _session(self) -> Session:
        session = Session()
        for scheme in ("http://", "https://"):
            session.mount(scheme, CuttableAdapter())
        self._sessions.append(session)
        return session

    def _stranger(self) -> Session:
        """This thread's session without credentials, not even those of a netrc file."""
        if not hasattr(self._own, "stranger"):
            self._own.stranger = self._session()
            self._own.stranger.auth = lambda request: request
        found: Session = self._own.stranger
        return found

    def _read_bounded(self, response: Response, **options: object) -> None:
        """Takes an answer in as long as it is not too large: the library would read on for ever."""
        if not options.get("stream"):
            response.raw = io.BytesIO(self._read_body(response, MAX_JSON_BYTES))

    def _read_body(self, response: Response, max_bytes: int) -> bytes:
        taken = bytearray()
        for piece in response.raw.stream(65536, decode_content=True):
            taken += piece
            if len(taken) > max_bytes:
                response.close()
                raise Refused(f"the file is larger than {max_bytes / 1e6:g} MB")
        return bytes(taken)

    def download(self, url: str, max_bytes: int) -> bytes:
        """The bytes of a file, after redirects; the credentials go to the site's own hosts only."""
        where = url if urlsplit(url).scheme else f"{self._site.base}/{self._site.inner(url).lstrip('/')}"
        for _ in range(MAX_REDIRECTS + 1):
            found = _unbroken(partial(self._step, where, max_bytes))
            if not isinstance(found, str):
                return found
            where = self._following(where, found)
        raise Refused(f"{self._site.name} redirects a file more than {MAX_REDIRECTS} times")

    def _step(self, url: str, max_bytes: int) -> bytes | str:
        """The bytes, or where a redirect leads."""
        if self._site.owns(url):
            self._api()
            session: Session = self._own.api.session
        else:
            session = self._stranger()
        response = session.get(url, stream=True, allow_redirects=False, timeout=self._timeout)
        try:
            if response.is_redirect:
                return response.headers["Location"]
            if not self._site.owns(url) and response.status_code in {401, 403, 404}:
                raise RequestFailure("the host of the files refuses the link, which is good for a short time only")
            check(self._site, urlsplit(url).path, response)
            return self._read_body(response, max_bytes)
        finally:
            response.close()

    def _following(self, url: str, location: str) -> str:
        """The absolute URL that a redirect leads to. Raises Misconfigured for a login page, Refused for plain HTTP."""
        found = urljoin(url, location)
        parts = urlsplit(found)
        if self._site.owns(found) and _LOGIN.search(parts.path):
            raise Misconfigured(
                f"{self._site.name} asks to log in instead of sending a file",
                why="The token is not accepted for files, or a login page stands before the site.",
                next_step="Check the token and its scopes.",
            )
        if parts.scheme != "https" and parts.scheme != urlsplit(url).scheme:
            raise Refused(f"{self._site.name} redirects a file to an address that is not protected")
        return found


def _unbroken(attempt: Callable[[], T]) -> T:
    """What an attempt gives. Raises RequestFailure where no whole answer came."""
    try:
        return attempt()
    except _LATE:
        what = "no answer in time"
    except requests.exceptions.SSLError:
        what = "the certificate of the site is not accepted"
    except _BROKEN:
        what = "the connection could not be made, or broke off"
    # raised out here, so that the library's error is not part of ours: it may have a URL with a token in it
    raise RequestFailure(what)
