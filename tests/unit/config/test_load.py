import tomllib
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.bounds import Secret
from config.load import DEFAULT_FILE, load, slices_of_settings
from config.settings import MaskingRule, Settings
from domain.errors import Misconfigured

# all but the variables of the environment that other settings name, which are no settings
SLICES = slices_of_settings()
KEYS = {field.name for kind in SLICES.values() for field in fields(kind)}
PASSWORD = "hunter2-correct-horse"


def written(folder: Path, content: str, name: str = "kb.toml") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def refusal(environ: dict[str, str], folder: Path) -> Misconfigured:
    with pytest.raises(Misconfigured) as caught:
        load(environ, folder)
    assert caught.value.next_step
    return caught.value


# -- the defaults


def test_the_default_file_is_complete_and_names_nothing_else() -> None:
    assert set(tomllib.loads(DEFAULT_FILE.read_text(encoding="utf-8"))) == KEYS


def test_each_setting_belongs_to_one_slice() -> None:
    assert len(KEYS) == sum(len(fields(kind)) for kind in SLICES.values())


def test_the_product_runs_from_the_defaults_alone(tmp_path: Path) -> None:
    settings = load({}, tmp_path)
    assert settings.storage.database_url is None
    assert settings.storage.data_dir is None
    assert settings.embedding.embedding_base_url is None
    assert settings.search.fusion == "learned"
    assert settings.index.fetch_allow == ()


# -- which one wins


def test_environment_over_file_over_default(tmp_path: Path) -> None:
    written(tmp_path, "rrf_k = 10\nsearch_candidates = 20\n")
    settings = load({"KB_AGENT_RRF_K": "7", "PATH": "/bin", "OTHER_RRF_K": "1"}, tmp_path)
    assert settings.search.rrf_k == 7
    assert settings.search.search_candidates == 20
    assert settings.search.vector_ef_search == load({}, tmp_path / "nowhere").search.vector_ef_search


def test_a_named_file_takes_the_place_of_the_one_in_the_working_folder(tmp_path: Path) -> None:
    written(tmp_path, "rrf_k = 10\nsearch_candidates = 20\n")
    named = written(tmp_path, "rrf_k = 30\n", "other.toml")
    settings = load({"KB_AGENT_CONFIG": str(named)}, tmp_path)
    assert settings.search.rrf_k == 30
    assert settings.search.search_candidates == load({}, tmp_path / "nowhere").search.search_candidates


def test_the_working_folder_is_looked_at_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, "rrf_k = 10\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KB_AGENT_SEARCH_CANDIDATES", "5")
    settings = load()
    assert (settings.search.rrf_k, settings.search.search_candidates) == (10, 5)


@pytest.mark.parametrize(
    "name", ["KB_AGENT_RRF_K", "KB_AGENT_FUSION", "KB_AGENT_DIVERSITY", "KB_AGENT_VECTOR_EF_SEARCH"]
)
def test_an_empty_variable_is_one_that_is_not_set(tmp_path: Path, name: str) -> None:
    written(tmp_path, 'rrf_k = 10\nfusion = "rrf"\ndiversity = 0.5\nvector_ef_search = 9\n')
    assert load({name: ""}, tmp_path) == load({}, tmp_path)


def test_what_may_be_empty_is_emptied_by_an_empty_variable(tmp_path: Path) -> None:
    written(tmp_path, 'database_url = "postgresql://h/d"\nfetch_allow = ["a"]\ndata_dir = "/x"\n')
    emptied = load({f"KB_AGENT_{name}": "" for name in ("DATABASE_URL", "FETCH_ALLOW", "DATA_DIR")}, tmp_path)
    assert emptied == load({}, tmp_path / "nowhere")


