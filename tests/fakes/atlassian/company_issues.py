"""A company's tracker, issue by issue: families, links, comments that are not for all, security levels."""

from dataclasses import dataclass

from tests.fakes.atlassian.company import Company, Edge
from tests.fakes.atlassian.company_pages import address
from tests.fakes.atlassian.prose import Prose
from tests.fakes.atlassian.records import Page
from tests.fakes.atlassian.text import adf
from tests.fakes.atlassian.tracker import LINKS
from tests.fakes.atlassian.tracker_records import Issue, Project, Text

_STATUSES = ("To Do", "In Progress", "Done")


@dataclass
class IssueWriter:
    """Files issues in a company's projects. wiki_at: the base of URLs of pages."""

    company: Company
    prose: Prose
    wiki_at: str

    def write(self) -> None:
        """One more issue with what people do to one."""
        company, chance, world = self.company, self.company.chance, self.company.world
        project = chance.choice(company.projects)
        word, page = company.canary("i"), None
        if company.pages and chance.random() < 0.15:
            page = chance.choice(company.pages)
        kind = chance.choices(("Task", "Story", "Bug", "Epic"), (4, 3, 3, 1))[0]
        description = self._description(word, page)
        issue = world.add_issue(project, self.prose.summary(), description, by=company.someone(), kind=kind)
        company.canaries[word] = issue
        if page:
            company.edges.append(Edge("issue-page", issue.id, page.id, "url"))
        world.advance(minutes=chance.randint(1, 20))
        self._fields(issue, project)
        self._family(issue)
        self._point(issue)
        for _ in range(chance.randint(0, 2)):
            self._say(issue, project)
        if chance.random() < 0.5:
            status = chance.choice(_STATUSES)
            world.move_to(issue, status, by=company.someone(), resolution="Done" if status == "Done" else "")
        company.issues.append(issue)

    def _description(self, word: str, page: Page | None) -> Text:
        rows = [self.prose.paragraph(), f"{self.prose.paragraph()} {word}"]
        document, wiki = adf(*rows), "\n\n".join(rows)
        if page:
            url = address(self.company, self.wiki_at, page)
            link = {"type": "text", "text": page.title, "marks": [{"type": "link", "attrs": {"href": url}}]}
            document["content"].append({"type": "paragraph", "content": [{"type": "text", "text": "See "}, link]})
            wiki += f"\n\nSee [{page.title}|{url}]"
        return Text(wiki, document)

    def _fields(self, issue: Issue, project: Project) -> None:
        company, chance, world = self.company, self.company.chance, self.company.world
        if chance.random() < 0.6:
            world.set(issue, company.someone(), assignee=company.someone().id)
        if project.security and chance.random() < 0.4:
            levels = list(world.security[project.security].levels.values())
            world.secure(issue, chance.choice(levels), by=company.someone())
        if chance.random() < 0.3:
            issue.labels = [chance.choice(("customer", "cleanup", "urgent"))]
        for each in world.custom_fields.values():
            if chance.random() < 0.1:
                issue.fields[each.id] = (
                    company.someone().id if each.kind == "user" else [chance.choice(company.groups).name]
                )
        if chance.random() < 0.04:
            word = company.canary("if")
            log = f"{self.prose.paragraph()}\n{word}\n".encode()
            company.canaries[word] = world.add_file(issue, f"log-{word[-6:]}.txt", log, by=company.someone())

    def _family(self, issue: Issue) -> None:
        """A sub-task of an issue or a part of an epic, at times."""
        before = [each for each in self.company.issues[-80:] if each.project == issue.project]
        epics = [each for each in before if each.kind == "Epic"]
        whole = [each for each in before if each.kind not in {"Epic", "Sub-task"}]
        way = self.company.chance.random()
        if issue.kind == "Epic" or way > 0.4:
            return
        if whole and way < 0.12:
            issue.kind, issue.parent = "Sub-task", self.company.chance.choice(whole).id
        elif epics:
            issue.parent = self.company.chance.choice(epics).id
        if issue.parent:
            self.company.edges.append(Edge("issue-parent", issue.id, issue.parent))

    def _point(self, issue: Issue) -> None:
        """Links to an issue, most times of the same project, and to a page."""
        company, chance = self.company, self.company.chance
        near = [each for each in company.issues[-80:] if each.project == issue.project]
        every = near if chance.random() < 0.7 else company.issues
        if every and chance.random() < 0.3:
            kind, target = chance.choice(list(LINKS)), chance.choice(every)
            company.world.link(issue, target, kind)
            company.edges.append(Edge("issue-issue", issue.id, target.id, kind))
        if company.pages and chance.random() < 0.08:
            page = chance.choice(company.pages)
            url = f"{self.wiki_at}/pages/viewpage.action?pageId={page.id}"
            company.world.link_away(issue, url, page.title, relationship="mentioned in", application="Confluence")
            company.edges.append(Edge("issue-page", issue.id, page.id, "remote link"))

    def _say(self, issue: Issue, project: Project) -> None:
        said, way = self.company.comment(issue), self.company.chance.random()
        if way < 0.1:
            said.visibility = ("group", self.company.chance.choice(self.company.groups).name)
        elif way < 0.2:
            said.visibility = ("role", "Developers")
        elif way < 0.4 and project.kind == "service_desk":
            said.internal = True
