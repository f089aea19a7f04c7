"""A small Atlassian for tests: Confluence and Jira, Cloud and Data Center, stateful, over real sockets, on loopback."""

from tests.fakes.atlassian.company import Company, Edge
from tests.fakes.atlassian.faults import Fault
from tests.fakes.atlassian.founder import found_company, found_small_company
from tests.fakes.atlassian.oracle import may_read
from tests.fakes.atlassian.records import Account, Attachment, Call, Group, Page, PageComment, Space, User
from tests.fakes.atlassian.server import LocalAtlassian, local_atlassian
from tests.fakes.atlassian.text import adf, storage
from tests.fakes.atlassian.tracker_records import Holder, Issue, IssueComment, Project
from tests.fakes.atlassian.world import World

__all__ = [
    "Account",
    "Attachment",
    "Call",
    "Company",
    "Edge",
    "Fault",
    "Group",
    "Holder",
    "Issue",
    "IssueComment",
    "LocalAtlassian",
    "Page",
    "PageComment",
    "Project",
    "Space",
    "User",
    "World",
    "adf",
    "found_company",
    "found_small_company",
    "local_atlassian",
    "may_read",
    "storage",
]
