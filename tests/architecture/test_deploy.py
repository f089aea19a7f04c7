import re
import tomllib
from configparser import ConfigParser
from typing import Any, get_args

import click
import pytest
import yaml
from sqlalchemy import make_url

from bot.app.serving import longest_work
from bot.cli.entry import kb
from config.load import load
from config.settings import Settings
from domain.cancellation import MAX_WAIT_SECONDS
from domain.conversation import Platform
from tests.architecture.checkout import PACKAGES, ROOT, committed, text

CHATS = [platform for platform in get_args(Platform) if platform != "terminal"]
"""The platforms that `kb serve` serves, each with a profile of its name."""


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded = yaml.safe_load(text("deploy/compose.yaml"))
    assert isinstance(loaded, dict)
    return loaded


def test_the_wheel_and_the_image_hold_every_room() -> None:
    project = tomllib.loads(text("pyproject.toml"))
    copied = re.findall(r"^COPY (\w+) \1$", text("Dockerfile"), re.MULTILINE)
    sent = {line[1:] for line in text(".dockerignore").splitlines() if line.startswith("!")}
    assert set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == set(PACKAGES)
    assert set(copied) == set(PACKAGES)
    assert sent == {*PACKAGES, "pyproject.toml", "README.md", "LICENSE", "requirements.lock"}


def test_the_image_runs_as_an_ordinary_user_and_from_the_lock() -> None:
    dockerfile = text("Dockerfile")
    final = dockerfile[dockerfile.rindex("\nFROM ") :]
    assert re.findall(r"^USER (.+)$", final, re.MULTILINE) == ["kb"]
    assert "--no-deps --require-hashes -r requirements.lock" in dockerfile


def test_the_images_environment_holds_settings_that_exist() -> None:
    names = re.findall(r"\b(KB_AGENT_[A-Z_]+)=", text("Dockerfile"))
    assert names
    load(dict.fromkeys(names, "1"), ROOT / "deploy")


# -- compose


def example() -> dict[str, str]:
    """What a copy of the example says, with a password."""
    lines = [line.partition("=") for line in text("deploy/.env.example").splitlines() if re.match(r"\w+=", line)]
    return {name: value.strip("'") for name, _, value in lines} | {"POSTGRES_PASSWORD": "secret"}


def in_container(service: dict[str, Any], dotenv: dict[str, str]) -> dict[str, str]:
    """The environment that Compose gives to a service: the file's, and over it its own with variables put in."""

    def put_in(found: re.Match[str]) -> str:
        name, way, rest = found["name"], found["way"], found["rest"]
        if not dotenv.get(name) and way == ":?":
            pytest.fail(f"{name}: {rest}")
        return dotenv.get(name) or rest

    # the innermost first
    pattern = re.compile(r"\$\{(?P<name>\w+)(?P<way>:[-?])(?P<rest>[^${}]*)\}")
    own = {name: str(value) for name, value in service.get("environment", {}).items()}
    while any("${" in value for value in own.values()):
        own = {name: pattern.sub(put_in, value) for name, value in own.items()}
    return {**(dotenv if service.get("env_file") == ".env" else {}), **own}