# -- values


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("data_dir", "/var/lib/kb", Path("/var/lib/kb")),
        ("data_dir", "~", Path.home()),
        ("rrf_k", " 12 ", 12),
        ("diversity", "0.25", 0.25),
        ("fusion", "rrf", "rrf"),
        ("fetch_allow", "10.0.0.0/8, intranet:8080 ,,", ("10.0.0.0/8", "intranet:8080")),
        ("embedding_model", "some/model", "some/model"),
        ("embedding_threads", "0", 0),
    ],
)
def test_values_from_the_environment(tmp_path: Path, name: str, value: str, found: object) -> None:
    settings = load({f"KB_AGENT_{name.upper()}": value}, tmp_path)
    assert [getattr(part, name) for part in slices(settings) if hasattr(part, name)] == [found]


def test_values_from_a_file(tmp_path: Path) -> None:
    written(tmp_path, 'rrf_k = 12\ndiversity = 1\nfetch_allow = ["a", " b "]\ndatabase_connect_seconds = 3\n')
    settings = load({}, tmp_path)
    assert (settings.search.rrf_k, settings.search.diversity) == (12, 1.0)
    assert isinstance(settings.search.diversity, float)
    assert settings.index.fetch_allow == ("a", "b")
    assert settings.storage.database_connect_seconds == 3.0


def test_what_is_not_to_be_done_has_no_time(tmp_path: Path) -> None:
    written(tmp_path, 'schedule_timezone = "Europe/Berlin"')
    found = load({"KB_AGENT_SCHEDULE_CONTENT": "", "KB_AGENT_SCHEDULE_WINDOW": "22:00-06:00"}, tmp_path).schedule
    assert (found.schedule, found.schedule_content) == (True, None)
    assert str(found.schedule_permissions) == "*/30 * * * *"
    assert found.schedule_timezone is not None
    assert found.schedule_timezone.zone.key == str(found.schedule_timezone) == "Europe/Berlin"
    assert str(found.schedule_window) == "22:00-06:00"


def test_tables_from_a_file(tmp_path: Path) -> None:
    table = "[[masking_rules]]\nname = 'badge'\npattern = '\\bBDG-\\d+'\n"
    written(tmp_path, f"rrf_k = 12\n{table}keywords = ['bdg', ' id ']\n{table}")
    rules = load({}, tmp_path).masking.masking_rules
    assert rules == (MaskingRule("badge", r"\bBDG-\d+", ("bdg", "id")), MaskingRule("badge", r"\bBDG-\d+"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ()),
        (" ", ()),
        ("[]", ()),
        ('[{"name": "a, b", "pattern": "\\\\d{1,3}"}]', (MaskingRule("a, b", r"\d{1,3}"),)),
        ('[{"name": "a", "pattern": "b", "keywords": ["c"]}]', (MaskingRule("a", "b", ("c",)),)),
    ],
)
def test_tables_from_the_environment_are_json(tmp_path: Path, text: str, found: tuple[MaskingRule, ...]) -> None:
    written(tmp_path, "[[masking_rules]]\nname = 'x'\npattern = 'y'\n")
    assert load({"KB_AGENT_MASKING_RULES": text}, tmp_path).masking.masking_rules == found


@pytest.mark.parametrize("text", ["{}", "badge", "[1]", "{", '"a"', "[" * 100_000])
def test_tables_of_another_form_are_refused_by_the_variables_name(tmp_path: Path, text: str) -> None:
    assert "KB_AGENT_MASKING_RULES" in refusal({"KB_AGENT_MASKING_RULES": text}, tmp_path).what


