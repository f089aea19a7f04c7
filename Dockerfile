# kb-agent with its embedded database and its embedding model: docker build -t kb-agent .
# docs/deployment.md says how to run it.

FROM python:3.11-slim AS build

ENV PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_ROOT_USER_ACTION=ignore

WORKDIR /src
RUN python3 -m venv --without-pip /opt/kb-agent

# the locked packages are a layer of their own: it is kept until the lock changes
COPY requirements.lock ./
RUN python3 -m pip --python /opt/kb-agent/bin/python install --no-deps --require-hashes -r requirements.lock

COPY pyproject.toml README.md LICENSE ./
COPY domain domain
COPY config config
COPY net net
COPY agent agent
COPY storage storage
COPY migrations migrations
COPY indexer indexer
COPY bot bot
RUN python3 -m pip --python /opt/kb-agent/bin/python install --no-deps --no-build-isolation --no-index .


FROM python:3.11-slim

# a fixed number, so that whoever owns a mounted folder can be told
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /var/lib/kb-agent --shell /usr/sbin/nologin kb \
    && install --directory --owner=kb --group=kb --mode=700 /var/lib/kb-agent

COPY --from=build /opt/kb-agent /opt/kb-agent

# the third one: the library that runs the model reports about its machine to its makers unless told not to
ENV PATH=/opt/kb-agent/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    ORT_DISABLE_TELEMETRY=1 \
    KB_AGENT_DATA_DIR=/var/lib/kb-agent

USER kb
WORKDIR /var/lib/kb-agent

# the model's graph, so that no first command has to make it; a new volume starts with a copy of this folder
RUN python -c "from pathlib import Path; \
from agent.providers.minilm_files import cached_graph, packaged_model; \
cached_graph(Path('models'), packaged_model())"

VOLUME /var/lib/kb-agent

# an interrupt ends a command in good order: what was finished is kept, the embedded database is stopped
STOPSIGNAL SIGINT

# healthy: `kb serve` or `kb worker` lives, as its listener for operators says; other commands end and have none
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["python", "-c", "\
import os, http.client; \
asked = http.client.HTTPConnection('127.0.0.1', int(os.environ.get('KB_AGENT_OPS_PORT') or 3979), timeout=5); \
asked.request('GET', '/healthz'); \
raise SystemExit(asked.getresponse().status != 200)"]

ENTRYPOINT ["kb"]
CMD ["--help"]
