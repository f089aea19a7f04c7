"""Jira's REST API: requests that Cloud and Data Center share, and methods that each implements by itself."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import quote

from domain.errors import Refused
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.display_names import DisplayNames
from indexer.sources.connector import NotThere

Row = dict[str, Any]
COMMENTS_AT_ONCE = 500
ROWS_AT_ONCE = 100
USERS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class JiraHolder:
    """Somebody to whom a permission or a security level is granted.

    kind: as Jira calls it, such as `group` or `reporter`. value: the id of a group, an account, a role or a field, the
    key of an application; empty where there is none.
    """

    kind: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class JiraAccount:
    """A user. account: the id that rights go by. name: the login name on Data Center. email: lower case, empty when
    hidden. is_reader: an active account of a person who may use Jira itself, neither an app nor a desk's customer."""

    account: str
    name: str
    email: str
    is_reader: bool


class JiraApi(ABC):
    """Jira through a client. Every method raises as the client does; a listing that ends without an error is complete.

    names: of people whom texts mention.
    """

    base: ClassVar[str]
    """The beginning of all paths."""
    mention_kind: ClassVar[str]
    """How a text marks an account that it mentions, see DisplayNames."""
    account_field: ClassVar[str]
    """The field with a user's id."""
    group_field: ClassVar[str]
    """The field with a group's id, by which it is asked for as `group_parameter`."""
    group_parameter: ClassVar[str]
    holder_fields: ClassVar[tuple[str, ...]]
    """The fields of which the first that is there says who holds a permission."""
    visible_group_field: ClassVar[str]
    """The field with the id of the group that a comment is restricted to."""

    def __init__(self, client: AtlassianClient) -> None:
        self.client = client
        self.names = DisplayNames(self.look_up)

    # what differs

    @abstractmethod
    def search(self, scope: str, order: str, since: datetime | None, fields: Sequence[str]) -> AsyncIterator[Row]:
        """Issues, each once, in the order of `created` or `updated`, even when issues change or vanish meanwhile.

        scope: what JQL says beside the time. since: leaves out what is older by `order`. fields: must hold `order`.
        Raises Transient when fewer came than there are, where that can be told.
        """

    @abstractmethod
    def people(self) -> AsyncIterator[JiraAccount]:
        """All users that the account may know of."""

    @abstractmethod
    def groups(self) -> AsyncIterator[Row]:
        """All groups. Raises Refused when the product gives only some."""

    @abstractmethod
    def projects(self) -> AsyncIterator[Row]:
        """The projects that the account may browse, with their leads."""

    @abstractmethod
    def actor(self, shown: Row) -> JiraHolder:
        """A user or a group in a project role; a user of Data Center by name."""

    @abstractmethod
    def file_path(self, number: str, name: str) -> str:
        """The path of an attachment's content."""

    @abstractmethod
    async def look_up(self, people: Sequence[str]) -> dict[str, str]:
        """Names of people by how markup identifies them, see DisplayNames."""

    async def level_holders(self) -> dict[str, list[JiraHolder]] | None:
        """Who is in each security level, by its id; None where the product does not tell, as Data Center."""
        return None

    # what does not

    @property
    def is_cloud(self) -> bool:
        """Whether it is Jira Cloud."""
        return self.client.site.flavour == "cloud"

    def account(self, user: object) -> str:
        """The id of the account that a field or a list shows; empty when it shows none."""
        return text_in(user, self.account_field)

    def mention(self, user: object) -> str:
        """The account of a user as a text mentions it; empty when there is none."""
        account = self.account(user)
        return f"{self.mention_kind}:{account}" if account else ""

    def group(self, group: object) -> str:
        """The id of a group that a field or a list shows; empty when it shows none."""
        return text_in(group, self.group_field)

    def holder(self, shown: Row) -> JiraHolder:
        """The holder that a scheme shows."""
        values = (shown.get(name) for name in self.holder_fields)
        return JiraHolder(str(shown.get("type")), str(next(filter(None, values), "")))

    def visible_to(self, visibility: Row) -> JiraHolder:
        """The group, or by its name the role, that a comment is restricted to."""
        if visibility.get("type") == "group":
            return JiraHolder("group", text_in(visibility, self.visible_group_field))
        return JiraHolder("projectRole", text_in(visibility, "value"))

    def members(self, group: str) -> AsyncIterator[Row]:
        """The users of a group, nested ones as far as the product reports them: Cloud has them in each group. group:
        its id."""
        return self.client.numbered(f"{self.base}/group/member", {self.group_parameter: group}, limit=50)

    async def issue(self, name: str, fields: Sequence[str], expand: str = "") -> Row:
        """One issue by id or key. Raises NotThere as well."""
        params = {"fields": ",".join(fields)} | ({"expand": expand} if expand else {})
        return _row(await self.client.get(f"{self.base}/issue/{quote(name, safe='')}", params))

    def comments(self, issue: str) -> AsyncIterator[Row]:
        """All comments of an issue, with what says whether they are a desk's notes."""
        path = f"{self.base}/issue/{issue}/comment"
        params = {"expand": "properties", "orderBy": "created"}
        return self.client.numbered(path, params, rows="comments", limit=COMMENTS_AT_ONCE)

    async def comment(self, issue: str, number: str) -> Row:
        """One comment. Raises NotThere as well."""
        return _row(await self.client.get(f"{self.base}/issue/{issue}/comment/{number}", {"expand": "properties"}))

    async def remote_links(self, issue: str) -> list[Row]:
        """The links of an issue to targets outside Jira."""
        return rows(await self.client.get(f"{self.base}/issue/{issue}/remotelink"))

    async def project(self, name: str) -> Row:
        """One project by its id, or a key that it has or had."""
        return _row(await self.client.get(f"{self.base}/project/{quote(name, safe='')}"))

    async def grants(self, project: str) -> list[tuple[str, JiraHolder]]:
        """The lines of a project's permission scheme: a permission, and who has it."""
        found = await self.client.get(f"{self.base}/project/{project}/permissionscheme", {"expand": "permissions"})
        lines = rows(_row(found).get("permissions"), required=True)
        return [(str(line.get("permission")), self.holder(_row(line.get("holder")))) for line in lines]

    async def has_levels(self, project: str) -> bool:
        """Whether a project has a scheme of security levels. Who may read permission schemes may read that, too."""
        try:
            await self.client.get(f"{self.base}/project/{project}/issuesecuritylevelscheme")
        except NotThere:
            return False
        return True

    async def roles(self, project: str) -> dict[str, str]:
        """The ids of the roles of a project by their names."""
        found = _row(await self.client.get(f"{self.base}/project/{project}/role"))
        return {name: str(url).rpartition("/")[2] for name, url in found.items()}

    async def actors(self, project: str, role: str) -> list[JiraHolder]:
        """Who is in a role of a project."""
        found = await self.client.get(f"{self.base}/project/{project}/role/{role}")
        return [self.actor(each) for each in rows(_row(found).get("actors"), required=True)]

    async def applications(self) -> list[Row]:
        """The application roles with their groups."""
        return rows(await self.client.get(f"{self.base}/applicationrole"), required=True)

    async def named(self, name: str) -> str:
        """The account of a login name, which only Data Center has. Raises NotThere as well."""
        return self.account(_row(await self.client.get(f"{self.base}/user", {"username": name})))

    async def fields(self) -> list[Row]:
        """The fields that issues have."""
        return rows(await self.client.get(f"{self.base}/field"), required=True)

    async def level_names(self) -> list[str]:
        """The names of all security levels."""
        path = f"{self.base}/issuesecurityschemes"
        schemes = rows(_row(await self.client.get(path)).get("issueSecuritySchemes"), required=True)
        found = [_row(await self.client.get(f"{path}/{each.get('id')}")).get("levels") for each in schemes]
        return sorted({str(level.get("name")) for levels in found for level in rows(levels)})

    async def myself(self) -> Row:
        """The account that asks."""
        return _row(await self.client.get(self.client.site.own_account))


def _row(value: object) -> Row:
    return value if isinstance(value, dict) else {}


def text_in(value: object, name: str) -> str:
    """A field of an object as text; empty where there is none."""
    return str(value.get(name) or "") if isinstance(value, dict) else ""


def rows(value: object, *, required: bool = False) -> list[Row]:
    """The objects of a list. required: raises Refused when there is no list, which would pass for an empty one."""
    if required and not isinstance(value, list):
        raise Refused("Jira's answer has another form than expected")
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
