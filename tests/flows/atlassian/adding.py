"""What an operator types to configure a local Atlassian."""

from tests.command import Done, Kb
from tests.fakes.atlassian import LocalAtlassian

TOKEN = "SERVICE_TOKEN"


def add_source(kb: Kb, at: LocalAtlassian, kind: str, *more: str) -> Done:
    """`kb sources add` for the wiki or the desk of Cloud."""
    name = "wiki" if kind == "confluence" else "desk"
    site = at.confluence_cloud if kind == "confluence" else at.jira_cloud
    where = ("--url", site, "--flavour", "cloud", "--email", at.basic()[0])
    return kb("sources", "add", kind, "--name", name, *where, "--token-env", TOKEN, *more)


def add_sources(kb: Kb, at: LocalAtlassian) -> None:
    """Both of Cloud, without looking at them first."""
    for kind in ("confluence", "jira"):
        done = add_source(kb, at, kind, "--unchecked")
        assert done.code == 0, done.err