def ours(compose: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The services that run our command."""
    others = ("database", "role", "pooler")
    return {name: service for name, service in compose["services"].items() if name not in others}


def settings_of(service: dict[str, Any], **more: str) -> Settings:
    """The settings in force in its container. more: what .env says beside the example."""
    return load(in_container(service, example() | more), ROOT / "deploy")


def test_the_example_changes_nothing() -> None:
    assert load(example(), ROOT / "deploy") == load({}, ROOT / "deploy")


def test_every_setting_that_the_example_or_compose_names_exists() -> None:
    named = re.findall(r"\bKB_AGENT_[A-Z_]+\b", text("deploy/.env.example") + text("deploy/compose.yaml"))
    load(dict.fromkeys(named, ""), ROOT / "deploy")
    prefixes = "|".join([*(platform.upper() for platform in CHATS), "LLM"])
    opens_doors = set(re.findall(rf"\bKB_AGENT_(?:{prefixes})_[A-Z_]+\b", text("docs/settings.md")))
    wanted = {
        name for name in opens_doors if name.endswith(("_TOKEN", "_SECRET", "_PASSWORD", "_KEY", "_ID", "_MODEL"))
    }
    assert wanted - set(named) == set()


def test_every_variable_of_compose_is_in_the_example() -> None:
    assert set(re.findall(r"\$\{(\w+)", text("deploy/compose.yaml"))) <= example().keys()
    assert not any(path.endswith("/.env") for path in committed())


def test_every_setting_reaches_every_command(compose: dict[str, Any]) -> None:
    given = {"KB_AGENT_LLM_MODEL": "large", "KB_AGENT_SLACK_COMMAND": "/ask", "JIRA_TOKEN": "hush"}
    for service in ours(compose).values():
        settings = settings_of(service, **given)
        assert (settings.model.llm_model, settings.slack.slack_command) == ("large", "/ask")
        assert in_container(service, example() | given)["JIRA_TOKEN"] == "hush"
    assert "env_file" not in compose["services"]["database"]


def test_what_the_services_rest_on_goes_before_what_the_file_says(compose: dict[str, Any]) -> None:
    other = {"KB_AGENT_DATA_DIR": "/elsewhere", "KB_AGENT_HTTP_HOST": "10.0.0.1", "KB_AGENT_OPS_PORT": "1"}
    for name, service in ours(compose).items():
        settings = settings_of(service, **other)
        assert str(settings.storage.data_dir) in text("Dockerfile")
        if service.get("restart") == "unless-stopped":
            assert (settings.serve.http_host, settings.serve.http_port) == ("0.0.0.0", 3978), name
            assert (settings.serve.ops_host, settings.serve.ops_port) == ("0.0.0.0", 3979), name


APP_URL, OWNER_URL = "postgresql://kb_app@database:5432/kb", "postgresql://kb@database:5432/kb"


def urls_of(service: dict[str, Any], **named: str) -> list[str | None]:
    """The application's URL, the direct one and the owner's. named: what .env says, by the end of the variable."""
    found = settings_of(service, **{f"KB_AGENT_DATABASE_{name}": url for name, url in named.items()}).storage
    urls = (found.database_url, found.database_direct_url, found.database_owner_url)
    return [url.reveal() if url else None for url in urls]


def test_another_database_may_be_named(compose: dict[str, Any]) -> None:
    there, direct, owner = (f"postgresql://kb@{name}/kb" for name in ("pooler:6432", "server:5432", "owners:5432"))
    for service in ours(compose).values():
        assert urls_of(service) == [APP_URL, None, OWNER_URL]
        assert urls_of(service, URL=there) == [there, None, there]
        assert urls_of(service, URL=there, DIRECT_URL=direct) == [there, direct, direct]
        assert urls_of(service, URL=there, DIRECT_URL=direct, OWNER_URL=owner) == [there, direct, owner]
        assert in_container(service, example())["PGPASSWORD"] == "secret"


def test_every_command_exists(compose: dict[str, Any]) -> None:
    commands = {name: service["command"] for name, service in ours(compose).items() if "command" in service}
    assert commands == {"upgrade": ["db", "upgrade"], "serve": ["serve"], "worker": ["worker"]}
    for words in commands.values():
        group: click.Command | None = kb
        for word in words:
            assert isinstance(group, click.Group)
            group = group.get_command(click.Context(group), word)
        assert group is not None, words


def test_what_stays_is_watched_and_given_time_to_end(compose: dict[str, Any]) -> None:
    staying = {name: service for name, service in ours(compose).items() if service.get("restart") == "unless-stopped"}
    assert {name: service["profiles"] for name, service in staying.items()} == {
        "serve": CHATS,
        "worker": ["worker"],
    }
    for service in staying.values():
        settings = settings_of(service).serve
        assert "healthcheck" not in service, "the image's asks the listener for operators"
        assert settings.ops_port == load({}, ROOT / "deploy").serve.ops_port
        assert int(service["stop_grace_period"].removesuffix("s")) > longest_work(settings) + 3 * MAX_WAIT_SECONDS
        for published in service.get("ports", ()):
            address, outside, inside = published.split(":")
            assert address == "127.0.0.1"
            assert outside == inside
            assert int(inside) in {settings.http_port, settings.ops_port, 3980}, "3980: where .env says so"
    assert "ports" not in staying["worker"], "several of them run on one machine"


def test_commands_that_end_have_no_health(compose: dict[str, Any]) -> None:
    ending = {name for name, service in ours(compose).items() if "restart" not in service or service["restart"] == "no"}
    assert ending == {"upgrade", "kb"}
    for name in ending:
        assert compose["services"][name]["healthcheck"] == {"disable": True}


def test_the_pooler_has_the_applications_role_alone_and_the_example_leads_through_it(compose: dict[str, Any]) -> None:
    """`make counterparts` runs its script and its settings."""
    pooler, settings = compose["services"]["pooler"], ConfigParser(interpolation=None)
    settings.read_string(text("deploy/pgbouncer/pgbouncer.ini"))
    assert in_container(pooler, example()) == {"PGPASSWORD": "secret"}
    assert settings["pgbouncer"]["pool_mode"] == "transaction"
    assert settings["databases"]["kb"] == "host=database port=5432 dbname=kb"
    lines = dict(re.findall(r"^# KB_AGENT_DATABASE_(\w*URL)=(.+)$", text("deploy/.env.example"), re.MULTILINE))
    port = settings["pgbouncer"]["listen_port"]
    assert lines == {"URL": f"postgresql://kb_app@pooler:{port}/kb", "DIRECT_URL": APP_URL, "OWNER_URL": OWNER_URL}
    for service in ours(compose).values():
        assert urls_of(service, **lines) == list(lines.values())
    copied = re.search(r"^COPY (.+) /etc/kb-pgbouncer/$", text("deploy/pgbouncer/Dockerfile"), re.MULTILINE)
    assert copied is not None
    assert {f"deploy/pgbouncer/{name}" for name in copied[1].split()} <= set(committed())


def test_documents_are_read_only_and_the_database_is_not_reachable_from_outside(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name in ours(compose).keys() - {"upgrade"}:
        [documents] = [volume for volume in services[name]["volumes"] if isinstance(volume, dict)]
        assert documents["read_only"] is True
    assert "ports" not in services["database"]


def test_commands_wait_for_the_schema(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["role"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert services["upgrade"]["depends_on"] == {"role": {"condition": "service_completed_successfully"}}
    for name in ours(compose).keys() - {"upgrade"}:
        assert services[name]["depends_on"]["upgrade"] == {"condition": "service_completed_successfully"}


def test_the_applications_role_is_made_by_the_databases_own_superuser(compose: dict[str, Any]) -> None:
    """tests/counterparts/databases/test_compose_role.py runs the file."""
    database, role = compose["services"]["database"], compose["services"]["role"]
    named = {
        f"--username={database['environment']['POSTGRES_USER']}",
        f"--dbname={database['environment']['POSTGRES_DB']}",
    }
    assert named <= {*role["command"]}
    assert role["image"] == database["image"]
    (script,) = role["volumes"]
    assert role["command"][-1] == f"--file={script['target']}"
    assert f"CREATE ROLE {make_url(APP_URL).username} LOGIN" in text(f"deploy/{script['source']}")
    given = in_container(role, example()), in_container(compose["services"]["kb"], example())
    assert given[0]["APP_PASSWORD"] == given[1]["PGPASSWORD"] == "secret"


def test_named_volumes_are_declared(compose: dict[str, Any]) -> None:
    mounted = [volume for service in compose["services"].values() for volume in service.get("volumes", ())]
    named = {volume.split(":")[0] for volume in mounted if isinstance(volume, str)}
    assert named == set(compose["volumes"])
