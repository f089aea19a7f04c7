"""Founds a company in a world, from a seed: people in nested groups, spaces, projects, then their content in turns."""

import random
from dataclasses import dataclass
from datetime import timedelta

from tests.fakes.atlassian.company import Company
from tests.fakes.atlassian.company_issues import IssueWriter
from tests.fakes.atlassian.company_pages import PageWriter
from tests.fakes.atlassian.prose import Prose
from tests.fakes.atlassian.records import Group, User
from tests.fakes.atlassian.tracker import AGENT
from tests.fakes.atlassian.tracker_records import Holder, PermissionScheme, SecurityScheme
from tests.fakes.atlassian.world import EVERYONE, World

WIKI_AT = "https://company.example/wiki"
JIRA_AT = "https://company.example"
_SPACES = (("HB", "Handbook"), ("ENG", "Engineering"), ("OPS", "Operations"), ("HR", "People"), ("FIN", "Finance"))
_PROJECTS = (("PAY", "Payments"), ("NET", "Network"), ("HELP", "Help Desk"), ("WEB", "Website"), ("DATA", "Data"))


@dataclass
class _Founder:
    company: Company

    def people(self, count: int) -> None:
        """People, of whom some hide their e-mail, some have left and some may not use the products."""
        world, chance = self.company.world, self.company.chance
        for name in Prose(chance).names(count):
            hidden, licensed = chance.random() < 0.1, chance.random() > 0.03
            self.company.people.append(world.add_user(name, hidden=hidden, licensed=licensed))
        for user in chance.sample(self.company.people, count // 50):
            world.deactivate(user)

    def groups(self, teams: int) -> None:
        """Teams within departments within the whole staff."""
        world, chance, people = self.company.world, self.company.chance, self.company.people
        departments = [self._group(f"department-{at}", chance.sample(people, 1)) for at in range(max(2, teams // 4))]
        for at in range(teams):
            team = self._group(f"team-{at:02}", chance.sample(people, min(len(people), chance.randint(3, 9))))
            world.nest(departments[at % len(departments)].name, team.name)
        self._group("all-staff", [])
        for each in departments:
            world.nest("all-staff", each.name)

    def _group(self, name: str, members: list[User]) -> Group:
        found = self.company.world.add_group(name, members)
        self.company.groups.append(found)
        return found

    def spaces(self, count: int) -> None:
        """Spaces: the first for everyone, the others for everyone, a department or a few in turn."""
        world, company = self.company.world, self.company
        for at in range(count):
            key, name = _SPACES[at] if at < len(_SPACES) else (f"S{at}", f"Space {at}")
            who: list[User | Group] = [world.groups[EVERYONE]]
            if at % 3 == 1:
                who = [world.groups["all-staff"]]
            elif at % 3 == 2:
                who = company.some(3)
            company.spaces.append(world.add_space(key, name, view=who, by=company.someone()))

    def projects(self, count: int) -> None:
        """Projects that differ in who may browse them; each other one has security levels."""
        world, company = self.company.world, self.company
        developers, staff = world.add_role("Developers"), world.add_role("Service Desk Team")
        schemes, levels = self._schemes(developers.id, staff.id), self._levels(developers.id)
        for at in range(count):
            key, name = _PROJECTS[at] if at < len(_PROJECTS) else (f"P{at}", f"Project {at}")
            kind, security = "service_desk" if at % 5 == 2 else "software", levels if at % 2 == 0 else None
            scheme = schemes[at % len(schemes)]
            project = world.add_project(key, name, lead=company.someone(), scheme=scheme, security=security, kind=kind)
            world.fill_role(project, developers, *company.some(4))
            world.fill_role(project, staff, *company.some(2))
            company.projects.append(project)

    def _schemes(self, developers: str, staff: str) -> list[PermissionScheme]:
        """With every kind of holder that there is."""
        world, teams = self.company.world, self.company.groups
        owner, team = world.add_field("Owner", "user"), world.add_field("Team", "group")
        involved = (Holder("reporter"), Holder("assignee"), Holder("userCustomField", owner.id))
        found = [
            world.add_scheme("Open", Holder("applicationRole")),
            world.add_scheme("By role", Holder("projectRole", developers), Holder("projectLead"), Holder("reporter")),
            world.add_scheme("By group", *(Holder("group", each.name) for each in teams[:2]), *involved),
            world.add_scheme(
                "By field", Holder("groupCustomField", team.id), Holder("user", self.company.someone().id)
            ),
            world.add_scheme("Public", Holder("anyone")),
        ]
        for each in found:
            world.grant(each, Holder("projectRole", staff), AGENT)
        return found

    def _levels(self, developers: str) -> SecurityScheme:
        board = [Holder("group", self.company.groups[0].name), Holder("user", self.company.someone().id)]
        return self.company.world.add_security(
            "Levels",
            Team=[Holder("projectRole", developers)],
            Involved=[Holder("reporter"), Holder("assignee")],
            Board=board,
        )


def found_company(
    world: World,
    seed: int = 1,
    *,
    people: int = 200,
    spaces: int = 5,
    pages: int = 2000,
    projects: int = 6,
    issues: int = 3000,
    wiki_at: str = WIKI_AT,
    jira_at: str = JIRA_AT,
) -> Company:
    """Fills a world with a company. The same seed and sizes give the same one in the same world.

    wiki_at, jira_at: the bases of URLs that stand in texts. The clock ends a day after the last change.
    """
    chance = random.Random(seed)
    company, prose = Company(world, chance), Prose(chance)
    founder = _Founder(company)
    founder.people(people)
    founder.groups(max(4, people // 8))
    founder.spaces(spaces)
    founder.projects(projects)
    wiki, tracker = PageWriter(company, prose, wiki_at, jira_at), IssueWriter(company, prose, wiki_at)
    turns = [wiki.write] * pages + [tracker.write] * issues
    chance.shuffle(turns)
    for write in turns:
        write()
    wiki.fence()
    wiki.put_away()
    world.now += timedelta(days=1)
    return company


def found_small_company(world: World, seed: int = 1, *, wiki_at: str = WIKI_AT, jira_at: str = JIRA_AT) -> Company:
    """Twenty people, sixty pages, eighty issues."""
    return found_company(
        world, seed, people=20, spaces=3, pages=60, projects=5, issues=80, wiki_at=wiki_at, jira_at=jira_at
    )