WRONG = [
    ("rrf_k = 5.5", "It takes a whole number"),
    ("rrf_k = inf", "It takes a whole number"),
    ("rrf_k = nan", "It takes a whole number"),
    ("rrf_k = true", "It takes a number"),
    ("rrf_k = [1]", "It takes a number"),
    ("rrf_k = -1", "0 or more"),
    ('rrf_k = "many"', "It takes a whole number"),
    ("parse_seconds = nan", "0 or more"),
    ("parse_seconds = inf", "0 or more"),
    ('parse_seconds = "soon"', "It takes a number"),
    ("fusion_lexical_weight = 1.5", "from 0 to 1"),
    ("prune_max_share = 20", "from 0 to 1"),
    ("vector_ef_search = 2000", "from 1 to 1000"),
    ("database_pool = 0", "1 or more"),
    ('fusion = "both"', "learned, normalised, rrf"),
    ("fusion = 3", "learned, normalised, rrf"),
    ('fusion = ["rrf"]', "rrf"),
    ("data_dir = 5", "It takes text"),
    ('data_dir = "~nobody-of-that-name/kb"', "no such user"),
    ("data_dir = 2020-01-01", "It takes text"),
    ("embedding_model = false", "It takes text"),
    ("fetch_allow = 5", "It takes a list"),
    ("fetch_allow = [5]", "It takes a list"),
    ('schedule_content = "30 25 * * *"', "'25' is no hour"),
    ('schedule_prune = "weekly"', "It takes five fields"),
    ('schedule_permissions = "0 0 30 2 *"', "no such day"),
    ('schedule_window = "22-6"', "two different times of the day"),
    ('schedule_timezone = "Berlin"', "no time zone of that name"),
    ('schedule_timezone = "Europe"', "no time zone of that name"),
    ('schedule_timezone = "../../etc/passwd"', "no time zone of that name"),
    ("masking_rules = 5", "It takes a list of tables"),
    ("masking_rules = [5]", "It takes a list of tables"),
    ('masking_rules = "badge"', "It takes a JSON list of objects"),
    ('masking_rules = [{ name = "a", pattern = "b" }, { name = "c" }]', "Table 2 has no pattern"),
    ('masking_rules = [{ name = "a", pattern = "b", color = "c" }]', "Table 1 has color"),
    ('masking_rules = [{ name = "a", pattern = 5 }]', "Table 1: It takes text"),
    ('masking_rules = [{ name = "a", pattern = "b", keywords = [5] }]', "Table 1: It takes a list of texts"),
]


@pytest.mark.parametrize(("line", "why"), WRONG, ids=[line for line, _ in WRONG])
def test_a_wrong_value_is_refused_by_the_name_of_its_setting(tmp_path: Path, line: str, why: str) -> None:
    written(tmp_path, line)
    error = refusal({}, tmp_path)
    assert line.partition(" ")[0] in error.what
    assert "kb.toml" in error.what
    assert why in error.why


def test_a_wrong_variable_is_refused_by_its_own_name(tmp_path: Path) -> None:
    written(tmp_path, "rrf_k = 10")
    error = refusal({"KB_AGENT_RRF_K": "ten"}, tmp_path)
    assert "KB_AGENT_RRF_K" in error.what
    assert "'ten'" in error.what


@given(st.sampled_from(sorted(KEYS)), st.text(max_size=12))
def test_any_variable_gives_settings_or_a_refusal_that_names_it(name: str, value: str) -> None:
    try:
        load({f"KB_AGENT_{name.upper()}": value}, Path("/nowhere"))
    except Misconfigured as error:
        assert f"KB_AGENT_{name.upper()}" in error.what  # noqa: PT017 - it need not be raised


# -- names and files


