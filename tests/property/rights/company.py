"""A company of five people, small enough that chance meets every combination of rights."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.fakes.atlassian import Group, Holder, Issue, Page, Project, Space, User, World, storage
from tests.fakes.atlassian.tracker_records import Level, Role
from tests.property.rights.oracle import STAFF

LICENSED = "confluence-users"
MOST = 12
"""Pages, and issues, that chance makes at most."""


@dataclass
class SmallCompany:
    """What is there. bot: the account that the product reads with. words: the canary of each document, by its id;
    it stands in the title, if the document has one of its own, and in the text."""

    world: World
    bot: User
    people: list[User] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    spaces: list[Space] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    projects: list[Project] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    def word(self) -> str:
        """A new canary."""
        return f"canary{self.world.number('canary', 101)}x"

    def some(self, first: int, second: int) -> list[User | Group]:
        """One person or group, or two."""
        every: list[User | Group] = [*self.groups, *self.people]
        return [every[first % len(every)], every[second % len(every)]]

    def holders(self, first: int, second: int) -> list[Holder]:
        """Whom a permission or a level is for, and the bot."""
        kinds = [Holder("reporter"), Holder("assignee"), Holder("projectRole", self.roles[0].id), Holder("anyone")]
        kinds += [Holder("group", each.name) for each in self.groups]
        kinds += [Holder("user", each.id) for each in self.people]
        kinds.append(Holder("applicationRole"))
        return [kinds[first % len(kinds)], kinds[second % len(kinds)], Holder("user", self.bot.id)]

    def add_page(self, space: Space, parent: Page | None) -> Page:
        """A page with a word of its own."""
        word = self.word()
        words = storage(f"The walrus of {word} is fed at noon.", "See also DESK-1 and DESK-2.")
        page = self.world.add_page(space, f"Page {word}", words, by=self.people[0], parent=parent)
        self.pages.append(page)
        self.words[f"page:{page.id}"] = word
        return page

    def add_issue(self, project: Project, by: User) -> Issue:
        """An issue with a word of its own."""
        word = self.word()
        issue = self.world.add_issue(project, f"Issue {word}", f"The walrus of {word} is late.", by=by)
        self.issues.append(issue)
        self.words[f"issue:{issue.id}"] = word
        return issue


def found_small(world: World, bot: User) -> SmallCompany:
    """Three spaces with trees of pages, one of them for anybody; a project with levels."""
    company = SmallCompany(world, bot)
    world.wiki_anonymous = True
    company.people = [world.add_user(f"{name} Lee") for name in ("Ann", "Ben", "Cat", "Dan", "Eve")]
    # Jira shows an account comments for a group or role only if it is in there
    company.groups = [world.add_group(name, [bot]) for name in ("red", "green", "blue")]
    company.groups.append(world.add_group(STAFF, company.people))
    ann = company.people[0]
    for number, who in enumerate((world.groups[STAFF], company.groups[0], None)):
        view = [who] if who else []
        home = company.word()
        space = world.add_space(f"S{number}", f"Space {home}", view=view, everyone=who is None, by=ann)
        world.edit(world.pages[space.home], storage(f"The walrus of {home} is at home."), by=ann)
        company.words[f"page:{space.home}"] = home
        company.spaces.append(space)
        above = company.add_page(space, None)
        low = company.add_page(space, company.add_page(space, above))
        if number == 0:
            world.restrict(above, world.groups["red"], ann)
            world.restrict(low, world.groups["green"], *company.people[:2])
    company.roles = [world.add_role("Readers")]
    scheme = world.add_scheme("Scheme", Holder("applicationRole"))
    security = world.add_security("Security", inner=[Holder("group", "green")], own=[Holder("reporter")])
    company.levels = list(security.levels.values())
    company.projects = [world.add_project("DESK", "Desk", lead=ann, scheme=scheme, security=security)]
    world.fill_role(company.projects[0], company.roles[0], bot)
    for number in range(5):
        company.add_issue(company.projects[0], company.people[number])
    world.secure(company.issues[1], company.levels[0], by=ann)
    return company


Change = Callable[[SmallCompany, int, int, int], None]


def _group(at: SmallCompany, number: int) -> Group:
    return at.groups[number % (len(at.groups) - 1)]  # whose members do not change: those of STAFF


def _joins(at: SmallCompany, a: int, b: int, _c: int) -> None:
    at.world.join(at.people[a % 5], _group(at, b).name)


def _leaves(at: SmallCompany, a: int, b: int, _c: int) -> None:
    at.world.leave(at.people[a % 5], _group(at, b).name)


def _nests(at: SmallCompany, a: int, b: int, _c: int) -> None:
    if a % 3 != b % 3:
        at.world.nest(_group(at, a).name, _group(at, b).name)


def _unnests(at: SmallCompany, a: int, b: int, _c: int) -> None:
    at.world.unnest(_group(at, a).name, _group(at, b).name)


def _licence(at: SmallCompany, a: int, b: int, _c: int) -> None:
    (at.world.join if b % 2 else at.world.leave)(at.people[a % 5], LICENSED)


def _closes_account(at: SmallCompany, a: int, b: int, _c: int) -> None:
    at.people[a % 5].active = bool(b % 2)


def _shares_address(at: SmallCompany, a: int, b: int, _c: int) -> None:
    person, other = at.people[a % 5], at.people[b % 5]
    taken = any(each.email == person.email for each in at.people if each is not person)
    if not taken and person.active and other.active and a % 2:
        person.email = other.email
    else:
        person.email = f"{person.name}@example.com"


def _restricts(at: SmallCompany, a: int, b: int, c: int) -> None:
    at.world.restrict(at.pages[a % len(at.pages)], *at.some(b, c))


def _unrestricts(at: SmallCompany, a: int, _b: int, _c: int) -> None:
    at.world.unrestrict(at.pages[a % len(at.pages)])


def _moves(at: SmallCompany, a: int, b: int, _c: int) -> None:
    page, parent = at.pages[a % len(at.pages)], at.pages[b % len(at.pages)]
    if parent is not page and parent not in at.world.descendants(page) and {page.status, parent.status} == {"current"}:
        at.world.move(page, parent)


def _permits(at: SmallCompany, a: int, b: int, c: int) -> None:
    at.world.permit(at.spaces[a % 3], *at.some(b, c), everyone=(b + c) % 5 == 0)


def _writes_page(at: SmallCompany, a: int, b: int, _c: int) -> None:
    if len(at.pages) < MOST and at.pages[b % len(at.pages)].status == "current":
        parent = at.pages[b % len(at.pages)]
        at.add_page(at.world.spaces[parent.space], parent)
    else:
        page = at.pages[a % len(at.pages)]
        at.world.edit(page, page.version.storage + "<p>once more</p>", by=at.people[0])


def _trashes(at: SmallCompany, a: int, b: int, _c: int) -> None:
    page = at.pages[a % len(at.pages)]
    if page.status == "current" and b % 3 == 0:
        at.world.trash(page)


def _secures(at: SmallCompany, a: int, b: int, _c: int) -> None:
    level = [*at.levels, None][b % 3]
    at.world.secure(at.issues[a % len(at.issues)], level, by=at.people[0])


def _fills_level(at: SmallCompany, a: int, b: int, c: int) -> None:
    at.world.set_members(at.levels[a % 2], *at.holders(b, c))


def _grants(at: SmallCompany, _a: int, b: int, c: int) -> None:
    scheme = at.world.schemes[at.projects[0].scheme]
    scheme.grants = []
    for each in at.holders(b, c):
        at.world.grant(scheme, each)


def _fills_role(at: SmallCompany, _a: int, b: int, c: int) -> None:
    at.world.fill_role(at.projects[0], at.roles[0], *at.some(b, c), at.bot)


def _assigns(at: SmallCompany, a: int, b: int, c: int) -> None:
    issue = at.issues[a % len(at.issues)]
    at.world.set(issue, at.people[0], assignee=at.people[b % 5].id, reporter=at.people[c % 5].id)


def _comments(at: SmallCompany, a: int, b: int, c: int) -> None:
    issue, word = at.issues[a % len(at.issues)], at.word()
    if len(issue.comments) < 2:
        group, role = (_group(at, c).name, "") if b % 3 else ("", at.roles[0].name)
        said = at.world.say(issue, f"The walrus remark of {word}.", by=at.people[0], group=group, role=role)
        at.words[f"comment:{issue.id}/{said.id}"] = word


def _shows_comment(at: SmallCompany, a: int, b: int, _c: int) -> None:
    issue = at.issues[a % len(at.issues)]
    if issue.comments:
        said = issue.comments[b % len(issue.comments)]
        if said.visibility and said.visibility[0] == "group":
            said.visibility, issue.updated = ("group", _group(at, b).name), at.world.tick()
            said.updated = issue.updated


def _writes_issue(at: SmallCompany, a: int, _b: int, _c: int) -> None:
    if len(at.issues) < MOST:
        at.add_issue(at.projects[0], at.people[a % 5])


def _links(at: SmallCompany, a: int, b: int, _c: int) -> None:
    issue, other = at.issues[a % len(at.issues)], at.issues[b % len(at.issues)]
    if issue is not other and len(at.world.links) < MOST:
        at.world.link(issue, other)


OF_PEOPLE: list[Change] = [_joins, _leaves, _nests, _unnests, _licence, _closes_account, _shares_address]
OF_THE_WIKI: list[Change] = [_restricts, _unrestricts, _moves, _permits, _writes_page, _trashes]
OF_THE_DESK: list[Change] = [
    *(_secures, _fills_level, _grants, _fills_role, _assigns),
    *(_comments, _shows_comment, _writes_issue, _links),
]
