import re
import tomllib
from typing import Any

import pytest
import yaml

from config.load import load
from tests.architecture.checkout import ROOMS, ROOT, committed, text


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded = yaml.safe_load(text("deploy/compose.yaml"))
    assert isinstance(loaded, dict)
    return loaded


def test_the_wheel_and_the_image_hold_every_room() -> None:
    project = tomllib.loads(text("pyproject.toml"))
    copied = re.findall(r"^COPY (\w+) \1$", text("Dockerfile"), re.MULTILINE)
    sent = {line[1:] for line in text(".dockerignore").splitlines() if line.startswith("!")}
    assert set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == set(ROOMS)
    assert set(copied) == set(ROOMS)
    assert sent == {*ROOMS, "pyproject.toml", "README.md", "LICENSE", "requirements.lock"}


def test_the_image_runs_as_an_ordinary_user_and_from_the_lock() -> None:
    dockerfile = text("Dockerfile")
    final = dockerfile[dockerfile.rindex("\nFROM ") :]
    assert re.findall(r"^USER (.+)$", final, re.MULTILINE) == ["kb"]
    assert "--no-deps --require-hashes -r requirements.lock" in dockerfile


def test_the_images_environment_holds_settings_that_exist() -> None:
    names = re.findall(r"\b(KB_AGENT_[A-Z_]+)=", text("Dockerfile"))
    assert names
    load(dict.fromkeys(names, "1"), ROOT / "deploy")


def test_the_settings_that_compose_passes_exist(compose: dict[str, Any]) -> None:
    environment = compose["services"]["kb"]["environment"]
    load({name: "" for name in environment if name.startswith("KB_AGENT_")}, ROOT / "deploy")


def test_every_variable_of_compose_is_in_the_example(compose: dict[str, Any]) -> None:
    used = set(re.findall(r"\$\{(\w+)", text("deploy/compose.yaml")))
    explained = set(re.findall(r"^(\w+)=", text("deploy/.env.example"), re.MULTILINE))
    assert used == explained
    assert not any(path.endswith("/.env") for path in committed())


def test_documents_are_read_only_and_the_database_is_not_reachable_from_outside(compose: dict[str, Any]) -> None:
    services = compose["services"]
    [documents] = [volume for volume in services["kb"]["volumes"] if isinstance(volume, dict)]
    assert documents["read_only"] is True
    assert "ports" not in services["database"]


def test_commands_wait_for_the_schema(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["upgrade"]["command"] == ["db", "upgrade"]
    assert services["upgrade"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert services["kb"]["depends_on"]["upgrade"] == {"condition": "service_completed_successfully"}


def test_named_volumes_are_declared(compose: dict[str, Any]) -> None:
    mounted = [volume for service in compose["services"].values() for volume in service.get("volumes", ())]
    named = {volume.split(":")[0] for volume in mounted if isinstance(volume, str)}
    assert named == set(compose["volumes"])