@pytest.mark.parametrize(
    ("environ", "content", "unknown", "hint"),
    [
        ({"KB_AGENT_DATABSE_URL": "x"}, "", "KB_AGENT_DATABSE_URL", "KB_AGENT_DATABASE_URL"),
        ({}, "embeding_model = 'x'", "embeding_model", "embedding_model"),
        ({"KB_AGENT_QQQQQQ": "x"}, "", "KB_AGENT_QQQQQQ", "docs/settings.md"),
        ({}, "[storage]\ndata_dir = 'x'", "storage", "docs/settings.md"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(
    tmp_path: Path, environ: dict[str, str], content: str, unknown: str, hint: str
) -> None:
    written(tmp_path, content)
    error = refusal(environ, tmp_path)
    assert unknown in error.what
    assert hint in error.next_step


@pytest.mark.parametrize("raw", [b"rrf_k = ", b"\xff\xfe", b"rrf_k = 1\nrrf_k = 2"], ids=ascii)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "kb.toml").write_bytes(raw)
    assert str(tmp_path / "kb.toml") in refusal({}, tmp_path).what


@pytest.mark.parametrize("name", ["missing.toml", "", "~nobody-of-that-name/kb.toml"])
def test_a_named_file_must_be_there(tmp_path: Path, name: str) -> None:
    path = name if name.startswith("~") else str(tmp_path / name)
    error = refusal({"KB_AGENT_CONFIG": path}, tmp_path)
    assert path in error.what
    assert "KB_AGENT_CONFIG" in error.why


# -- secrets


SECRETS = [
    "database_direct_url",
    "database_owner_url",
    "database_read_url",
    "database_url",
    "embedding_api_key",
    "llm_api_key",
    "oidc_client_secret",
    "rerank_api_key",
    "slack_app_token",
    "slack_bot_token",
    "slack_signing_secret",
    "teams_app_password",
    "web_search_api_key",
]


def secrets() -> list[str]:
    return sorted(
        name for kind in SLICES.values() for name, hint in get_type_hints(kind).items() if Secret in parts(hint)
    )


def parts(hint: object) -> tuple[object, ...]:
    return getattr(hint, "__args__", (hint,))


def slices(settings: Settings) -> list[object]:
    return [getattr(settings, name) for name in SLICES]


def test_what_opens_doors_is_a_secret() -> None:
    assert secrets() == SECRETS
    assert not {name for name in KEYS if name.endswith(("key", "password", "token", "secret"))} - set(secrets())


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_revealed_on_purpose_alone(tmp_path: Path, name: str) -> None:
    settings = load({f"KB_AGENT_{name.upper()}": PASSWORD}, tmp_path)
    (found,) = [getattr(part, name) for part in slices(settings) if hasattr(part, name)]
    assert found.reveal() == PASSWORD
    for shown in (repr(settings), str(settings), repr(found), str(found), f"{found}", f"{settings!r:>5}"):
        assert PASSWORD not in shown


def test_a_secret_of_a_source_is_none_where_its_variable_is_not_set_or_blank(tmp_path: Path) -> None:
    secrets_of_sources = load({"WIKI_TOKEN": f" {PASSWORD}\n", "BLANK": " "}, tmp_path).secrets
    assert secrets_of_sources.get("WIKI_TOKEN") == Secret(PASSWORD)
    assert secrets_of_sources.get("BLANK") is None
    assert secrets_of_sources.get("OTHER_TOKEN") is None


@pytest.mark.parametrize(
    "content",
    [
        f'database_url = ["{PASSWORD}"]',
        f'database_url = {{ url = "{PASSWORD}" }}',
        f'database_url = "{PASSWORD}',
        f'databse_url = "{PASSWORD}"',
    ],
)
def test_no_message_shows_a_secret(tmp_path: Path, content: str) -> None:
    written(tmp_path, content)
    error = refusal({}, tmp_path)
    assert PASSWORD not in str(error)
    assert PASSWORD not in repr(error)
    assert PASSWORD not in str(error.__cause__)


ID = "0a0b0c00-0000-4000-8000-00000000000b"


@pytest.mark.parametrize("given", [ID, ID.upper(), f"{{{ID}}}", ID.replace("-", ""), f" {ID} "])
def test_an_id_of_microsoft_has_one_form(given: str, tmp_path: Path) -> None:
    for name in ("teams_app_id", "teams_tenant_id"):
        settings = load({f"KB_AGENT_{name.upper()}": given}, tmp_path)
        assert getattr(settings.teams, name) == ID


@pytest.mark.parametrize("given", ["kb", "contoso.onmicrosoft.com", ID[:-1]])
def test_what_is_no_id_is_refused(given: str, tmp_path: Path) -> None:
    for name in ("KB_AGENT_TEAMS_APP_ID", "KB_AGENT_TEAMS_TENANT_ID"):
        error = refusal({name: given}, tmp_path)
        assert name in error.what
        assert "00000000-0000" in error.why
