"""A company's wiki, page by page: trees, links to pages and tickets, restrictions at any depth."""

from dataclasses import dataclass
from html import escape
from urllib.parse import quote_plus

from tests.fakes.atlassian.company import Company, Edge
from tests.fakes.atlassian.prose import Prose
from tests.fakes.atlassian.records import Page, Space
from tests.fakes.atlassian.text import storage
from tests.fakes.atlassian.tracker_records import Issue


def address(company: Company, base: str, page: Page) -> str:
    """A page's URL as people copy it."""
    return f"{base}/spaces/{company.world.spaces[page.space].key}/pages/{page.id}/{quote_plus(page.title)}"


@dataclass
class PageWriter:
    """Writes pages into a company's spaces. wiki_at, jira_at: the bases of URLs that stand in the text."""

    company: Company
    prose: Prose
    wiki_at: str
    jira_at: str

    def write(self) -> None:
        """One more page or blog post with what comes with it."""
        company, chance = self.company, self.company.chance
        space = chance.choice(company.spaces)
        kind = "blogpost" if chance.random() < 0.05 else "page"
        word, title = company.canary("p"), self._title(space)
        said, edges = self._links(space)
        body = [self.prose.paragraph() for _ in range(chance.randint(1, 3))]
        content = f"<h2>Overview</h2>{storage(*body)}{said}{storage(f'Reference {word}')}"
        page = company.world.add_page(
            space,
            title,
            content,
            by=company.someone(),
            parent=self._parent(space) if kind == "page" else None,
            kind=kind,
        )
        company.canaries[word] = page
        company.edges += [each._replace(source=page.id) for each in edges]
        company.world.advance(minutes=chance.randint(1, 30))
        self._around(page)
        company.pages.append(page)

    def _title(self, space: Space) -> str:
        taken = {each.title for each in self.company.pages if each.space == space.id}
        title = self.prose.title()
        return title if title not in taken else f"{title} ({len(taken) + 1})"

    def _parent(self, space: Space) -> Page | None:
        """A recent page of the space most times, so that trees grow deep; else its home page."""
        recent = [each for each in self.company.pages[-80:] if (each.space, each.kind) == (space.id, "page")]
        return self.company.chance.choice(recent) if recent and self.company.chance.random() < 0.75 else None

    def _links(self, space: Space) -> tuple[str, list[Edge]]:
        """Paragraphs that point elsewhere, and at what; the source is not there yet."""
        chance, rows, edges = self.company.chance, "", list[Edge]()
        if self.company.pages and chance.random() < 0.4:
            target = chance.choice(self.company.pages)
            word = chance.choice(("title", "url"))
            rows += self._page_link(target, space) if word == "title" else self._page_address(target)
            edges.append(Edge("page-page", "", target.id, word))
        if self.company.issues and chance.random() < 0.4:
            issue = chance.choice(self.company.issues)
            word = chance.choice(("key", "macro", "url"))
            rows += self._ticket(issue, word)
            edges.append(Edge("page-issue", "", issue.id, word))
        return rows, edges

    def _page_link(self, target: Page, space: Space) -> str:
        key = self.company.world.spaces[target.space].key
        where = "" if target.space == space.id else f' ri:space-key="{key}"'
        kind, day = "page", ""
        if target.kind == "blogpost":
            kind, day = "blog-post", f' ri:posting-day="{target.created:%Y/%m/%d}"'
        title = escape(target.title)
        link = f'<ac:link><ri:{kind}{where} ri:content-title="{title}"{day} /></ac:link>'
        return f"<p>It continues in {link}.</p>"

    def _page_address(self, target: Page) -> str:
        url = escape(address(self.company, self.wiki_at, target))
        return f'<p>More is in <a href="{url}">{escape(target.title)}</a>.</p>'

    def _ticket(self, issue: Issue, word: str) -> str:
        if word == "key":
            return f"<p>The work is tracked in {issue.key}.</p>"
        if word == "url":
            return f'<p>It was reported in <a href="{self.jira_at}/browse/{issue.key}">the ticket</a>.</p>'
        parameter = f'<ac:parameter ac:name="key">{issue.key}</ac:parameter>'
        macro = f'<ac:structured-macro ac:name="jira" ac:schema-version="1">{parameter}</ac:structured-macro>'
        return f"<p>Ticket: {macro}</p>"

    def _around(self, page: Page) -> None:
        company, world, chance = self.company, self.company.world, self.company.chance
        if chance.random() < (0.4 if self._walled(page) else 1 / 8):
            world.restrict(page, *company.some(3))
        if chance.random() < 0.05:
            world.restrict_edits(page, *company.some(2))
        if chance.random() < 0.2:
            self._talk(page)
        if chance.random() < 0.05:
            word = company.canary("pf")
            notes = f"{self.prose.paragraph()}\n{word}\n".encode()
            company.canaries[word] = world.attach(page, f"notes-{word[-6:]}.txt", notes, by=company.someone())
        if chance.random() < 0.1:
            world.label(page, chance.choice(("runbook", "howto", "decision", "draft")))

    def _walled(self, page: Page) -> bool:
        """Whether a page above it is restricted, so that one restriction comes to stand within another."""
        above = self.company.world.pages.get(page.parent)
        return above is not None and (above.readers is not None or self._walled(above))

    def _talk(self, page: Page) -> None:
        first = self.company.comment(page)
        if self.company.chance.random() < 0.3:
            word = self.company.canary("pc")
            words = storage(f"{self.prose.remark()} {word}")
            answer = self.company.world.comment(page, words, by=self.company.someone(), parent=first)
            self.company.canaries[word] = answer

    def fence(self) -> None:
        """Restricts some pages to people whom a restriction above them leaves out, so that these read neither."""
        company, world = self.company, self.company.world
        below = [each for each in company.current() if each.parent in {one.id for one in company.pages}]
        for page in company.chance.sample(below, min(len(below), 1 + len(company.pages) // 60)):
            team = company.chance.choice(company.groups)
            inside = {each.id for each in world.members(team.name, deep=True)}
            out = [each for each in company.people if each.id not in inside and world.may_read(each, page)]
            if len(out) > 1:
                world.restrict(world.pages[page.parent], team)
                world.restrict(page, *company.chance.sample(out, 2), team)

    def put_away(self) -> None:
        """Of all pages some go to the archive, some to the trash, and a few out of that."""
        company, world = self.company, self.company.world
        chosen = company.chance.sample(company.pages, len(company.pages) // 20)
        third = len(chosen) // 3
        for page in chosen[:third]:
            world.archive(page)
        for page in chosen[third:]:
            world.trash(page)
        for page in chosen[-max(1, third // 4) :] if chosen else ():
            world.purge(page)
