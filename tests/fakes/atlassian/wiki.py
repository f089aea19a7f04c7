"""Confluence's content and how people change it."""

from collections.abc import Iterable
from datetime import datetime

from tests.fakes.atlassian.records import Attachment, Group, Page, PageComment, Readers, Space, User, Version

Who = User | Group


def readers(who: Iterable[Who], *, everyone: bool = False) -> Readers:
    """Users and groups as a set of readers."""
    each = list(who)
    users = {one.id for one in each if isinstance(one, User)}
    return Readers(users, {one.name for one in each if isinstance(one, Group)}, everyone)


class Wiki:
    """Spaces and what is in them, by id. To be mixed into the world, which has the clock and the numbers."""

    def _begin_wiki(self) -> None:
        self.spaces: dict[str, Space] = {}
        self.pages: dict[str, Page] = {}
        self.page_comments: dict[str, PageComment] = {}
        self.attachments: dict[str, Attachment] = {}

    def number(self, what: str, first: int = 1) -> int:
        """The next number of that name."""
        raise NotImplementedError

    def tick(self) -> datetime:
        """The moment of a change."""
        raise NotImplementedError

    def _content_id(self) -> str:
        return str(self.number("content", 65537))

    def add_space(self, key: str, name: str, *, view: Iterable[Who] = (), everyone: bool = False, by: User) -> Space:
        """A space with its home page. view: who may view it."""
        found = Space(str(self.number("space", 32769)), key, name, readers(view, everyone=everyone))
        found.created, found.author = self.tick(), by.id
        self.spaces[found.id] = found
        found.home = self.add_page(found, f"{name} Home", "<p>Welcome.</p>", by=by).id
        return found

    def add_page(
        self, space: Space, title: str, storage: str = "", *, by: User, parent: Page | None = None, kind: str = "page"
    ) -> Page:
        """A page, under the space's home page unless a parent is given. kind: also blogpost."""
        at = self.tick()
        above = (parent.id if parent else space.home) if kind == "page" else ""
        first = Version(1, at, by.id, title=title, storage=storage)
        page = Page(self._content_id(), space.id, kind, above, [first], at, by.id)
        page.position = len(self.pages)
        self.pages[page.id] = page
        return page

    def edit(self, page: Page, storage: str, *, by: User, title: str | None = None, message: str = "") -> Page:
        """A new version of a page."""
        number, name = page.version.number + 1, page.title if title is None else title
        page.versions.append(Version(number, self.tick(), by.id, message, name, storage))
        page.adf = None
        return page

    def rename(self, page: Page, title: str, *, by: User) -> Page:
        """A new title, which is a new version with the same body."""
        return self.edit(page, page.version.storage, by=by, title=title)

    def move(self, page: Page, parent: Page) -> None:
        """Under another page, with all that is under it, into that page's space. It makes no version."""
        page.parent = parent.id
        for each in [page, *self.descendants(page)]:
            each.space = parent.space

    def descendants(self, page: Page) -> list[Page]:
        """All pages below one."""
        direct = [each for each in self.pages.values() if each.parent == page.id]
        return direct + [below for each in direct for below in self.descendants(each)]

    def restrict(self, page: Page, *who: Who) -> None:
        """Only these may view the page and what is below it. It makes no version."""
        page.readers = readers(who)

    def restrict_edits(self, page: Page, *who: Who) -> None:
        """Only these may change the page; it says nothing of who may view it."""
        page.editors = readers(who)

    def unrestrict(self, page: Page) -> None:
        """Takes its own restriction away."""
        page.readers = None

    def permit(self, space: Space, *who: Who, everyone: bool = False) -> None:
        """These, and nobody else, may view the space."""
        space.view = readers(who, everyone=everyone)

    def label(self, page: Page, *labels: str) -> None:
        """Adds labels. It makes no version."""
        page.labels += [each for each in labels if each not in page.labels]

    def comment(
        self, page: Page, storage: str, *, by: User, inline: str = "", parent: PageComment | None = None
    ) -> PageComment:
        """A footer comment, or one on the words `inline`; parent: the comment that it answers."""
        first = Version(1, self.tick(), by.id, title=f"Re: {page.title}", storage=storage)
        place = parent.place if parent else "inline" if inline else "footer"
        found = PageComment(self._content_id(), page.id, place, [first], parent.id if parent else "", inline)
        self.page_comments[found.id] = found
        return found

    def edit_comment(self, comment: PageComment, storage: str, *, by: User) -> None:
        """A new version of a comment."""
        last = comment.versions[-1]
        comment.versions.append(Version(last.number + 1, self.tick(), by.id, title=last.title, storage=storage))

    def resolve(self, comment: PageComment) -> None:
        """An inline comment is done with."""
        comment.resolution = "resolved"

    def delete_comment(self, comment: PageComment) -> None:
        """Gone, with the answers to it."""
        for each in [each for each in self.page_comments.values() if each.parent == comment.id]:
            self.delete_comment(each)
        self.page_comments.pop(comment.id, None)

    def attach(self, page: Page, name: str, content: bytes, *, by: User, media_type: str = "text/plain") -> Attachment:
        """A file on a page; of the same name, a new version of it."""
        at = self.tick()
        for old in self.attachments.values():
            if (old.owner, old.name, old.status) == (page.id, name, "current"):
                old.former[old.versions[-1].number] = old.content
                old.content, old.media_type = content, media_type
                old.versions.append(Version(old.versions[-1].number + 1, at, by.id, title=name))
                return old
        found = Attachment(f"att{self._content_id()}", page.id, name, content, media_type, by.id, at)
        found.versions.append(Version(1, at, by.id, title=name))
        self.attachments[found.id] = found
        return found

    def detach(self, attachment: Attachment) -> None:
        """Into the trash."""
        attachment.status = "trashed"

    def archive(self, thing: Page | Space) -> None:
        """A page, without what is below it, or a space."""
        thing.status = "archived"

    def trash(self, page: Page) -> None:
        """Into the trash; what was directly below moves up to its parent."""
        for each in self.pages.values():
            if each.parent == page.id:
                each.parent = page.parent
        page.status = "trashed"

    def purge(self, page: Page) -> None:
        """Empties the trash of a page."""
        page.status = "deleted"

    def rename_space(self, space: Space, *, key: str | None = None, name: str | None = None) -> None:
        """Another key or name. Pages do not count as changed."""
        space.key, space.name = key or space.key, name or space.name
